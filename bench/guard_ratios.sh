#!/bin/sh
#
# guard_ratios.sh [ROUNDS]: what programs that make many system calls, signals, threads or processes
# cost under a loader: wall time beside the native run of the same round, in random order, medians of
# so many rounds (30). A missed target is no failure; a run that ended otherwise than the native one is.
#
# From the environment:
#   LOADER   one of the loaders, perhaps with options; by default ./hybrid_loader
#   COMPARE  by default build/musl-release/bench/compare

set -eu
cd "$(dirname "$0")/.."

rounds=${1:-30}
loader=${LOADER:-./hybrid_loader}
compare=${COMPARE:-build/musl-release/bench/compare}
for file in "${loader%% *}" "$compare"; do
	if [ ! -x "$file" ]; then
		echo "$0: $file is missing: make, and make $compare ${compare%/*}/launcher" >&2
		exit 125
	fi
done
samples=$(mktemp)
trap 'rm -f "$samples"' EXIT

# is_static PROGRAM: it is there, and names no interpreter in its first page.
is_static() {
	[ -x "$1" ] && ! head -c 4096 "$1" | LC_ALL=C grep -aq '/ld-'
}

# add LIMIT PROGRAM [ARG]...: a target, if the program is installed. Arguments have no spaces here.
add() {
	limit=$1
	shift
	program=$(command -v "$1") || program=
	if ! is_static "$program"; then
		echo "left out, not installed as a static program: $*" >&2
		return
	fi
	shift
	targets="${targets}wall:$limit:$loader:$program${*:+ $*}
"
}

targets=
add 1.15 busybox dd if=/dev/zero of=/dev/null bs=1 count=100000
add 1.3 busybox sh bench/scripts/pipeline.sh
add 1.3 bash-static bench/scripts/subshells.bash
add 1.1 build/guests/go/go_guest goroutines
PATH=$PATH:/usr/local/go/bin
add 1.1 go version

# A line each, until they become arguments of this script, the only list that sh has.
set --
while read -r target; do
	[ -z "$target" ] || set -- "$@" "--target=$target"
done <<END
$targets
END
if [ $# = 0 ]; then
	exit 125
fi
status=0
"$compare" --rounds="$rounds" --json="$samples" "$@" >/dev/null || status=$?

# One sample a line; the commands in order, each program natively before it is loaded. A round's
# samples have the same place in both.
printf '%s\n' "$targets" | LC_ALL=C awk -v samples="$samples" -v loader="$loader" -v rounds="$rounds" '
	function quoted(line) {
		sub(/^[^:]*: "?/, "", line)
		sub(/"?,$/, "", line)
		return line
	}
	function median(values, count,    i, j, value) {
		for (i = 2; i <= count; i++) {
			value = values[i]
			for (j = i - 1; j > 0 && values[j] > value; j--)
				values[j + 1] = values[j]
			values[j + 1] = value
		}
		return (values[int((count + 1) / 2)] + values[int(count / 2) + 1]) / 2
	}
	# limits of programs, in the order in which they were asked for
	NF {
		line = $0
		sub(/^wall:/, "", line)
		limit = line
		sub(/:.*/, "", limit)
		line = substr(line, length(limit) + length(loader) + 3)
		programs[++asked] = line
		limits[line] = limit
	}
	END {
		while ((getline line <samples) > 0) {
			if (line ~ /"program":/)
				program = quoted(line)
			else if (line ~ /"loader":/)
				way = quoted(line) == "null" ? "native" : "loaded"
			else if (line ~ /"for": "time"/) {
				match(line, /"wall_ns": [0-9]+/)
				n = ++counts[program, way]
				walls[program, way, n] = substr(line, RSTART + 11, RLENGTH - 11) / 1e6
				match(line, /"ended": "[^"]*"/)
				ends[program, way, n] = substr(line, RSTART, RLENGTH)
			}
		}
		printf "%-46s %10s %10s %7s %7s\n", "medians of " rounds " rounds, " loader, "native ms", \
			"loader ms", "ratio", "target"
		for (i = 1; i <= asked; i++)
			report(programs[i])
	}
	function report(program,    n, i, native, loaded, ratios, ratio, verdict, label) {
		n = counts[program, "native"]
		if (!n || n != counts[program, "loaded"]) {
			printf "%-46s not measured\n", substr(program, 1, 46)
			return
		}
		for (i = 1; i <= n; i++) {
			native[i] = walls[program, "native", i]
			loaded[i] = walls[program, "loaded", i]
			ratios[i] = loaded[i] / native[i]
			if (ends[program, "native", i] != ends[program, "loaded", i])
				verdict = "ended differently"
		}
		ratio = median(ratios, n)
		if (verdict == "")
			verdict = ratio <= limits[program] ? "reached" : "missed"
		label = program
		sub(/^[^ ]*\//, "", label)
		printf "%-46s %10.2f %10.2f %6.3fx %6.2fx  %s\n", substr(label, 1, 46), \
			median(native, n), median(loaded, n), ratio, limits[program], verdict
	}'
exit "$status"
