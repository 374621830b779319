#!/bin/sh
#
# fault_parts.sh LOADER PROGRAM: what one fault of a loader costs, a page at a time, against the bare
# sum of its parts: signal delivery and return, one madvise or mprotect, the kernel's own fault.
# PROGRAM is bench/fault_parts; parts and wholes are measured in turn, medians of 9 rounds.

set -eu

[ $# -eq 2 ] || {
	echo "$0: usage: $0 LOADER PROGRAM; make ratios calls it so" >&2
	exit 125
}
loader=$1
program=$2

echo "One fault of $loader, one page at a time, against the sum of its parts (target 1.30x):"
for round in 1 2 3 4 5 6 7 8 9; do
	"$program" parts
	for engine in guard mprotect mmap userfaultfd; do
		"$loader" "--engine=$engine" --policy=none "$program" 2>/dev/null |
			sed "s/^touch/engine_$engine/" || echo "$engine missing in round $round" >&2
	done
done | sort -k1,1 -k2,2n | awk '
	{ value[$1, ++count[$1]] = $2 }
	function median(name) {
		return value[name, int((count[name] + 1) / 2)]
	}
	function line(engine, change,    sum) {
		if (!count["engine_" engine])
			return
		sum = median("signal") + median(change) + median("fault")
		printf "  %-12s %6d ns   signal %d + %s %d + fault %d = %d ns   %.2fx\n", engine,
			median("engine_" engine), median("signal"), change, median(change), median("fault"),
			sum, median("engine_" engine) / sum
	}
	END {
		line("guard", "madvise")
		line("mprotect", "mprotect")
		printf "  %-12s %6d ns\n", "mmap", median("engine_mmap")
		printf "  %-12s %6d ns\n", "userfaultfd", median("engine_userfaultfd")
		printf "  %-12s %6d ns   natively\n", "", median("fault")
	}'
