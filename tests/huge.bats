#!/usr/bin/env bats
#
# Transparent huge pages: the kernel's three settings, as --huge and prctl give them to one program, and as
# the machine has them. The pages of the program's memory say which size they came in.

load helpers

PROGRAMS=$ROOT/build/bench

# stat NAME OPTION... PROGRAM: a member of what hybrid_loader says about a run.
stat_of() {
	local name=$1
	shift
	"$ROOT/hybrid_loader" --stats="$BATS_TEST_TMPDIR/stats" "$@" >"$BATS_TEST_TMPDIR/out" || return
	python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$BATS_TEST_TMPDIR/stats" "$name"
}

# Where no huge page can be had at all, by whatever setting, there is nothing to see.
requires_huge_pages() {
	[ -e /sys/kernel/mm/transparent_hugepage/enabled ] || skip "this kernel has no transparent huge pages"
	! grep -q '\[never\]' /sys/kernel/mm/transparent_hugepage/enabled || skip "transparent_hugepage is set to never"
}

@test "every pattern of touches gives the same under each setting" {
	for huge in auto always never; do
		for pattern in "sequential write" "reverse write" "random write" "every write 17" "stride write 3" \
			"streams write 2" "sparse write 1" "dense write" "sequential read" "moving write 256"; do
			# shellcheck disable=SC2086 # a pattern is several words
			LOADER_OPTIONS=--huge=$huge each_loader same_with_options "$PROGRAMS/touch-bss-16" $pattern
		done
	done
}

# same_with_options LOADER PROGRAM...
same_with_options() {
	local loader=$1
	shift
	"$@" >"$BATS_TEST_TMPDIR/native" 2>&1
	# shellcheck disable=SC2086 # several options
	"$loader" $LOADER_OPTIONS "$@" >"$BATS_TEST_TMPDIR/loaded" 2>&1
	cut_warning "$BATS_TEST_TMPDIR/loaded"
	cmp "$BATS_TEST_TMPDIR/native" "$BATS_TEST_TMPDIR/loaded"
}

@test "each engine, and threads, where huge pages always come" {
	for engine in $(engines_here); do
		for pattern in "sequential write" "reverse write" "random write" "every write 17" "sparse write 1"; do
			# shellcheck disable=SC2086 # a pattern is several words
			LOADER_OPTIONS="--huge=always --engine=$engine --verify" only_under hybrid_loader \
				each_loader same_with_options "$PROGRAMS/touch-bss-64" $pattern
		done
	done
	LOADER_OPTIONS=--huge=always only_under hybrid_loader,on_demand_loader \
		each_loader same_with_options "$PROGRAMS/arrays" stream 4
}

@test "a walk comes in blocks: a few signals for 64 MiB" {
	requires_huge_pages
	[ "$(stat_of faults --huge=always "$PROGRAMS/touch-bss-64" sequential write)" -lt 40 ]
	[ "$(stat_of faults --huge=always "$PROGRAMS/touch-bss-64" reverse write)" -lt 40 ]
	[ "$(stat_of huge_pages --huge=always "$PROGRAMS/touch-bss-64" sequential write)" = always ]
}

@test "memory that is touched here and there stays small where natively all of it comes" {
	requires lazy
	requires_huge_pages
	local touched=2620
	rss=$(stat_of peak_rss_kb --huge=always "$PROGRAMS/touch-bss-256" sparse write 1)
	echo "$rss KiB for $touched KiB that are touched"
	[ "$rss" -lt $((touched + 2048)) ]
	rss=$(stat_of peak_rss_kb --huge=always "$PROGRAMS/touch-bss-64" every write 17)
	echo "$rss KiB for 3856 KiB that are touched"
	[ "$rss" -lt 8192 ]
}

@test "a .bss below 16 MiB is the kernel's where huge pages always come, unless an engine is named" {
	[ "$(stat_of faults --huge=always "$ROOT/prog1")" = 0 ]
	requires lazy
	[ "$(stat_of faults --huge=never "$ROOT/prog1")" -gt 0 ]
	[ "$(stat_of faults --huge=always --engine=mprotect "$ROOT/prog1")" -gt 0 ]
}

@test "PR_SET_THP_DISABLE is the setting never" {
	python3 - "$ROOT/hybrid_loader" "$BATS_TEST_TMPDIR/stats" "$PROGRAMS/touch-bss-64" <<-'EOF'
		import ctypes, json, subprocess, sys

		loader, stats, program = sys.argv[1:]
		subprocess.run([loader, f"--stats={stats}", program, "sequential", "write"], check=True,
		               stdout=subprocess.DEVNULL, preexec_fn=lambda: ctypes.CDLL(None).prctl(41, 1, 0, 0, 0))
		assert json.load(open(stats))["huge_pages"] == "no"
	EOF
}

@test "the story says where huge pages always come" {
	local words="The kernel fills 2 MiB of zeros at a touch"
	run "$ROOT/hybrid_loader" --huge=always --explain "$ROOT/prog1"
	[[ $output = *"$words"* ]]
	run "$ROOT/hybrid_loader" --huge=never --explain "$ROOT/prog1"
	[[ $output != *"$words"* ]]
	run "$ROOT/all_at_once_loader" --huge=always --explain=json "$ROOT/prog1"
	[[ $output = *'"huge_pages": "always"'* ]]
}

@test "all of .bss stays one mapping, unmarked, when it is filled by parts of huge pages" {
	only_under all_at_once_loader in_all_variants memory_smaps
}

@test "--huge takes one of its words" {
	ran 125 "$ROOT/hybrid_loader" --huge=often "$ROOT/prog1"
	[[ $output = *"--huge=often"* ]]
	[ "${#lines[@]}" -eq 1 ]
}
