#!/usr/bin/env bats
#
# What is a program? execve decides: some seven hundred small ELF files, each with one thing wrong or odd
# (tests/tools/elf_cases.py), without a loader and under the loaders.

load helpers

setup() {
	requires python3
}

# cases_under LOADER [OPTION]: every case under the loader of that name, if it is to be tested.
cases_under() {
	local loader option options=()
	expect_warning
	export EXPECTED_WARNING
	for option in $LOADER_OPTIONS "${@:2}"; do options+=("--option=$option"); done
	for loader in $LOADERS; do
		[ "${loader##*/}" != "$1" ] || python3 "$ROOT/tests/tools/elf_cases.py" "${options[@]}" "$loader"
	done
}

@test "the cases are many, and of every kind" {
	python3 "$ROOT/tests/tools/elf_cases.py" --count >"$BATS_TEST_TMPDIR/counts"
	cat "$BATS_TEST_TMPDIR/counts"
	while read -r least ending; do
		awk -v ending="$ending" -v least="$least" '{ count = $1; $1 = "" } $0 == " " ending && count >= least { found = 1 }
			END { exit !found }' "$BATS_TEST_TMPDIR/counts"
	done <<-END
		100 exit 42
		50 refused ENOEXEC
		50 killed 11
		50 signal 11
	END
}

@test "all_at_once_loader" { cases_under all_at_once_loader; }
@test "on_demand_loader" { cases_under on_demand_loader; }
@test "hybrid_loader" { cases_under hybrid_loader; }
@test "on_demand_loader --engine=mprotect" { cases_under on_demand_loader --engine=mprotect; }
@test "hybrid_loader --engine=mprotect" { cases_under hybrid_loader --engine=mprotect; }
