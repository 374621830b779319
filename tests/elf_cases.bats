#!/usr/bin/env bats
#
# What is a program? execve says so: more than six hundred small ELF files, each with one thing wrong or
# odd, run natively and under the loaders. tests/tools/elf_cases.py makes them.

load helpers

# Where the loaders are stricter than the kernel, with the reason.
STRICTER=(
	# A program of 32 bits, which a kernel with IA32_EMULATION runs.
	i386
	# Nothing to load: natively these start in an empty address space, and die of SIGSEGV there.
	no_load ld.no_load ld.e_phoff=0x0 only_null e_phoff=0x0 e_phoff=0x1 e_phoff=0x3f e_phoff=0x41 e_phoff=0x400
)

# Where they are more lenient: an alignment that no address has, of a static PIE. Since Linux 6.10 the
# kernel wants such a program at address 0, where only root gets it; before, it passed over that.
LENIENT=(
	dyn.base=0x0.p_align=0x800000000000 dyn.base=0x0.p_align=0x8000000000000000
	dyn.base=0x10000.p_align=0x800000000000 dyn.base=0x10000.p_align=0x8000000000000000
)

# The address space that all may have: segments of terabytes fail alike, whatever the machine
# promises in the hope that nobody comes for it.
limit_address_space() {
	ulimit -S -v $((16 << 20))
}

setup_file() {
	[ "$(uname -m)" = x86_64 ] && command -v python3 >/dev/null || return 0
	limit_address_space
	mkdir "$BATS_FILE_TMPDIR/cases"
	python3 "$ROOT/tests/tools/elf_cases.py" "$BATS_FILE_TMPDIR/cases"
}

setup() {
	requires python3 x86_code
	limit_address_space
	cd "$BATS_FILE_TMPDIR/cases" || return
	cases=(*.status)
	cases=("${cases[@]%.status}")
}

# line_of FILE: sets line to its first line; without a process, for there are thousands of files.
line_of() {
	line=
	read -r line <"$1" || true
}

# is_among CASE NAME...
is_among() {
	[[ " ${*:2} " == *" $1 "* ]]
}

# refused LOADER CASE NATIVE: 126, or 127 where a file is missing; nothing on stdout, and one line.
refused() {
	local lines status=126
	[ "$3" != "refused ENOENT" ] || status=127
	line_of "$BATS_TEST_TMPDIR/found.status"
	mapfile -t lines <"$BATS_TEST_TMPDIR/found.err"
	[ "$line" = "exit $status" ] && [ ! -s "$BATS_TEST_TMPDIR/found.out" ] &&
		[ "${#lines[@]}" -eq 1 ] && [[ ${lines[0]} == "${1##*/}: ./$2: "?* ]]
}

# ended_as_native CASE STATUS: ended so, wrote the same to stdout, and nothing to stderr.
ended_as_native() {
	line_of "$BATS_TEST_TMPDIR/found.status"
	[ "$line" = "$2" ] && [ ! -s "$BATS_TEST_TMPDIR/found.err" ] &&
		cmp -s "$1.out" "$BATS_TEST_TMPDIR/found.out"
}

# ran_well: as the good program does, wherever it was.
ran_well() {
	line_of "$BATS_TEST_TMPDIR/found.status"
	[ "$line" = "exit 42" ] && [ ! -s "$BATS_TEST_TMPDIR/found.err" ] || return
	line_of "$BATS_TEST_TMPDIR/found.out"
	[ "$line" = ok ]
}

# same_as_execve LOADER CASE [OPTION]...: what execve refuses, a loader refuses; where it kills, a
# loader may do either; what it starts runs alike.
same_as_execve() {
	local native line
	record found "$1" "${@:3}" "./$2"
	line_of "$2.status"
	native=$line
	case $native in
	refused*)
		refused "$1" "$2" "$native" && return ;;
	killed*)
		{ refused "$1" "$2" "$native" || ended_as_native "$2" "signal ${native#killed }"; } && return ;;
	*)
		ended_as_native "$2" "$native" && return
		is_among "$2" "${STRICTER[@]}" && refused "$1" "$2" "$native" && return ;;
	esac
	is_among "$2" "${LENIENT[@]}" && ran_well && return
	echo "$2: natively: $native, $(wc -c <"$2.out") bytes"
	explain found "$1" "${@:3}" "./$2"
	return 1
}

# all_cases_under NAME [OPTION]...: every case, with the loader of that name and these options.
all_cases_under() {
	local loader name options failed=0
	read -ra options <<<"$LOADER_OPTIONS"
	for loader in $LOADERS; do
		[ "${loader##*/}" = "$1" ] || continue
		for name in "${cases[@]}"; do
			same_as_execve "$loader" "$name" "${options[@]}" "${@:2}" || failed=$((failed + 1))
		done
	done
	echo "$failed of ${#cases[@]} cases differ"
	[ "$failed" -eq 0 ]
}

# The native endings that begin so.
count_of() {
	cat ./*.status | grep -c "^$1"
}

@test "the cases are many, and of every kind" {
	[ "${#cases[@]}" -ge 500 ]
	[ "$(count_of 'exit 42')" -ge 100 ]
	[ "$(count_of 'refused ENOEXEC')" -ge 50 ]
	[ "$(count_of 'killed 11')" -ge 50 ]
	[ "$(count_of 'signal 11')" -ge 50 ]
}

@test "the good program says what it should" {
	for name in baseline dyn.baseline; do
		line_of "$name.status"
		[ "$line" = "exit 42" ]
		[ "$(head -n 1 "$name.out")" = ok ]
	done
}

@test "the exceptions are cases" {
	for name in "${STRICTER[@]}" "${LENIENT[@]}"; do
		echo "$name"
		[ -e "$name.status" ]
	done
}

@test "all_at_once_loader" { all_cases_under all_at_once_loader; }
@test "on_demand_loader" { all_cases_under on_demand_loader; }
@test "hybrid_loader" { all_cases_under hybrid_loader; }
@test "on_demand_loader --engine=mprotect" { all_cases_under on_demand_loader --engine=mprotect; }
@test "hybrid_loader --engine=mprotect" { all_cases_under hybrid_loader --engine=mprotect; }
