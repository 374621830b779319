#!/usr/bin/env bats
#
# docs/CONTRIBUTING.md: its recipes can be followed, and what comes of them works. In a copy of the tree,
# built once, with the new test, option, policy and engine, and without the line of futex_waitv, which the tree has.
#
# Runs without huge pages: what it expects is what becomes of a small .bss whose pages are hidden.
#

load helpers

CALLS=loader/resident/calls/system_calls.def

setup_file() {
	TREE=$BATS_FILE_TMPDIR/tree
	copy_tree
	cp "$TREE/testprogs/thread_local.c" "$TREE/testprogs/a_new_guest.c"
	echo '@test "a new test" { in_all_variants a_new_guest; }' >>"$TREE/tests/guests.bats"
	apply option
	apply policy
	apply engine
	sed -i '/^NUMBERED(449, futex_waitv/d' "$TREE/$CALLS"
	build
}

setup() {
	TREE=$BATS_FILE_TMPDIR/tree
	export LOADERS="$TREE/on_demand_loader $TREE/hybrid_loader"
	TRACE=$BATS_TEST_TMPDIR/trace
}

# With what make has built of it, so that little has to be compiled again.
copy_tree() {
	local name
	mkdir -p "$TREE/build"
	for name in "$ROOT"/* "$ROOT"/.[a-z]*; do
		[ "$name" = "$ROOT/build" ] || [ "$name" = "$ROOT/.git" ] || cp -a "$name" "$TREE"
	done
	for name in include libelf_libc "$(flavour)"; do
		[ ! -e "$ROOT/build/$name" ] || cp -a "$ROOT/build/$name" "$TREE/build"
	done
}

# What a plain make builds here: musl-release or glibc-release.
flavour() {
	echo "$(grep -xE 'musl|glibc' "$ROOT/build/libelf_libc")-release"
}

# block_of RECIPE: the block of code below its heading.
block_of() {
	awk -v heading="## Add a $1" -v other="## Add an $1" '
		/^## / { here = $0 == heading || $0 == other }
		/^```$/ { inside = 0 }
		inside { print }
		/^```(diff|c)$/ { inside = here }' "$ROOT/docs/CONTRIBUTING.md"
}

# apply RECIPE: no line may have moved away from the ones around it.
apply() {
	block_of "$1" >"$TREE/build/diff"
	[ -s "$TREE/build/diff" ] || { echo "there is no diff: $1"; return 1; }
	patch --batch --silent -p1 --fuzz=0 --no-backup-if-mismatch -d "$TREE" <"$TREE/build/diff"
}

build() {
	env -u MAKEFLAGS -u MAKELEVEL make -s -j2 -C "$TREE" on_demand_loader hybrid_loader \
		"build/$(flavour)/unit/test_predict" WERROR=1 3>&- 4>&-
}

# statistic NAME LOADER OPTION... PROGRAM
statistic() {
	local name=$1
	shift
	"$1" --stats="$BATS_TEST_TMPDIR/stats" "${@:2}" >/dev/null &&
		sed -n "s/.*\"$name\": *\([0-9]*\).*/\1/p" "$BATS_TEST_TMPDIR/stats"
}

# events LOADER: kinds of the events of call_futex, and the names of its calls.
events() {
	"$1" --retire=never --trace="$TRACE" "$GUESTS/musl-static/call_futex" >/dev/null && cut -f 4,8 "$TRACE"
}

@test "the new option: the program begins in that folder, and a folder that is not there is said" {
	for loader in $LOADERS; do
		[ "$("$loader" --chdir=/usr pwd)" = "$(env -C /usr pwd)" ]
		expect "exit 125" "$loader" --chdir=/none pwd
		is_one_line "${loader##*/}: pwd: --chdir=/none: " "name a folder"
		"$loader" --help | awk 'length > 79 { exit 1 }'
		"$loader" --help | grep -q -e '--chdir='
	done
}

@test "the new test: its guest is built in four ways, and is the same under each loader" {
	local variants=(build/guests/{musl,glibc}-{static,pie}/a_new_guest build/guests/tools/compare_runs)
	fresh_make -C "$TREE" "${variants[@]}"
	ends 0 bats "$TREE/tests/guests.bats" -f "a new test"
	grep -q '^ok 1 a new test' "$BATS_TEST_TMPDIR/out"
}

