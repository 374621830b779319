page-profile 1
program /usr/bin/zsh-static
key build-id:a066303feaa32fa8a9d973306c0db855c3a99252
runs 37
400 1 r
401 1 r
40c 4 r
411 1 r
418 3 r
41c 1 r
41e 9 r
428 2 r
42b 2 r
42e 1 r
431 6f r
507 1 r
517 7 r
520 91 r
5b2 1 r
5b4 3 r
5b8 2 r
5bb 1 r
5cb 1 r
5e0 4 r
5e4 11 r
5fc 3 r
602 7 r
615 2 r
618 4 r
64b 7 r
652 8 w
65a 8 r
662 4 w
667 1 w
66b 1 w
66d 2 w
673 1 w
676 1 w
678 1 w
67a 2 w
67f 2 w
region 400 1 file
region 401 1e3 file
region 5e4 67 file
region 64b 1b file
region 666 1b bss
touches 372 exit
401 c
519 r
680 w
653 w
582 r
663 w
664 w
581 r
652 r
605 r
51a r
518 r
5fc r
662 w
67a w
400 r
539 r
654 w
53b r
562 r
563 r
5cb r
5a7 r
53a r
517 r
51b r
580 r
53f r
64b r
583 r
51d r
64f r
575 r
584 r
5a6 r
5a5 r
67b r
5b8 r
619 c
61a c
537 r
67f r
533 r
58e r
534 r
536 r
535 r
576 r
5b6 r
551 r
615 r
538 r
541 r
542 r
5bb r
5b5 r
5b4 r
54d r
522 r
606 r
5e9 r
5b2 r
618 r
5b0 r
5b9 r
64c c
64d c
64e c
650 c
651 c
577 r
561 r
5e1 r
61b r
602 r
665 w
507 r
5e2 c
5e3 c
655 c
656 c
657 c
658 c
659 c
65a c
65b c
65c c
65d c
65e c
65f c
660 c
661 c
521 r
440 r
532 r
5ee r
54b r
55b r
5e8 r
53c r
51c r
573 r
604 r
54c r
520 r
608 r
607 r
5fd r
5fe c
529 r
530 r
52e r
52f r
5ef r
52d r
52a r
5a3 r
616 c
531 r
523 r
545 r
603 r
543 r
585 r
586 r
58d r
445 r
454 r
673 r
66e w
446 r
5e7 r
490 r
418 r
45b r
433 r
432 r
5e6 r
5e4 r
5f4 r
66d w
43d r
43c r
434 r
578 c
579 c
57a c
57b c
57c c
57d c
57e c
57f c
587 c
588 c
589 c
58a c
58b c
58c c
58f c
590 c
591 c
592 c
593 c
594 c
595 c
596 c
597 c
598 c
599 c
59a c
59b c
59c c
59d c
59e c
59f c
5a0 c
5a1 c
5a2 c
5a4 c
5a8 c
5a9 c
5aa c
5ab c
5ac c
5ad c
5ae c
5af c
5e0 c
435 c
436 c
437 c
438 c
439 c
43a c
43b c
43e c
43f c
441 c
442 c
443 c
444 c
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
455 c
456 c
457 c
458 c
459 c
45a c
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
47d c
47e c
47f c
480 c
481 c
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
491 c
492 c
493 c
494 c
495 c
496 c
497 c
498 c
499 c
49a c
49b c
49c c
49d c
49e c
49f c
524 c
525 c
526 c
527 c
528 c
52b c
52c c
53d c
53e c
540 c
544 c
546 c
547 c
548 c
549 c
54a c
54e c
54f c
550 c
552 c
553 c
554 c
555 c
556 c
557 c
558 c
559 c
55a c
55c c
55d c
55e c
55f c
560 c
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
574 c
676 c
678 c
5ea r
667 w
66b c
5e5 c
5f0 r
5ed r
5ec r
5f3 r
5eb r
411 r
5f2 r
5f1 r
41a r
426 r
425 r
424 r
41e r
41c r
41f r
420 r
421 r
422 r
428 r
429 r
419 r
42c r
431 r
42b r
42e r
423 r
40c r
40e r
40d r
40f r
