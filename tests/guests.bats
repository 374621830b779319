#!/usr/bin/env bats
#
# What libc and compiler build on what the loader sets up, with two libcs, at fixed addresses and as
# static PIE.

load helpers

@test "an empty program" { in_all_variants empty; }

@test "exit statuses 0, 1, 42 and 255" {
	for number in 0 1 42 255; do
		in_all_variants exit_status "$number"
	done
}

@test "thread-local variables" { in_all_variants thread_local; }
@test "constructors, destructors and atexit handlers" { in_all_variants lifecycle; }
@test "setjmp and longjmp, also out of a signal handler" { in_all_variants jumps; }
@test "floating point state and rounding" { in_all_variants floating_point; }
@test "C++ exceptions and static objects" { in_all_variants cpp_features; }
@test "a C++ exception that nobody catches" { by_signal in_all_variants cpp_features uncaught; }
@test "malloc and free, small and large" { in_all_variants heap; }

@test "6 MB of recursion" {
	requires stack
	in_all_variants deep_stack
}

@test "1 GiB of .bss touched at its ends" {
	requires two_gigabytes
	in_all_variants huge_bss
}

@test "a vDSO that works" { in_all_variants vdso; }
