#!/usr/bin/env bats
#
# Programs whose headers were changed at random: whole loaders beside the kernel. `make check-all` takes
# some, `make check-long` as many as MUTATIONS says.

load helpers

@test "programs with changed headers" {
	requires python3
	seeded
	local count=${MUTATIONS:-200}
	expect_warning
	export EXPECTED_WARNING
	LOADERS=$LOADERS LOADER_OPTIONS='' ran any "$ROOT/tests/mutations.py" --seed "$SEED" --count "$count"
	[ "$status" != 125 ] || skip "$output"
	[ "$status" = 0 ]
	grep -Eq "^mutations: $count cases of seed $SEED: .* 0 different" <<<"$output"
	# Random programs tell something only if many of them run, and many are refused.
	read -r same refused < <(sed -nE 's/.* ([0-9]+) same, ([0-9]+) refused.*/\1 \2/p' <<<"$output")
	[ "$same" -ge $((count / 2)) ] && [ "$refused" -ge $((count / 20)) ]
}
