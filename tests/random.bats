#!/usr/bin/env bats
#
# Steps at random (testprogs/random_steps.c), of memory, signals, threads and processes: what each must do,
# the guest knows itself; and its output must be that of a native run. Loader, engine, end of lazy paging and
# libc take turns.
#
# From the environment:
#   SEED   the first of them, 1 if not said
#   SEEDS  how many, 34 if not said

load helpers

# use_way NUMBER: LOADERS, LOADER_OPTIONS and VARIANT, one of 17 * 4.
# shellcheck disable=SC2034,SC2153 # same_as_native reads LOADERS; VARIANTS is in helpers
use_way() {
	local engines way=$(($1 % 17))
	read -ra engines < <(engines_here)
	VARIANT=${VARIANTS[$1 / 17 % ${#VARIANTS[@]}]}
	if [ "$way" = 16 ]; then
		LOADERS=$ROOT/all_at_once_loader LOADER_OPTIONS=
		return
	fi
	LOADERS=$ROOT/on_demand_loader
	[ $((way / 8)) = 0 ] || LOADERS=$ROOT/hybrid_loader
	LOADER_OPTIONS="--engine=${engines[way / 2 % ${#engines[@]}]} --retire="
	[ $((way % 2)) = 0 ] && LOADER_OPTIONS+=auto || LOADER_OPTIONS+=never
}

@test "random steps, each with a model of what must come of it" {
	requires lazy
	trace_test_only
	local first=${SEED:-1} seed turn before failed=0
	for ((seed = first; seed < first + ${SEEDS:-34}; seed++)); do
		before=$failed failed=0
		for turn in 0 1; do
			use_way $((2 * seed + turn))
			same_as_native "$GUESTS/$VARIANT/random_steps" "$seed" || failed=1
			grep -q '^0 wrong' "$BATS_TEST_TMPDIR/native.out" && continue
			echo "the model is wrong about seed $seed:" && excerpt "$BATS_TEST_TMPDIR/native.out"
			failed=1
		done
		[ "$failed" = 0 ] || echo "again: SEED=$seed SEEDS=1 bats tests/random.bats"
		failed=$((failed | before))
	done
	return "$failed"
}

