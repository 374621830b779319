#!/usr/bin/env bats
#
# A loader is a static program: it can be loaded too.

load helpers

# runs_or_refuses OUTER INNER PROGRAM: prints hello!, or is refused in one clear sentence.
runs_or_refuses() {
	record found "$@"
	# The second loader may say it, too.
	cut_warning "$BATS_TEST_TMPDIR/found.err"
	case $(found status) in
	"exit 0")
		[ "$(found out)" = "hello!" ] && [ -z "$(found err)" ] && return ;;
	"exit 125" | "exit 126")
		[ ! -s "$BATS_TEST_TMPDIR/found.out" ] &&
			[ "$(wc -l <"$BATS_TEST_TMPDIR/found.err")" = 1 ] &&
			[[ $(found err) == *_loader:\ *:\ * ]] && return ;;
	esac
	explain found "$@"
	return 1
}

@test "each loader loads each loader, or says why not" {
	for inner in $LOADERS; do
		each_loader runs_or_refuses "$inner" "$ROOT/prog1"
	done
}

@test "all_at_once_loader loads each loader, as if natively" {
	# all_at_once_loader says nothing, and the other loader says it natively, too.
	# shellcheck disable=SC2034 # expect_warning's
	local EXPECTED_WARNING=
	for inner in $LOADERS; do
		only_under all_at_once_loader same_as_native "$inner" "$ROOT/prog1"
		only_under all_at_once_loader same_as_native "$inner" "$GUESTS/glibc-pie/lifecycle"
		by_signal only_under all_at_once_loader same_as_native "$inner" "$ROOT/prog4"
	done
}

@test "a lazy loader that is itself paged in without a guard says so" {
	for inner in $LOADERS; do
		[ "${inner##*/}" != all_at_once_loader ] || continue
		expect "exit 125" "$ROOT/on_demand_loader" --guard=none "$inner" "$ROOT/prog1"
		is_one_line "${inner##*/}: " "itself being paged in by a loader; start it directly or under all_at_once_loader$"
	done
}
