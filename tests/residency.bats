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

# has_rss LOADER: of 9 MiB of .bss, what lies on the same page before and after it included.
has_rss() {
	local kb
	expect "exit 0" "$1" "$GUESTS/musl-static/memory_smaps" Rss || return
	kb=$(awk '{ print $2 }' "$BATS_TEST_TMPDIR/found.out")
	[ "$kb" -ge 9216 ] && [ "$kb" -le 9280 ]
}

@test "all at once: megabytes of .bss, in a mapping that looks as natively" {
	only_under all_at_once_loader each_loader has_rss
	only_under all_at_once_loader same_as_native "$GUESTS/musl-static/memory_smaps"
}
