page-profile 1
program build/bench/touch-bss-4
key file:ac98-6b014d38.273841d5-14a4f7242488b6f0
runs 261
400 1 r
401 5 r
406 1 r
407 1 r
408 1 w
40a 1 w
40e 6 w
416 2 w
419 1 w
41b 1 w
41e 1 w
421 5 w
427 3 w
42b 3 w
430 2 w
433 1 w
436 3 w
43b 1 w
43d 6 w
445 1 w
447 5 w
44d 3 w
456 2 w
459 1 w
45b 2 w
45e 6 w
467 3 w
46d 3 w
471 8 w
47a 1 w
47d 5 w
489 5 w
490 2 w
493 2 w
496 3 w
49a 2 w
49d 1 w
4a0 2 w
4a3 1 w
4a5 1 w
4a8 2 w
4ad 4 w
4b2 1 w
4b5 2 w
4b8 4 w
4bd 1 w
4bf 1 w
4c1 3 w
4c6 1 w
4c8 8 w
4d1 1 w
4d3 3 w
4d7 7 w
4df 1 w
4e1 1 w
4e4 3 w
4e9 2 w
4ed 1 w
4f0 1 w
4f2 1 w
4f5 5 w
4fb 6 w
503 4 w
507 1 r
50a 5 w
512 3 w
518 2 w
51b 3 w
51f 1 w
522 5 w
529 2 w
52c 4 w
532 4 w
537 1 w
53a 4 w
540 1 w
544 2 w
547 1 w
54a 1 w
54c 2 w
550 2 w
554 2 w
558 3 w
55c 1 w
55e 2 w
563 1 w
565 2 w
568 4 w
56d 1 w
56f 2 w
572 1 w
575 1 w
578 2 w
57b 1 w
57d 3 w
581 5 w
589 2 w
58d 3 w
591 5 w
597 2 w
59a 2 w
59d 3 w
5a2 2 w
5a6 4 w
5ab 5 w
5b5 6 w
5bf 3 w
5c3 1 w
5c5 1 w
5c7 2 w
5cd 2 w
5d0 1 w
5d2 1 w
5d4 3 w
5d8 1 w
5da 2 w
5df 1 w
5e1 2 w
5e4 9 w
5ef 1 w
5f1 1 w
5f3 1 w
5f6 2 w
5f9 2 w
5fc 3 w
600 2 w
603 1 w
605 2 w
608 5 w
60e 2 w
611 1 w
613 1 w
615 1 w
617 3 w
61b 2 w
61e 7 w
627 1 w
629 1 w
62c 4 w
631 2 w
635 1 w
638 2 w
63b 2 w
63e 4 w
643 1 w
645 1 w
647 1 w
649 3 w
64d 1 w
64f 3 w
653 f w
663 1 w
665 4 w
66d 4 w
673 5 w
679 1 w
67b 2 w
67e 2 w
682 1 w
684 1 w
687 4 w
68d 1 w
691 5 w
697 1 w
699 2 w
69c 1 w
69f 2 w
6a2 1 w
6a4 5 w
6ac 1 w
6ae 2 w
6b1 4 w
6b6 1 w
6b8 1 w
6ba 4 w
6bf 1 w
6c1 3 w
6c5 5 w
6cb 1 w
6cd 8 w
6d6 1 w
6d8 1 w
6da 1 w
6dd 3 w
6e1 1 w
6e3 3 w
6e8 4 w
6ef 1 w
6f1 2 w
6f4 1 w
6f6 3 w
6fb 1 w
6fd 3 w
701 1 w
704 1 w
706 1 w
707 1 r
708 4 w
70d 1 w
710 2 w
714 9 w
71e 2 w
722 1 w
725 4 w
72a 2 w
72e 2 w
731 6 w
738 3 w
73c 1 w
73e 1 w
740 2 w
743 2 w
746 2 w
749 1 w
74f 3 w
753 3 w
757 1 w
759 1 w
75b 4 w
760 1 w
762 7 w
76c 6 w
773 1 w
775 2 w
779 1 w
77c 1 w
77e 2 w
781 1 w
783 2 w
787 4 w
78c 2 w
78f 4 w
794 1 w
796 5 w
79c 4 w
7a1 3 w
7a6 1 w
7a8 1 w
7ab 2 w
7ae 1 w
7b0 1 w
7b3 6 w
7ba 1 w
7bc 3 w
7c1 2 w
7c5 1 w
7ca 1 w
7cc 4 w
7d1 3 w
7d5 2 w
7d8 3 w
7dc 1 w
7df 1 w
7e1 7 w
7ec 4 w
7f2 1 w
7f4 4 w
7fa 3 w
7fe 8 w
807 1 r
808 1 w
region 400 1 file
region 401 5 file
region 406 1 file
region 407 2 file
region 409 400 bss
touches 654 exit
401 c
808 w
404 r
408 r
400 r
405 r
407 r
406 r
5b8 w
5a3 w
6d8 w
7ed w
7ba w
645 w
779 w
4bf w
796 w
679 w
48d w
7dc w
44b w
6c3 w
5a6 w
755 w
67b w
66f w
413 w
563 w
601 w
5e2 w
5b9 w
58a w
6e1 w
554 w
6b6 w
673 w
58f w
583 w
771 w
6bf w
6da w
56f w
75d w
803 w
79c w
449 w
791 w
706 w
56b w
459 w
781 w
5f7 w
496 w
43f w
74f w
609 w
5e5 w
416 w
6c6 w
7e7 w
4b0 w
4a1 w
638 w
77c w
64a w
4a5 w
4cc w
5c3 w
620 w
69c w
5f9 w
732 w
7e4 w
51b w
6d1 w
764 w
7d2 w
665 w
591 w
47a w
53a w
550 w
522 w
688 w
805 w
4ca w
733 w
5fd w
4ae w
51f w
5cd w
456 w
47e w
746 w
480 w
650 w
54c w
75e w
4c8 w
478 w
6f8 w
711 w
7ff w
7b0 w
4df w
45e w
71e w
4f0 w
592 w
7d9 w
5fe w
4cd w
61c w
440 w
568 w
762 w
63c w
708 w
6b8 w
49b w
59a w
661 w
5ad w
7a6 w
7ca w
7f5 w
5a2 w
421 w
48a w
4cb w
70a w
684 w
598 w
643 w
6f7 w
722 w
524 w
62e w
7e2 w
54d w
52f w
47d w
725 w
493 w
532 w
800 w
65f w
4fb w
512 w
578 w
6d2 w
78f w
608 w
53c w
76e w
750 w
6ce w
6b3 w
52e w
67c w
710 w
72e w
7d8 w
63f w
75b w
507 w
61e w
78a w
56d w
757 w
621 w
4dd w
7f4 w
663 w
751 w
427 w
597 w
7ec w
45b w
4c3 w
6ea w
67f w
71b w
49d w
4dc w
4a9 w
428 w
540 w
412 w
481 w
641 w
7e5 w
798 w
4af w
766 w
728 w
6cf w
6ba w
5d5 w
7ce w
789 w
41e w
5e6 w
6b2 w
76f w
569 w
4a3 w
4ba w
753 w
5c5 w
566 w
55c w
7ee w
6b1 w
5d4 w
514 w
63e w
6f2 w
687 w
589 w
4cf w
79e w
469 w
611 w
715 w
613 w
7f7 w
430 w
668 w
7b4 w
4d7 w
736 w
670 w
624 w
787 w
4b9 w
500 w
741 w
457 w
417 w
5ab w
6d0 w
70d w
423 w
6e3 w
5b6 w
59d w
623 w
71f w
631 w
6cd w
4f7 w
4f8 w
4d9 w
518 w
6a2 w
497 w
57e w
6d4 w
441 w
731 w
44f w
50d w
411 w
68d w
788 w
717 w
519 w
773 w
585 w
593 w
460 w
768 w
70b w
675 w
5c1 w
4ff w
656 w
50a w
437 w
61f w
60b w
60f w
4db w
4ea w
743 w
66d w
7c1 w
6d6 w
65b w
7df w
640 w
75c w
71a w
65c w
790 w
46f w
677 w
7d1 w
44e w
4ce w
69f w
68a w
5c7 w
7fc w
6eb w
50e w
5eb w
770 w
6c8 w
7b5 w
472 w
52a w
438 w
5d8 w
64d w
581 w
61b w
7b7 w
738 w
51c w
689 w
5fc w
59e w
7e3 w
6ac w
6e4 w
447 w
547 w
51d w
62f w
657 w
6cb w
5ae w
4ed w
7bc w
41b w
60e w
422 w
792 w
78d w
79a w
627 w
4b8 w
6f1 w
7a3 w
734 w
62d w
4c9 w
419 w
559 w
4bb w
6a4 w
5d0 w
7b3 w
744 w
7c2 w
6dd w
635 w
674 w
5c0 w
6d3 w
46e w
43e w
575 w
7c5 w
72a w
4e9 w
5b7 w
42c w
653 w
6a6 w
533 w
6e9 w
794 w
5d2 w
749 w
7cf w
617 w
57b w
5e9 w
5bf w
474 w
50c w
676 w
60a w
4c6 w
6a8 w
6bd w
6e8 w
467 w
783 w
7f2 w
4a8 w
629 w
53d w
535 w
477 w
7ef w
79d w
5ba w
739 w
77f w
659 w
6a5 w
618 w
544 w
506 w
72f w
5a9 w
64b w
64f w
40f w
5af w
804 w
433 w
763 w
5a8 w
4d3 w
555 w
55f w
462 w
56a w
658 w
4fc w
525 w
62c w
7a8 w
6ef w
6c2 w
50b w
701 w
4e4 w
584 w
58e w
6fd w
570 w
692 w
747 w
468 w
660 w
6fe w
503 w
802 w
7d5 w
44d w
767 w
697 w
682 w
476 w
73e w
5c8 w
43b w
6fb w
667 w
7d3 w
63b w
6df w
55a w
727 w
551 w
523 w
7ab w
45c w
7cd w
4b2 w
47f w
463 w
42d w
695 w
5ec w
79f w
5f6 w
7bd w
73a w
654 w
784 w
4da w
5f1 w
59f w
6c7 w
5a7 w
4f5 w
65a w
66e w
7fa w
545 w
603 w
4a0 w
6bc w
7e1 w
7ae w
78c w
48b w
595 w
7be w
461 w
649 w
76c w
49a w
526 w
714 w
5da w
765 w
513 w
619 w
425 w
475 w
6a7 w
5fa w
7a1 w
55e w
534 w
735 w
4f9 w
73c w
40a w
7a2 w
43d w
4d5 w
699 w
6de w
45f w
647 w
6bb w
716 w
5f3 w
490 w
431 w
471 w
489 w
5ea w
759 w
52c w
7e6 w
4d1 w
410 w
4b6 w
639 w
655 w
445 w
4e6 w
442 w
4fd w
694 w
6f6 w
53b w
6c1 w
7ac w
799 w
6e5 w
565 w
7da w
6a0 w
594 w
537 w
65d w
691 w
5ac w
498 w
7fb w
5e4 w
807 w
5b5 w
67e w
760 w
6ae w
473 w
651 w
505 w
71c w
558 w
4f2 w
572 w
7b8 w
719 w
7cc w
666 w
5d6 w
605 w
5e8 w
72b w
6c5 w
4d8 w
4c1 w
718 w
46d w
6ff w
582 w
424 w
740 w
5ce w
5df w
48c w
4bd w
42b w
6b4 w
448 w
754 w
615 w
40e w
801 w
7fe w
529 w
7d6 w
4e1 w
57d w
429 w
4c2 w
5ef w
704 w
4fe w
5e7 w
4d4 w
775 w
436 w
6c9 w
709 w
797 w
54a w
59b w
494 w
4e5 w
4b5 w
60c w
44a w
622 w
7f6 w
491 w
606 w
6af w
4f6 w
57f w
4ad w
6f4 w
5e1 w
579 w
693 w
726 w
52d w
632 w
7b6 w
65e w
69a w
707 w
504 w
58d w
776 w
600 w
77e w
76d w
5db w
403 r
402 r