@test "lint finds the entries of the new option, policy and engine in the man page, and misses one" {
	(sh "$TREE/tests/lint.sh" || :) | grep '^ok lint: the man page has each option, policy and engine'
	sed -i.kept '/^\.It @--chdir@/d' "$TREE/docs/man/loader.1.in"
	run sh "$TREE/tests/lint.sh"
	mv "$TREE/docs/man/loader.1.in.kept" "$TREE/docs/man/loader.1.in"
	[[ $output == *"# docs/man/loader.1.in: option chdir is missing"* ]]
}

@test "the new policy: the program is the same, and each touch brings twice as many pages" {
	with_options --policy=doubling
	in_all_variants prog1
	page_by_page=$(statistic faults "$TREE/hybrid_loader" --policy=none "$ROOT/prog1")
	doubling=$(statistic faults "$TREE/hybrid_loader" --policy=doubling "$ROOT/prog1")
	echo "$page_by_page faults, with doubling $doubling"
	[ "$page_by_page" -ge 970 ]
	[ "$doubling" -ge 16 ]
	[ "$doubling" -le 32 ]
	"$TREE/hybrid_loader" --explain --policy=doubling "$ROOT/prog1" 2>&1 | grep -q "twice as many as at the touch before"
}

@test "the new policy: its unit test runs" {
	ran 0 "$TREE/build/$(flavour)/unit/test_predict"
	[[ $output == *"OK ] doubling_stops_at_its_parameter"* ]]
}

@test "the new engine: programs are the same, and each page that was hidden raised a signal" {
	[ "$(statistic faults "$TREE/on_demand_loader" --engine=memfd "$ROOT/prog1")" -ge 970 ]
	grep -q '"engine": *"memfd"' "$BATS_TEST_TMPDIR/stats"
	with_options --engine=memfd --verify
	for guest in prog1 call_vectors process_fork thread_same_pages signal_registers; do
		in_all_variants "$guest"
	done
}

@test "the new system call: without it lazy paging ends there, with it the call is made for the program" {
	[[ $(events "$ROOT/on_demand_loader") == *futex_waitv* ]] || skip "no futex_waitv here (Linux 5.16)"
	[ "$(grep -cw retire "$TRACE")" = 0 ]
	[[ $(events "$TREE/on_demand_loader") != *futex_waitv* ]]
	[ "$(grep -cw retire "$TRACE")" = 1 ]
}

@test "the new system call: put in again, it is what the tree has" {
	block_of "system call" | grep '^NUMBERED(449' >"$BATS_TEST_TMPDIR/line"
	sed -i "/^NUMBERED(448/r $BATS_TEST_TMPDIR/line" "$TREE/$CALLS"
	cmp "$ROOT/$CALLS" "$TREE/$CALLS"
}

# leads WORD FILE...: its first comment has the word that somebody may look for.
leads() {
	local word=$1 file
	shift
	for file in "$@"; do
		sed '/\*\//q' "$ROOT/$file" | grep -q "$word" || { echo "$file does not begin with $word"; return 1; }
	done
}

@test "words that are searched for are in the first comment of the file that is about them" {
	leads PT_LOAD common/load_plan.h common/segment_mapper.h
	leads auxv common/process_stack.h loader/watch/explain_stack.h
	leads SIGSEGV loader/resident/arch/fault.h loader/resident/pager/pager.h
	grep -q "add a policy" "$ROOT/loader/predict/predict.h"
	grep -q "add an option" "$ROOT/loader/cli/options.def"
	grep -q "add an engine" "$ROOT/loader/resident/pager/engine.h"
	for word in "an option" "a policy" "an engine" "a system call"; do
		grep -q "^## Add $word$" "$ROOT/docs/CONTRIBUTING.md"
	done
}

@test "every floor that lint knows is explained, from the lowest one up" {
	awk -F ' *[|] *' '/^\| [0-9]+ \|/ { wrong += $2 != floors++ || $3 !~ /^`/ || $4 == "" } END { exit wrong || floors < 2 }' \
		"$ROOT/docs/CONTRIBUTING.md"
}
