#!/bin/sh
#
# count.sh <LOG: the tests of a log in one line, "N passed, N failed[, N skipped]". Counted are
# cmocka's summaries and lines of TAP: "ok ...", "ok ... # skip ...", "not ok ...".

set -u

# cmocka: "[  PASSED  ] 3 test(s).", "[  FAILED  ] 1 test(s), listed below:". It may come right
# after another line, when two streams share the log, and in color.
sed 's/\x1b\[[0-9;]*m//g' | awk '
	match($0, /\[  PASSED  \] [0-9]+ test\(s\)/) { passed += number($0) }
	match($0, /\[  SKIPPED \] [0-9]+ test\(s\)/) { skipped += number($0) }
	match($0, /\[  FAILED  \] [0-9]+ test\(s\)/) { failed += number($0) }
	/^ok .*# [Ss][Kk][Ii][Pp]/ { skipped++; next }
	/^ok / { passed++ }
	/^not ok / { failed++ }
	function number(line) {
		return substr(line, RSTART + 13) + 0
	}
	END {
		printf "%d passed, %d failed", passed, failed
		if (skipped > 0)
			printf ", %d skipped", skipped
		print ""
	}'
