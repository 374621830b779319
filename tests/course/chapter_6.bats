#!/usr/bin/env bats
#
# The exercises of docs/course/6-faults.md: hidden pages, and the handler that brings them.
#
# Runs without huge pages: what it expects is what becomes of a small .bss whose pages are hidden.

load ../helpers

PROGRAMS=$ROOT/tests/course

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# served LOADER OPTION... PROGRAM: how many faults the pager served.
served() {
	"$1" --stats=stats.json "${@:2}" >out || return
	sed -n 's/.*"faults": \([0-9]*\),/\1/p' stats.json
}

@test "exercise 6.1: a handler on the hidden stack itself is never called" {
	gcc -static -o handler_stack "$PROGRAMS/handler_stack.c"
	for loader in "" $LOADERS; do
		# shellcheck disable=SC2086 # no loader is no word
		expect "signal 11" $loader ./handler_stack same
		[ "$(found out)" = "handler on the same stack" ]
		# shellcheck disable=SC2086
		expect "exit 0" $loader ./handler_stack alternate
		found out | grep -x "8 faults served"
	done
}

@test "exercise 6.2: a marker drops what was on the page, and a revealed page is the program's" {
	musl-gcc -static -o marker "$PROGRAMS/marker.c"
	musl-gcc -static -o own_page "$PROGRAMS/own_page.c"
	# Guard markers are of Linux 6.13.
	[ -z "$(engines_of guard)" ] || [ "$(./marker | tail -n 1)" = "hidden and revealed again: 0" ]
	requires lazy
	for engine in $(engines_here); do
		with_options "--engine=$engine" --verify
		only_under on_demand_loader,hybrid_loader same_as_native ./own_page
	done
	grep -x "one made PROT_NONE and touched: 1 signal, SEGV_ACCERR" native.out
	grep -x "what was written before is there: yes" native.out
}

@test "exercise 6.3: faults of prog1 by policy are what its array says" {
	requires lazy
	read -r start length _ <<<"$(nm -S "$ROOT/prog1" | grep ' first$')"
	first=$((0x$start / 4096)) last=$(((0x$start + 0x$length - 1) / 4096))
	pages=$((last - first + 1)) blocks=$((last / 64 - first / 64 + 1))
	hybrid=$(served "$ROOT/hybrid_loader" --policy=none "$ROOT/prog1")
	on_demand=$(served "$ROOT/on_demand_loader" --policy=none "$ROOT/prog1")
	next=$(served "$ROOT/hybrid_loader" --policy=next-1 "$ROOT/prog1")
	next_four=$(served "$ROOT/hybrid_loader" --policy=next-4 "$ROOT/prog1")
	block=$(served "$ROOT/hybrid_loader" --policy=block "$ROOT/prog1")
	echo "$pages pages in $blocks blocks: $hybrid, $next, $next_four, $block; on demand $on_demand"
	# Beside the array at most two pages of libc's variables.
	[ $((hybrid - pages)) -ge 0 ]
	[ $((hybrid - pages)) -le 2 ]
	[ "$next" -ge $((pages / 2)) ]
	[ "$next" -le $((pages / 2 + 3)) ]
	[ "$next_four" -ge $((pages / 5)) ]
	[ "$next_four" -le $((pages / 5 + 4)) ]
	[ "$block" -ge "$blocks" ]
	[ "$block" -le $((blocks + 2)) ]
	# on_demand_loader adds the file's pages, but for the entry's and those that a system call
	# has brought.
	[ "$on_demand" -gt "$hybrid" ] && [ "$on_demand" -le $((hybrid + 6)) ]
}

@test "exercise 6.4: a page is brought in once, whoever touches it" {
	for engine in $(engines_here); do
		faults=$(served "$ROOT/on_demand_loader" "--engine=$engine" --retire=never \
			"$GUESTS/musl-static/thread_same_pages")
		pages=$(sed -n 's/.*"program_pages": \([0-9]*\),/\1/p' stats.json)
		echo "$engine: $faults faults, $pages pages"
		grep -x "lost 0" out
		[ "$faults" -ge 256 ]
		[ "$faults" -le "$pages" ]
	done
}

@test "exercise 6.5: pages that are read and then written fault twice" {
	gcc -static -o read_then_write "$PROGRAMS/read_then_write.c"
	ran any ./read_then_write
	[[ $output =~ ^([0-9]+)\ faults\ to\ read,\ ([0-9]+)\ to\ write ]]
	to_read=${BASH_REMATCH[1]} to_write=${BASH_REMATCH[2]}
	[ "$to_read" -ge 1024 ]
	[ "$to_read" -le 1100 ]
	[ "$to_write" -ge 1024 ] && [ "$to_write" -le 1100 ]
}
