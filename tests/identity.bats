#!/usr/bin/env bats
#
# What the kernel knows about a process and tells it, and others, in /proc.

load helpers

@test "comm, cmdline and environ" {
	under env -i A=b "C=d e" EMPTY=
	in_all_variants proc_identity
	in_all_variants proc_identity "" "a b" ""
	under env -i
	in_all_variants proc_identity
}

@test "comm, cmdline and environ without privileges" {
	under env -i A=b
	drop_privileges
	in_all_variants proc_identity one
}

# Below mmap_min_addr the kernel accepts no address for /proc/self/stat; the rest is set all the same.
@test "linked below 64 KiB: comm, cmdline, environ, exe and the break" {
	local address guest low=$BATS_TEST_TMPDIR/low
	requires root
	for address in 0x1000 0x8000 0xf000; do
		for guest in proc_identity proc_exe program_break; do
			musl-gcc -static -no-pie -O1 -Wl,-Ttext-segment=$address -o "$low" "$ROOT/testprogs/$guest.c"
			setarch -R "$low" >/dev/null || skip "this kernel runs no program at $address"
			under
			same_as_native "$low" one
			[ $guest = program_break ] || under setarch -R
			same_as_native "$low" one
		done
	done
}

@test "a long name is cut to 15 bytes in comm" {
	name=$BATS_TEST_TMPDIR/a_name_that_is_longer_than_comm_holds
	cp "$GUESTS/musl-static/proc_identity" "$name"
	same_as_native "$name"
}

@test "a symbolic link: comm is the name of the link" {
	ln -s "$GUESTS/musl-static/proc_identity" "$BATS_TEST_TMPDIR/link"
	same_as_native "$BATS_TEST_TMPDIR/link"
}

@test "/proc/self/exe of a symbolic link is the file" {
	requires root
	ln -s "$GUESTS/musl-static/proc_exe" "$BATS_TEST_TMPDIR/link"
	same_as_native "$BATS_TEST_TMPDIR/link"
}

@test "/proc/self/exe" {
	requires root
	in_all_variants proc_exe
}

@test "/proc/self/stat: code, data, break, stack, argument and environment areas" {
	under env -i A=b
	in_all_variants memory_areas
	in_all_variants memory_areas one "" three
}

@test "/proc/self/stat without privileges" {
	under env -i A=b
	drop_privileges
	in_all_variants memory_areas
}

@test "the program break: place, growing, shrinking" { in_all_variants program_break; }

@test "the program break is random, and is not with ASLR off" {
	requires aslr setarch
	for loader in $LOADERS; do
		for variant in musl-static musl-pie; do
			distinct=$(for _ in 1 2 3 4; do
				"$loader" "$GUESTS/$variant/break_address"
			done | sort -u | wc -l)
			echo "$loader, $variant: $distinct addresses in 4 runs"
			[ "$distinct" -ge 3 ]
			distinct=$(for _ in 1 2 3; do
				setarch -R "$loader" "$GUESTS/$variant/break_address"
			done | sort -u | wc -l)
			echo "$loader, $variant, ASLR off: $distinct addresses in 3 runs"
			[ "$distinct" -eq 1 ]
		done
	done
}

@test "open descriptors" {
	in_all_variants descriptors
	in_all_variants proc_descriptors
}

@test "open descriptors, with others than the first three" {
	exec 20</dev/null 21>/dev/null
	in_all_variants descriptors
	in_all_variants proc_descriptors
	exec 20<&- 21>&-
	under sh -c 'exec "$@" <&-' sh
	in_all_variants descriptors
}

@test "signal dispositions and mask" {
	in_all_variants signal_dispositions
	# Once more without SIGSEGV, by which the lazy loaders learn of a page's first use.
	in_all_variants signal_dispositions 11
}

@test "ignored and blocked signals stay ignored and blocked" {
	under env --ignore-signal=USR1,PIPE,HUP --block-signal=USR2,TERM
	in_all_variants signal_dispositions
	in_all_variants signal_dispositions 11
	# All signals, those included that a handler of the loaders needs.
	under env --ignore-signal --block-signal
	in_all_variants signal_dispositions
}

@test "signal lines of /proc/self/status" {
	requires own_executable
	in_all_variants signal_status
	under env --ignore-signal=USR1,PIPE,HUP --block-signal=USR2,TERM
	in_all_variants signal_status
}

@test "no alternate signal stack" { in_all_variants signal_stack; }
@test "personality, limits, umask, threads" { in_all_variants process_attributes; }
@test "no robust list and no rseq area left behind" { in_all_variants thread_registrations; }

@test "a program of 100 GiB where /proc/self/exe cannot be changed" {
	cp "$GUESTS/musl-static/hello" "$BATS_TEST_TMPDIR/large"
	truncate -s 100G "$BATS_TEST_TMPDIR/large" || skip "no sparse file of 100 GiB here"
	under "$GUESTS/tools/confine"
	same_as_native "$BATS_TEST_TMPDIR/large"
}
