page-profile 1
program ./prog2
key file:6570-6b010b63.1183f346-340eae8dcfbd4d33
runs 7
400 1 r
401 2 r
403 1 r
404 1 r
405 1 w
7d5 63 w
f76 2 w
region 400 1 file
region 401 2 file
region 403 1 file
region 404 2 file
region 406 b72 bss
touches 107 exit
401 c
f77 w
f76 w
405 r
400 r
404 r
7d5 w
826 w
7f3 w
806 w
7fa w
7f7 w
7e5 w
800 w
822 w
82f w
81f w
82a w
824 w
7e8 w
7e4 w
80f w
818 w
816 w
7e2 w
820 w
819 w
80e w
801 w
809 w
827 w
829 w
82b w
813 w
7e6 w
812 w
7d8 w
7e3 w
7d7 w
7fd w
7df w
7ea w
80d w
7f6 w
7f4 w
7eb w
7f0 w
7e1 w
81b w
7f2 w
7ef w
80c w
81a w
817 w
7ed w
7f8 w
7e7 w
7dd w
7ff w
821 w
7f1 w
7ee w
802 w
807 w
7e0 w
82e w
80b w
82d w
810 w
7fe w
823 w
7d6 w
828 w
7dc w
808 w
836 w
803 w
7db w
804 w
805 w
7e9 w
7fc w
835 w
7d9 w
831 w
81e w
7f9 w
7ec w
7de w
80a w
81d w
814 w
811 w
833 w
82c w
7da w
815 w
7f5 w
81c w
825 w
832 w
7fb w
830 w
834 w
837 w
403 r
402 c
