#!/usr/bin/env bats
#
# What makes the three loaders different: which pages are present when the program starts.

load helpers

# has_present LOADER VARIANT LINE...: the guest's report has these lines.
has_present() {
	local loader=$1 variant=$2 line
	shift 2
	expect "exit 0" "$loader" "$GUESTS/bare/residency-$variant" || return
	for line in "$@" "contents intact: yes"; do
		if ! grep -qx "$line" "$BATS_TEST_TMPDIR/found.out"; then
			echo "expected '$line'"
			explain found "$loader" "$GUESTS/bare/residency-$variant"
			return 1
		fi
	done
}

@test "all at once: every page" {
	for variant in static pie; do
		only_under all_at_once_loader each_loader has_present "$variant" \
			"text 1 of 1" "rodata 16 of 16" "data 16 of 16" "bss 64 of 64"
	done
}

@test "on demand: the page of the entry point and no other" {
	for variant in static pie; do
		only_under on_demand_loader each_loader has_present "$variant" \
			"text 1 of 1" "rodata 0 of 16" "data 0 of 16" "bss 0 of 64"
	done
}

@test "hybrid: no page of .bss" {
	for variant in static pie; do
		only_under hybrid_loader each_loader has_present "$variant" "text 1 of 1" "bss 0 of 64"
	done
}
