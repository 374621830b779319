page-profile 1
program /usr/bin/busybox
key build-id:0daa1a3855d8d19053684e2a8bd73d647939376e
runs 30
400 1 r
401 1 r
403 1 r
406 1 r
409 2 r
40e 6 r
416 2 r
420 70 r
494 5 r
4a4 1 r
4b0 10 r
4c7 1 r
4c9 1 r
4cb 6 r
4d2 1 r
4da 1 r
4e0 10 r
550 35 r
585 1 r
599 1 r
5a2 2 r
5a5 1 r
5ab 2 r
5ba 1 r
5bd 7 r
5d9 1 r
5db 5 r
5e0 5 w
5e5 1 w
5ea 2 w
region 400 1 file
region 401 184 file
region 585 56 file
region 5db a file
region 5e5 7 bss
touches 256 exit
40e c
410 r
5eb w
5e1 w
496 r
5ea w
5e3 w
495 r
5e0 r
5c1 r
40f r
585 r
411 r
400 r
437 r
438 r
436 r
4bd r
4be r
4da r
494 r
5e4 w
401 r
403 r
5db r
498 r
4a4 r
47d r
4bb r
4ce r
5c2 c
5c3 c
4cf r
435 r
431 r
5e2 w
434 r
433 r
4cd r
40a r
5bf r
406 r
497 r
4d2 r
4bc r
4cc r
4cb r
5de r
417 r
4c9 r
599 r
4c7 r
4d0 r
47f r
5dc c
5dd c
5df c
480 r
481 r
455 r
5e5 w
4ea r
5d9 r
416 r
4ec r
5a3 r
4eb r
439 c
43a c
43b c
43c c
43d c
43e c
43f c
440 c
441 c
442 c
443 c
444 c
445 c
446 c
447 c
448 c
449 c
44a c
44b c
44c c
44d c
44e c
44f c
450 c
451 c
452 c
453 c
454 c
456 c
457 c
458 c
459 c
45a c
45b c
45c c
45d c
45e c
45f c
460 c
461 c
462 c
463 c
464 c
465 c
466 c
467 c
468 c
469 c
46a c
46b c
46c c
46d c
46e c
46f c
470 c
471 c
472 c
473 c
474 c
475 c
476 c
477 c
478 c
479 c
47a c
47b c
47c c
47e c
482 c
483 c
484 c
485 c
486 c
487 c
488 c
489 c
48a c
48b c
48c c
48d c
48e c
48f c
4b0 c
4b1 c
4b2 c
4b3 c
4b4 c
4b5 c
4b6 c
4b7 c
4b8 c
4b9 c
4ba c
4bf c
4e0 c
4e1 c
4e2 c
4e3 c
4e4 c
4e5 c
4e6 c
4e7 c
4e8 c
4e9 c
4ed c
4ee c
4ef c
550 c
551 c
552 c
553 c
554 c
555 c
556 c
557 c
558 c
559 c
55a c
55b c
55c c
55d c
55e c
55f c
560 c
561 c
562 c
563 c
564 c
565 c
566 c
567 c
568 c
569 c
56a c
56b c
56c c
56d c
56e c
56f c
570 c
571 c
572 c
573 c
574 c
575 c
576 c
577 c
578 c
579 c
57a c
57b c
57c c
57d c
57e c
57f c
580 c
581 c
582 c
583 c
584 c
412 c
413 c
420 c
421 c
422 c
423 c
424 c
425 c
426 c
427 c
428 c
429 c
42a c
42b c
42c c
42d c
42e c
42f c
430 c
432 c
5ac r
5a5 r
5ab r
5bd r
409 r
5be r
5c0 r
5a2 r
5ba r
