#!/usr/bin/env bash
#
# mutants.sh [--check] [PATTERN]: do the tests notice a fault? Each line of tests/mutants.list is one: it is
# put into a copy of the tree, the loaders are built, and what should notice it is run. Survivors are
# listed, and the status is 1 if one has no reason in the list. PATTERN: only those whose line has it.
# --check only looks whether each fault can still be put where it belongs.
#
# From the environment:
#   JOBS  how many copies at a time, by default as many as there are processors
#   LIGHT files of tests, those of make check (make mutants LIGHT=1). Each fault that the list says is noticed is tried with
#         the tests of these that name the guest, or with those of the same title; for seeds, with tests/random.bats, and
#         then with the guests of signals, threads and processes. Prints a table, and what make check misses.
#
# A line of the list, its fields separated by " | ":
#   FILE | SED EXPRESSION, which must change exactly one line | WHAT NOTICES
# WHAT NOTICES is "guest NAME [ARG]...": it is compared with a native run, with each lazy loader and
# engine, lazy paging never ending by itself; "seeds": steps at random; "unit": the unit tests; "bats FILE
# PATTERN": those tests; or "survives: REASON".

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 125
root=$PWD
list=$root/tests/mutants.list
only_check=no
[ "${1-}" != --check ] || { only_check=yes && shift; }
pattern=${1-}

# fields LINE: FILE, EXPRESSION, NOTICES.
fields() {
	FILE=${1%% | *} NOTICES=${1##* | }
	EXPRESSION=${1#* | }
	EXPRESSION=${EXPRESSION% | *}
}

# mutate TREE MUTANT: writes FILE of the tree, with the fault; fails unless that changes one line.
mutate() {
	sed -E -e "$EXPRESSION" "$1/$FILE" >"$2" &&
		[ "$(diff "$1/$FILE" "$2" | grep -c '^>')" = 1 ] && [ "$(diff "$1/$FILE" "$2" | grep -c '^<')" = 1 ]
}

lines() {
	local ways=.
	[ -z "${LIGHT-}" ] || ways=' | \(guest\|seeds\|unit\|bats\)[^|]*$'
	grep -v '^#' "$list" | grep -F -- "$pattern" | grep -- "$ways"
}

# table RESULT: what make check notices, in Markdown, a row for each way in which the list says that a fault is noticed.
table() {
	local way
	echo "| in the list | faults | noticed by \`make check\` |"
	echo "|---|---:|---:|"
	for way in guest seeds unit bats ''; do
		echo "| ${way:-all} | $(grep -c " | ${way}[^|]*\$" "$1") | $(grep -c "^noticed: .* | ${way}[^|]*\$" "$1") |"
	done
	echo
	sed -n 's/^missed: //p' "$1"
}

check() {
	local line failed=0 mutant
	mutant=$(mktemp)
	while IFS= read -r line; do
		fields "$line"
		mutate "$root" "$mutant" && continue
		echo "mutants: does not change one line: $line"
		failed=1
	done < <(lines)
	rm -f "$mutant"
	return "$failed"
}

# same_output OPTIONS... GUEST: as natively.
same_output() {
	timeout -s KILL 20 "$@" </dev/null >"$tree/out" 2>&1
	echo "status $?" >>"$tree/out"
	cmp -s "$tree/out" "$tree/native"
}

notices_guest() {
	local program=$tree/build/guests/musl-static/$1 loader engine
	shift
	(cd "$tree" && timeout -s KILL 20 "$program" "$@" </dev/null >"$tree/native" 2>&1
		echo "status $?" >>"$tree/native")
	if [ "$(tail -n 1 "$tree/native")" = "status 137" ]; then
		echo "mutants: the native run of $program $* had to be killed: it notices nothing" >&2
		return 1
	fi
	for loader in on_demand_loader hybrid_loader; do
		for engine in guard mprotect userfaultfd mmap; do
			(cd "$tree" && same_output "./$loader" "--engine=$engine" --retire=never "$program" "$@") 2>/dev/null || return 0
		done
		(cd "$tree" && same_output "./$loader" "$program" "$@") 2>/dev/null || return 0
	done
	return 1
}

notices_seeds() {
	local seed
	for ((seed = 1; seed <= 30; seed++)); do
		! notices_guest random_steps "$seed" || return 0
	done
	return 1
}

# light ARGUMENT...: whether a test of make check notices, of those that the arguments of run.py choose. A guest that hangs
# is killed soon.
light() {
	local status=0
	(cd "$tree" && REPORT_STATUS_TIMEOUT=6 timeout 300 tests/run.py --jobs=1 --light "$@") >"$tree/light.log" 2>&1 || status=$?
	[ "$status" != 125 ] || cat "$tree/light.log" >&2
	grep -q '^not ok' "$tree/light.log"
}

# notices_light: whether make check notices what $NOTICES says is noticed.
notices_light() {
	local words guest name
	read -ra words <<<"$NOTICES"
	case $NOTICES in
	'guest '*)
		guest=${words[1]} name=${words[1]#*_}
		# Else in a loop over guests, which are named there without their first word.
		# shellcheck disable=SC2086 # LIGHT is a list
		light --only="\\b${guest}\\b" $LIGHT || light --only="\\b${name}\\b[^\0]*\"${guest%%_*}_\\\$" $LIGHT
		;;
	seeds)
		light tests/random.bats || light --only='_(mask|info|pending|flags|child|fork|threads|calls|cancel|clone)\b' \
			tests/{signals,threads,processes}.bats
		;;
	unit) notices ;;
	'bats '*) [[ " $LIGHT " == *" tests/${words[1]}.bats "* ]] && light --only="${NOTICES#bats * }" "tests/${words[1]}.bats" ;;
	esac
}

