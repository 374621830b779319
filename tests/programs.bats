#!/usr/bin/env bats
#
# prog1 to prog4, as a reader of the README types them.

load helpers

setup() {
	cd "$ROOT" || return
}

@test "prog1: 12 MB of .bss, one array written in order" { same_as_native ./prog1; }
@test "prog2: random writes" { same_as_native ./prog2; }
@test "prog3: one array written in order" { same_as_native ./prog3; }

@test "prog4: dies of SIGSEGV after hello!" {
	by_signal same_as_native ./prog4
	[ "$(cat "$BATS_TEST_TMPDIR/native.status")" = "signal 11" ]
}

@test "prog1 to prog4 in all variants" {
	in_all_variants prog1
	in_all_variants prog2
	in_all_variants prog3
	by_signal in_all_variants prog4
}

@test "the loader named by a relative path" {
	for loader in $LOADERS; do
		cd "${loader%/*}" || return
		expect "exit 0" "./${loader##*/}" "$ROOT/prog1"
		[ "$(found out)" = "hello!" ]
		[ -z "$(found err)" ]
	done
}

@test "prog1 with stdout closed, and with all three closed" {
	under sh -c 'exec "$@" >&-' sh
	same_as_native ./prog1
	under sh -c 'exec "$@" <&- >&- 2>&-' sh
	same_as_native ./prog1
}
