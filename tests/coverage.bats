#!/usr/bin/env bats
# make coverage: loaders that count what they reach run a guest as natively, and the report says what that was.

load helpers

# The loaders of MODE=coverage, built here: those in build/ may be counting for somebody.
# shellcheck disable=SC2034 # helpers.bash reads LOADERS
setup() {
	[ "$(gcc -dumpversion | cut -d . -f 1)" -ge 12 ] || skip "gcc before 12 writes other files of counters"
	BUILD=$BATS_TEST_TMPDIR/build
	fresh_make -C "$ROOT" MODE=coverage B="$BUILD" flavour
	LOADERS="$BUILD/loader/all_at_once_loader $BUILD/loader/on_demand_loader $BUILD/loader/hybrid_loader"
}

report() {
	run python3 "$ROOT/tests/coverage/report.py" "$BUILD" "$@"
}

# reached PATH: how many lines of that file, or of the files in that folder, as the report has it.
reached() {
	awk -v path="$1" 'index($1, path) == 1 && $3 == "of" { lines += $2 } END { print lines + 0 }' <<<"$output"
}

@test "lines are counted on both sides of the jump, and where a program is killed; the guests notice nothing" {
	report
	[ "$status" = 125 ]
	[[ $output == *"make coverage writes it"* ]]
	report --empty
	[ "$status" = 0 ]
	report
	[ "$status" = 0 ]
	[ "$(reached loader/)" = 0 ]
	for guest in hello thread_many process_fork; do
		same_as_native "$GUESTS/musl-static/$guest"
	done
	report
	[ "$(reached loader/loader_run.c)" -gt 0 ]
	[ "$(reached loader/resident/pager/pages.c)" -gt 0 ]
	[ "$(reached loader/watch/explain_text.c)" = 0 ]
	grep -q '^loader/watch/explain_text.c:[0-9]*: ' <<<"$output"
	before=$(reached loader/resident/signals/)
	LOADER_OPTIONS=--retire=never by_signal only_under on_demand_loader same_as_native ./prog4
	report
	[ "$(reached loader/resident/signals/)" -gt "$before" ]
	# Most lines were reached by none of these programs, and have no reason.
	report --check
	[ "$status" = 1 ]
	[[ $output == *"lines that nothing reached have no reason"* ]]
}