# notices: whether what should notice does; in $tree, which is built.
notices() {
	case $NOTICES in
	'guest '*) read -ra words <<<"${NOTICES#guest }" && notices_guest "${words[@]}" ;;
	seeds) notices_seeds ;;
	unit) ! make -s -C "$tree" unit >/dev/null 2>&1 ;;
	'bats '*)
		read -r _ file name <<<"$NOTICES"
		! (cd "$tree" && timeout 300 bats -f "$name" "tests/$file.bats") >/dev/null 2>&1
		;;
	esac
}

# build: the loaders, in $tree.
build() {
	make -s -C "$tree" all >"$tree/build.log" 2>&1
}

# try: the fault of the line that `fields` has read, in $tree.
try() {
	local reason=
	cp -p "$tree/$FILE" "$tree/original"
	case $NOTICES in survives:*) reason=${NOTICES#survives: } && NOTICES=seeds ;; esac
	mutate "$tree" "$tree/mutant" && cp "$tree/mutant" "$tree/$FILE"
	if ! build; then
		echo "error: does not build: $1"
	elif [ -n "${LIGHT-}" ]; then
		notices_light && echo "noticed: $1" || echo "missed: $1"
	elif notices; then
		echo "noticed${reason:+, though the list says not}: $1"
	else
		echo "survives${reason:+ as the list says}: $1"
	fi
	cp "$tree/original" "$tree/$FILE"
}

# try_all NUMBER: every JOBSth of the lines, in a copy of its own.
try_all() {
	local line number=0
	tree=$work/$1
	mkdir "$tree" && tar -c --exclude=./.git --exclude='./build/*/unit' --exclude=./build/fuzz \
		--exclude=./build/go-cache . | tar -x -C "$tree"
	if ! build; then
		echo "error: the tree does not build without a fault: $tree"
		return
	fi
	while IFS= read -r line; do
		number=$((number + 1))
		[ $((number % JOBS)) = "$1" ] || continue
		fields "$line"
		try "$line"
	done < <(lines)
}

check || exit 1
[ $only_check = no ] || exit 0
: "${JOBS:=$(nproc)}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for ((i = 0; i < JOBS; i++)); do
	try_all "$i" &
done | tee "$work/result"
wait
if [ -n "${LIGHT-}" ]; then
	table "$work/result"
	exit
fi
echo "mutants: $(grep -c '^noticed' "$work/result") of $(wc -l <"$work/result") noticed, $(grep -c '^survives' "$work/result") survive"
! grep -Eq '^(survives|error):|though the list says not' "$work/result"
