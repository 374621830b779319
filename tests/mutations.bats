#!/usr/bin/env bats
#
# Programs whose headers were changed at random: whole loaders beside the kernel.

load helpers

@test "2000 programs with changed headers" {
	requires python3
	LOADERS=$LOADERS LOADER_OPTIONS='' run "$ROOT/tests/mutations.py" --seed 1 --count 2000
	echo "$output"
	[ "$status" != 125 ] || skip "$output"
	[ "$status" = 0 ]
	grep -Eq '^mutations: 2000 cases of seed 1: .* 0 different' <<<"$output"
	# Random programs tell something only if many of them run, and many are refused.
	grep -Eq ': [0-9]{4} same, [0-9]{3} refused' <<<"$output"
}
