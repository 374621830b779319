#!/usr/bin/env bats
# The other ways to build the loaders, and where they are installed.

load helpers

# with_flavour FLAVOUR: compares under the loaders of build/FLAVOUR from here on.
with_flavour() {
	LOADERS=
	for loader in all_at_once_loader on_demand_loader hybrid_loader; do
		LOADERS="$LOADERS $ROOT/build/$1/loader/$loader"
	done
}

run_programs() {
	for program in ./prog1 ./prog2 ./prog3 ./prog4; do
		ENDED_BY='*' same_as_native "$program"
	done
	for variant in "${VARIANTS[@]}"; do
		for guest in hello lifecycle thread_local program_break; do
			same_as_native "$GUESTS/$variant/$guest" a 'b c'
		done
	done
}

@test "linked with glibc (LIBC=glibc)" {
	with_flavour glibc-release
	run_programs
	LOADERS=$ROOT/build/glibc-release/loader/all_at_once_loader
	same_as_native "$GUESTS/musl-static/maps"
}

@test "compiled with clang (LIBC=glibc CC=clang)" {
	with_flavour glibc-release-clang
	run_programs
	for guest in thread_many process_fork signal_threads memory_protect; do
		same_as_native "$GUESTS/glibc-pie/$guest"
	done
}

@test "MODE=debug: a step that states.def does not have traps" {
	with_flavour musl-debug
	run_programs
	for guest in thread_many thread_fork thread_leave_futex thread_leave_fault thread_leave_open thread_exit_race \
		thread_cancel_storm process_fork process_exec process_exec_thread process_vfork signal_threads; do
		[ -x "$GUESTS/musl-static/$guest" ]
		same_as_native "$GUESTS/musl-static/$guest"
		# There its sleep begins anew (docs/quirks.md).
		[ "$guest" != thread_leave_futex ] || continue
		LOADER_OPTIONS=--retire=never only_under on_demand_loader,hybrid_loader same_as_native "$GUESTS/musl-static/$guest"
	done
}

@test "MODE=asan: undefined behaviour traps" {
	with_flavour musl-asan
	run_programs
}

@test "make install honours PREFIX and DESTDIR" {
	env -u MAKEFLAGS -u MAKELEVEL make -C "$ROOT" install DESTDIR="$BATS_TEST_TMPDIR" PREFIX=/opt
	for loader in all_at_once_loader on_demand_loader hybrid_loader; do
		ran 0 "$BATS_TEST_TMPDIR/opt/bin/$loader" ./prog1
		[ "$output" = hello! ]
	done
}
