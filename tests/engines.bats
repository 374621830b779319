#!/usr/bin/env bats
# Kernels that lack something, or sandboxes that deny it: the same results by other means.

load helpers

DENY=$ROOT/build/guests/tools/deny

@test "without guard markers pages are hidden with mprotect, and --verbose says so" {
	for loader in on_demand_loader hybrid_loader; do
		run "$DENY" madvise=102:EINVAL -- "$ROOT/$loader" -v ./prog1
		echo "$output"
		[ "$status" -eq 0 ]
		[[ $output == *"hiding pages with mprotect"* && $output == *hello!* ]]
	done
}

@test "prog1 to prog4 and guests run without guard markers as with them" {
	under "$DENY" madvise=102:EINVAL --
	for program in ./prog1 ./prog2 ./prog3 ./prog4; do
		same_as_native "$program"
	done
	for variant in "${VARIANTS[@]}"; do
		for guest in hello thread_local lifecycle jumps write_text write_rodata execute_data; do
			same_as_native "$GUESTS/$variant/$guest" a 'b c'
		done
	done
	for guest in "$GUESTS"/bare/bss_tail-*; do
		same_as_native "$guest"
	done
}

@test "more scattered pages than vm.max_map_count has room for, without guard markers" {
	for loader in on_demand_loader hybrid_loader; do
		run "$DENY" madvise=102:EINVAL -- "$ROOT/$loader" --policy=none --stats=/dev/null \
			"$GUESTS/musl-static/every_second_page"
		echo "$output"
		[ "$status" -eq 0 ]
		[ "$output" = "every second page of 1 GiB" ]
	done
}

@test "without MADV_POPULATE_* all pages are resident all the same" {
	under "$DENY" madvise=22:EINVAL madvise=23:EINVAL --
	for program in ./prog1 ./prog3 "$GUESTS/glibc-static/hello"; do
		same_as_native "$program"
	done
	"$DENY" madvise=22:EINVAL madvise=23:EINVAL -- "$ROOT/all_at_once_loader" \
		"--stats=$BATS_TEST_TMPDIR/s.json" ./prog1
	grep '"program_pages": 2936' "$BATS_TEST_TMPDIR/s.json"
	grep '"resident_pages": 2936' "$BATS_TEST_TMPDIR/s.json"
}

@test "without PR_SET_MM_MAP programs run, and --verbose says what is missing" {
	under "$DENY" prctl=35:EPERM --
	for program in ./prog1 ./prog4 "$GUESTS/glibc-static/hello" "$GUESTS/musl-pie/hello"; do
		same_as_native "$program"
	done
	run "$DENY" prctl=35:EPERM -- "$ROOT/hybrid_loader" -v ./prog1
	[[ $output == *"PR_SET_MM_MAP"* && $output == *hello!* ]]
}

@test "without faccessat2 (Linux before 5.8) permissions are still looked at" {
	cp ./prog1 "$BATS_TEST_TMPDIR/no"
	chmod 644 "$BATS_TEST_TMPDIR/no"
	for loader in $LOADERS; do
		run "$DENY" faccessat2:ENOSYS -- "$loader" ./prog1
		[ "$status" -eq 0 ]
		run "$DENY" faccessat2:ENOSYS -- "$loader" "$BATS_TEST_TMPDIR/no"
		[ "$status" -eq 126 ]
	done
}
