#!/usr/bin/env bats
#
# Arguments and environment, from none to as many as the kernel takes.

load helpers

@test "no environment, no arguments" {
	under env -i
	in_all_variants hello
}

@test "one variable" {
	under env -i ONE=1
	in_all_variants hello
}

@test "empty arguments, spaces, newlines, bytes that are not ASCII" {
	under env -i "WITH SPACE=a b" EMPTY=
	in_all_variants hello "" "a b" "" $'two\nlines' $'\xc3\xa4\xff' "-v" ""
}

@test "5000 variables" {
	mapfile -t variables < <(seq -f 'VARIABLE_%g=%g' 5000)
	under env -i "${variables[@]}"
	in_all_variants hello one two
}

@test "5000 arguments" {
	mapfile -t arguments < <(seq 5000)
	under env -i
	in_all_variants hello "${arguments[@]}"
}

@test "a variable and an argument of 100 KB each" {
	requires stack
	long=$(head -c 102400 /dev/zero | tr '\0' x)
	under env -i "LONG=$long"
	in_all_variants hello "$long" after
}

@test "1.5 MB of arguments" {
	requires stack
	long=$(head -c 102400 /dev/zero | tr '\0' y)
	under env -i
	same_as_native "$GUESTS/musl-static/hello" "$long"{1..15}
	same_as_native "$GUESTS/glibc-pie/stack_layout" "$long"{1..15}
}

@test "a program found in PATH keeps its argv[0] as typed" {
	for variant in "${VARIANTS[@]}"; do
		under env -i "PATH=/nonexistent:$GUESTS/$variant:/usr/bin"
		same_as_native hello "an argument"
		same_as_native auxv
		same_as_native stack_layout
	done
}

@test "a program in the working directory, with and without a directory" {
	cd "$GUESTS/musl-pie" || return
	under env -i PATH=
	same_as_native ./hello
	same_as_native ../musl-pie/hello
	same_as_native ./auxv
}

@test "words after the program are the program's, even when they look like options" {
	under env -i
	in_all_variants hello -v --help --stats -- --plan
}

@test "what comes in on stdin reaches the program" {
	seq 1 9000 >"$BATS_TEST_TMPDIR/input"
	read_from "$BATS_TEST_TMPDIR/input"
	# read(2) into .bss that has not been touched
	in_all_variants reads_input
}

@test "a program from standard input" {
	cd "$ROOT"
	for loader in $LOADERS; do
		[ "$(dd if=prog1 bs=1000 2>/dev/null | "$loader" -)" = hello! ]
		[ "$("$loader" --argv0=busybox - echo a b <"$(command -v busybox)")" = "a b" ]
		ran 126 "$loader" - </dev/null
		[[ $output == *"-: is not an ELF file: name $A_PROGRAM" ]]
		# Not closed by bats itself: the pipe that it reads from would take its place.
		ran 125 bash -c '"$0" - <&-' "$loader"
		[[ $output == *"standard input is closed: redirect it, as in LOADER - <PROGRAM" ]]
		ran 125 "$loader" - <.
		[[ $output == *"standard input cannot be read: Is a directory; name a file instead" ]]
	done
}

@test "a program from standard input, when files in memory may not be had" {
	cd "$ROOT"
	for loader in $LOADERS; do
		ran 125 "$GUESTS/tools/deny" memfd_create:EPERM -- "$loader" - <prog1
		[[ $output == *"no memory for a program from standard input"* ]]
		# Where there is such a setting (Linux 6.3), each PID namespace has its own.
		if unshare --pid --fork true 2>/dev/null && [ -e /proc/sys/vm/memfd_noexec ]; then
			ran 126 unshare --pid --fork --mount-proc sh -c 'echo 2 >/proc/sys/vm/memfd_noexec && exec "$0" - <"$1"' \
				"$loader" "$ROOT/prog1"
			[[ $output == *"vm.memfd_noexec forbids that for a file in memory; name a file instead" ]]
		fi
	done
}
