#!/usr/bin/env bats
#
# The exercises of docs/course/8-prediction.md.
#
# Runs without huge pages: what it expects is what becomes of a small .bss whose pages are hidden.

load ../helpers

REPLAY=$ROOT/build/musl-release/bench/replay

setup() {
	cd "$ROOT" || return 1
	STEPS=$BATS_TEST_TMPDIR/steps
}

build_steps() {
	gcc -I. -o "$STEPS" tests/course/steps.c loader/predict/*.c loader/cli/policies.c common/{error,similar}.c common/arch/*/page_bytes.c
}

# sums POLICY TOUCH...: touches, faults and wasted pages, three numbers.
sums() {
	"$STEPS" "$@" | tail -1 | grep -o '[0-9]*' | paste -sd' '
}

# statistic NAME LOADER OPTION... PROGRAM [ARG]...
statistic() {
	local name=$1 loader=$2
	shift 2
	"$loader" --stats="$BATS_TEST_TMPDIR/stats" "$@" >"$BATS_TEST_TMPDIR/out"
	python3 -c 'import json,sys; print(json.load(open(sys.argv[2]))[sys.argv[1]])' \
		"$name" "$BATS_TEST_TMPDIR/stats"
}

# data_faults POLICY: those of prog1 but for its code, which the loader hides on arm64.
data_faults() {
	./hybrid_loader --policy="$1" --trace="$BATS_TEST_TMPDIR/trace" ./prog1 >"$BATS_TEST_TMPDIR/out"
	awk -F'\t' '$4 == "fault" && $8 != "execute"' "$BATS_TEST_TMPDIR/trace" | wc -l
}

@test "exercise 8.1: the faults of prog1 with next-N" {
	requires lazy
	local pages n expected found failed=0
	# Each touched page is a fault of `none`; all but two are the walk.
	pages=$(($(data_faults none) - 2))
	[ "$pages" -ge 970 ]
	[ "$pages" -le 990 ]
	for n in 1 7 8 15 100; do
		expected=$((2 + (pages + n) / (n + 1)))
		found=$(data_faults "next-$n")
		echo "next-$n: $found faults, expected $expected"
		[ "$found" = "$expected" ] || failed=1
	done
	return "$failed"
}

@test "exercise 8.2: counter on walks that it does not understand" {
	local k failed=0 scattered=() evens
	build_steps
	[ "$(sums counter 300-100)" = "201 201 0" ]
	mapfile -t evens < <(seq 100 2 300)
	[ "$(sums counter "${evens[@]}")" = "101 101 0" ]
	for k in 0 1 2 3 10; do
		mapfile -t scattered < <(seq 5000 50 $((5000 + 50 * k - 1)))
		# The walk is at 1000, its k+2nd touch at 1000 + k + 1.
		"$STEPS" counter "${scattered[@]}" 1000-1100 >"$BATS_TEST_TMPDIR/out"
		grep -m 1 ' to ' "$BATS_TEST_TMPDIR/out" | grep -q "^  $((1000 + k + 1)): " || {
			echo "k is $k:"
			cat "$BATS_TEST_TMPDIR/out"
			failed=1
		}
	done
	return "$failed"
}

@test "exercise 8.3: what adaptive wastes when a walk ends" {
	local length wasted worst=0
	build_steps
	[ "$(sums adaptive 100-101)" = "2 2 7" ]
	for length in 1 2 3 9 10 11 25 26 57 58 121 122 300 700 1000 1500 2000 2500 3000 3999; do
		wasted=$(sums adaptive "100-$((99 + length))" | cut -d' ' -f3)
		echo "a walk of $length pages: $wasted wasted"
		[ "$wasted" -le $((63 + length / 32)) ]
		[ "$wasted" -le "$worst" ] || worst=$wasted
	done
	# The bound is not far from the truth.
	[ "$worst" -ge 60 ]
}

# write_recording TOUCHED: 64 blocks of 8 pages, the first TOUCHED pages of each written.
write_recording() {
	local block page
	printf 'page-profile 1\nprogram none\nkey none\nruns 0\nregion 1000 200 bss\n'
	echo "touches $((64 * $1)) exit"
	for ((block = 0; block < 64; block++)); do
		for ((page = 0; page < $1; page++)); do
			printf '%x w\n' $((0x1000 + 8 * block + page))
		done
	done
}

@test "exercise 8.4: from 69 percent on populating is faster than revealing" {
	for touched in 1 2 3 4 5 6 7 8; do
		write_recording "$touched" >"$BATS_TEST_TMPDIR/recording"
		"$REPLAY" --json="$BATS_TEST_TMPDIR/json" --policy=next-7 --policy=block,pages=8 \
			"$BATS_TEST_TMPDIR/recording"
		python3 - "$BATS_TEST_TMPDIR/json" "$touched" <<-'PYTHON'
			import json, sys
			populate, reveal = json.load(open(sys.argv[1]))["recordings"][0]["policies"]
			touched = int(sys.argv[2])
			assert populate["faults"] == reveal["faults"] == 64
			assert populate["wasted_pages"] == 64 * (8 - touched) and reveal["wasted_pages"] == 0
			faster = populate["modelled_us"] < reveal["modelled_us"]
			assert faster == (touched / 8 > 0.98 / 1.43) == (touched >= 6)
		PYTHON
	done
}

@test "exercise 8.5: a profile of another input" {
	requires lazy
	local touch=$BATS_TEST_TMPDIR/touch profile=$BATS_TEST_TMPDIR/profile few many
	musl-gcc -static -DMIB=1 -DAREA_BSS -o "$touch" bench/programs/touch.c
	./hybrid_loader --record="$profile" "$touch" sequential write
	# Too much: 256 pages, of which few are needed.
	few=$(statistic resident_pages ./hybrid_loader "$touch" sparse write 1)
	many=$(statistic resident_pages ./hybrid_loader --profile="$profile" "$touch" sparse write 1)
	echo "resident pages: $few without the profile, $many with it"
	[ "$((many - few))" -gt 150 ]
	"$touch" sparse write 1 | diff - "$BATS_TEST_TMPDIR/out"
	# Too little: the program does not notice.
	./hybrid_loader --record="$profile" "$touch" sparse write 1
	LOADER_OPTIONS=--profile=$profile same_as_native "$touch" sequential write
	[ "$(statistic faults ./hybrid_loader --profile="$profile" "$touch" sequential write)" = 0 ]
}
