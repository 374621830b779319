page-profile 1
program /usr/bin/busybox
key build-id:0daa1a3855d8d19053684e2a8bd73d647939376e
runs 37
400 1 r
401 1 r
403 1 r
406 1 r
409 2 r
40e 32 r
455 1 r
460 22 r
494 5 r
4a4 1 r
4bb 4 r
4c7 1 r
4c9 1 r
4cb 6 r
4d2 1 r
4da 1 r
4e0 10 r
520 20 r
570 15 r
585 1 r
58c 1 r
599 2 r
5a1 1 r
5a3 1 r
5a5 1 r
5ab 3 r
5b4 4 r
5bb 1 r
5bd 1 r
5bf 1 r
5c1 3 r
5d9 1 r
5db 5 r
5e0 5 w
5e5 1 w
5e9 1 r
5ea 2 w
region 400 1 file
region 401 184 file
region 585 56 file
region 5db a file
region 5e5 7 bss
touches 215 exit
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
520 c
521 c
522 c
523 c
524 c
525 c
526 c
527 c
528 c
529 c
52a c
52b c
52c c
52d c
52e c
52f c
530 c
531 c
532 c
533 c
534 c
535 c
536 c
537 c
538 c
539 c
53a c
53b c
53c c
53d c
53e c
53f c
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
414 c
415 c
418 c
419 c
41a c
41b c
41c c
41d c
41e c
41f c
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
5b5 r
409 r
58c r
5b4 r
5b6 c
5b7 c
59a r
5a1 r
5bb r
5bd r
5ad r
5e9 r
