# shellcheck shell=bash
#
# What the .bats files share. Every guest is its own oracle: it runs natively and under each loader,
# and stdout, stderr and the way it ended must be the same.
#
# From the environment:
#   LOADERS         absolute paths of the loaders to test; by default the three in the repository's root
#   LOADER_OPTIONS  options to give them in every comparison, such as --policy=none
#   LIGHT           not empty: as make check wants it. Nothing is repeated, guests are linked in two ways instead of four,
#                   and with a named engine lazy paging never ends. A program that a test requires has to be there.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Before 1.4, bats has no folder for a file's tests and none for each test. It reads a file once for
# setup_file, and again for each test, in children of that process. A bats that a test starts inherits the test's.
if [[ ${BATS_FILE_TMPDIR-} != "$BATS_RUN_TMPDIR"/* ]]; then
	export BATS_FILE_TMPDIR=$BATS_RUN_TMPDIR/file-$$
	mkdir "$BATS_FILE_TMPDIR"
elif [[ ${BATS_TEST_TMPDIR-} != "$BATS_RUN_TMPDIR"/* ]]; then
	export BATS_TEST_TMPDIR=$BATS_RUN_TMPDIR/test-$$
	mkdir "$BATS_TEST_TMPDIR"
fi

# The words of LOADERS and of some commands here are separated by blanks.
case $ROOT in *[[:space:]]*)
	ln -sfn "$ROOT" "$BATS_RUN_TMPDIR/root"
	ROOT=$BATS_RUN_TMPDIR/root
	;;
esac

# Seconds after which a run is taken to hang (tests/tools/run_command.h).
# shellcheck disable=SC2034 # tests use it
HANGS=${REPORT_STATUS_TIMEOUT:-300}

GUESTS=$ROOT/build/guests
# A reader of the course may run an exercise's test before anything else.
[ -x "$GUESTS/tools/compare_runs" ] || [ -z "${BATS_TEST_NAME-in bats 1.2}" ] ||
	echo "# the programs of the tests are missing: make guests builds them, in two minutes" >&3
VARIANTS=(musl-static musl-pie glibc-static glibc-pie)
[ -z "${LIGHT-}" ] || VARIANTS=(musl-static glibc-pie)
LOADERS=${LOADERS:-$ROOT/all_at_once_loader $ROOT/on_demand_loader $ROOT/hybrid_loader}
LOADER_OPTIONS=${LOADER_OPTIONS:-}

# The flags of the clone by which a loader changes /proc/self/exe (loader/resident/launch.c), for `deny`.
# shellcheck disable=SC2034 # tests use it
NAMESPACE_CHILD=0x10004d00

UNDER=()
INPUT=/dev/null
# How native runs are to end: exit or signal.
ENDED_BY='exit'

# The loaders' words for this processor.
# shellcheck disable=SC2034 # tests use them
case $(uname -m) in
x86_64) MACHINE=x86-64 A_PROGRAM="an x86-64 program" ;;
aarch64) MACHINE=arm64 A_PROGRAM="an arm64 program" ;;
*) MACHINE=$(uname -m) A_PROGRAM="a $(uname -m) program" ;;
esac

# The stack limit decides where recursion ends and where the kernel places mappings.
ulimit -S -s 8192 2>/dev/null || true
umask 022

# under COMMAND [ARG]...: guests and loaders alike are run by it: under env -i A=b, under setarch -R.
under() {
	UNDER=("$@")
}

# read_from FILE: FILE is the standard input of guests and loaders.
read_from() {
	INPUT=$1
}

# with_options OPTION...: LOADER_OPTIONS from here on.
with_options() {
	LOADER_OPTIONS=$*
}

# requires WORD...: skips the test, with the reason, where something is missing.
requires() {
	local word
	for word in "$@"; do
		case $word in
		lazy)
			[ -n "$(engines_here)" ] || skip "system calls cannot be intercepted here, and the kernel pages" ;;
		dispatch)
			has_dispatch || skip "system calls are not intercepted by Syscall User Dispatch here" ;;
		root)
			[ "$(id -u)" = 0 ] || skip "needs root" ;;
		learner)
			[ "$(stat -Lc %i /proc/self/ns/pid)" = 4026531836 ] ||
				skip "--profile=auto learns in the first PID namespace only" ;;
		frames)
			has_frames || skip "the kernel tells the numbers of frames to those with CAP_SYS_ADMIN" ;;
		two_gigabytes)
			[ "$(memory_here)" -ge 2097152 ] || skip "needs 2 GiB of available memory" ;;
		one_gigabyte)
			[ "$(memory_here)" -ge 1048576 ] || skip "needs 1 GiB of available memory" ;;
		addresses)
			[ "$(ulimit -v)" = unlimited ] || skip "needs more addresses than ulimit -v allows" ;;
		stack)
			[ "$(ulimit -s)" = unlimited ] || [ "$(ulimit -s)" -ge 8192 ] || skip "needs a stack of 8 MiB" ;;
		descriptors)
			[ "$(ulimit -Hn)" = unlimited ] || [ "$(ulimit -Hn)" -gt 256 ] ||
				skip "a userfaultfd has a number here that the program may use" ;;
		aslr)
			[ "$(cat /proc/sys/kernel/randomize_va_space)" = 2 ] ||
				skip "address space randomization is switched off" ;;
		setarch)
			setarch -R true 2>/dev/null || skip "setarch -R is not permitted here" ;;
		user_namespaces)
			unshare -rm true 2>/dev/null || skip "no user namespaces here" ;;
		new_ld | zig | llvm-bolt)
			[ -x "$ROOT/build/linkers/${word#new_}" ] || skip "share/order/fetch_linkers.sh has not been run here" ;;
		lld | gold)
			gcc -x c -fuse-ld="$word" -o "$BATS_TEST_TMPDIR/linked" - <<<'int main(void) { return 0; }' 2>/dev/null ||
				skip "$word is not installed" ;;
		userfaultfd)
			[ -n "$(engines_of userfaultfd)" ] || skip "userfaultfd is denied here" ;;
		own_executable)
			has_own_executable ||
				skip "/proc/self/exe cannot be changed here, and system calls stay intercepted" ;;
		solution)
			[ -d "$ROOT/docs/lab/solution" ] || skip "this copy of the repository has no docs/lab/solution" ;;
		terminals)
			python3 -c 'import pty; pty.openpty()' 2>/dev/null || skip "no pseudo terminals here" ;;
		exec_check)
			"$GUESTS/tools/exec_only" / -- true 2>/dev/null ||
				skip "needs Landlock and AT_EXECVE_CHECK (Linux 6.14)" ;;
		secure_bits)
			"$GUESTS/tools/exec_only" bits=0x100 / -- true 2>/dev/null ||
				skip "SECBIT_EXEC_RESTRICT_FILE needs CAP_SETPCAP and Linux 6.14" ;;
		binfmt_misc)
			unshare --user --map-root-user --mount sh -c \
				'mount -t binfmt_misc none "$0" && test -w "$0/register"' /proc/sys/fs/binfmt_misc 2>/dev/null ||
				skip "no binfmt_misc in a user namespace here (Linux 6.7)" ;;
		huge_pages)
			grep -q '\[always\]\|\[madvise\]' /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null ||
				skip "no transparent huge pages here"
			has_huge_pages 14 touch || skip "the kernel has no 32 MiB in huge pages now" ;;
		ptrace)
			can_trace || skip "no process may be traced here" ;;
		huge_collapse)
			[ "$(printf '6.1\n%s\n' "$(uname -r)" | sort -V | head -1)" = 6.1 ] ||
				skip "MADV_COLLAPSE is of Linux 6.1"
			has_huge_pages touch 25 || skip "the kernel makes no 32 MiB of huge pages now" ;;
		nowait)
			echo >"$BATS_TEST_TMPDIR/written"
			python3 -c 'import os, sys; os.preadv(os.open(sys.argv[1], os.O_RDONLY), [bytearray(1)], 0, os.RWF_NOWAIT)' \
				"$BATS_TEST_TMPDIR/written" 2>/dev/null || skip "this file system has no read that may not wait" ;;
		dev_full)
			[ -c /dev/full ] || skip "no /dev/full" ;;
		matplotlib)
			{ python3 -c 'import matplotlib' || /usr/bin/python3 -c 'import matplotlib'; } 2>/dev/null ||
				skip "matplotlib is not installed" ;;
		go_guests)
			[ -x "$GUESTS/go/go_hello" ] || skip "no Go compiler when the guests were built" ;;
		g++ | gcc | go | cargo | python3 | perl | git | node | java | sqlite3 | curl | busybox | bash-static | zsh-static | setpriv | prlimit | gdb | strace | perf | \
			valgrind | qemu-x86_64 | chromium | xz | nice | timeout | taskset | time | env | stdbuf | nohup | setsid)
			type -P "$word" >/dev/null || missing "$word is not installed" ;;
		proot)
			type -P proot >/dev/null || apt-cache show proot >/dev/null 2>&1 || skip "there is no package of proot for this processor"
			type -P proot >/dev/null || missing "proot is not installed" ;;
		static_rust)
			requires cargo
			# Debian 11's, 1.48, links dynamically whatever it is told.
			rustc -C target-feature=+crt-static -o "$BATS_TEST_TMPDIR/static_rust" - <<<'fn main() {}'
			! has_interpreter "$BATS_TEST_TMPDIR/static_rust" ||
				skip "$(rustc --version) links dynamically in spite of +crt-static" ;;
		static_busybox)
			requires busybox
			! has_interpreter "$(command -v busybox)" || skip "busybox is not static here" ;;
		*)
			requires_processor "$word" || return ;;
		esac
	done
}

# requires_processor WORD: what one processor alone has, by tests/only/PROCESSOR, or lacks, by tests/lacking/PROCESSOR.
requires_processor() {
	local list reason
	list=$(grep -l "^$1 " "$ROOT"/tests/{only,lacking}/*) || {
		echo "requires: unknown word '$1'"
		return 1
	}
	reason=$(sed -n "s/^$1 *//p" "$list")
	case $list in
	*/lacking/"$(uname -m)") skip "not on ${list##*/}: $reason" ;;
	*/lacking/* | */only/"$(uname -m)") ;;
	*) skip "of ${list##*/} alone: $reason" ;;
	esac
}

# only_elsewhere PATH...: prints why a guest, a tool or a program of the bench is not built here, by testprogs/only/PROCESSOR or
# bench/only/PROCESSOR. Fails if none of them is such.
only_elsewhere() {
	local path name list
	for path in "$@"; do
		# Most are arguments of programs, and can be long: bash takes minutes to look for a / in 100 KB.
		[[ $path == "$ROOT"/build/* && ! -e $path ]] || continue
		name=${path##*/}
		name=${name%%-*} # guests without a libc have several layouts
		list=$(grep -l "^$name " "$ROOT"/{testprogs,bench}/only/*) || continue
		[ "${list##*/}" != "$(uname -m)" ] || continue
		echo "$name is of ${list##*/} alone: $(sed -n "s/^$name *//p" "$list")"
		return
	done
	return 1
}

# of_this_processor PATH...: skips a test of one that is not built here, with the reason.
of_this_processor() {
	local reason
	! reason=$(only_elsewhere "$@") || skip "$reason"
}

# Where a step can be taken, in single steps.
can_trace() {
	if [ -x "$GUESTS/tools/each_step" ]; then
		"$GUESTS/tools/each_step" 10 1000 "$GUESTS/musl-static/signal_stepped" 10 call >/dev/null
	else
		strace -o /dev/null true
	fi
}

# missing REASON: the program that a test requires is not there. What make check runs requires no program that it has not
# installed (tests/run.py).
missing() {
	[ -n "${LIGHT-}" ] || skip "$1"
	echo "$1, and make check should have installed it: tests/install_packages.sh"
	return 1
}

# memory_here: KiB that are available, but no more than a control group of this process may have, of either version.
memory_here() {
	local least controller group path limit
	least=$(sed -n 's/^MemAvailable: *\([0-9]*\).*/\1/p' /proc/meminfo)
	while IFS=: read -r _ controller group; do
		case $controller in
		'') path=/sys/fs/cgroup$group/memory.max ;;
		memory) path=/sys/fs/cgroup/memory$group/memory.limit_in_bytes ;;
		*) continue ;;
		esac
		limit=$(cat "$path" 2>/dev/null) || continue
		[ "$limit" = max ] || ((limit / 1024 >= least)) || least=$((limit / 1024))
	done </proc/self/cgroup
	echo "$least"
}

# Dynamically linked programs name their interpreter near the start of the file.
has_interpreter() {
	head -c 4096 "$1" | grep -aq 'ld-linux\|ld-musl'
}

# interpreter_of PROGRAM: the path that it names.
interpreter_of() {
	readelf -lW "$1" | sed -n 's/.*program interpreter: \(.*\)\]$/\1/p'
}

# expect_warning: EXPECTED_WARNING is what a lazy loader says first where system calls cannot be intercepted, under
# qemu-user or on Linux 5.10. It is no difference there. Empty elsewhere. Found out once a file.
expect_warning() {
	local said=$BATS_FILE_TMPDIR/warning
	[ -z "${EXPECTED_WARNING+x}" ] || return 0
	[ -e "$said" ] || "$ROOT/on_demand_loader" "$ROOT/prog1" 2>&1 >/dev/null |
		grep -o "everything is left to the kernel's paging: system calls cannot be intercepted" >"$said" || true
	EXPECTED_WARNING=$(<"$said")
}

# cut_warning FILE: takes each line with EXPECTED_WARNING out of FILE, if there is one to expect.
cut_warning() {
	expect_warning
	[ -z "$EXPECTED_WARNING" ] || sed -i "/$EXPECTED_WARNING/d" "$1"
}

# record NAME COMMAND...: runs COMMAND; NAME.out, NAME.err and NAME.status in the test's directory
# are what it wrote and how it ended. Descriptors of bats itself are closed first.
record() {
	trace_test_only
	local name=$BATS_TEST_TMPDIR/$1
	shift
	of_this_processor "$@"
	expect_warning
	"$GUESTS/tools/report_status" "$name.status" "$@" \
		<"$INPUT" >"$name.out" 2>"$name.err" 3>&- 4>&-
	[ -z "$EXPECTED_WARNING" ] || sed -i "1{/$EXPECTED_WARNING/d}" "$name.err"
}

# bats has a trap for each command of every function, to tell where a test failed; it took more time than
# the loaders. From here on, only the test's own commands are traced: a failure names the line there.
trace_test_only() {
	set +T
}

# The first lines of a file, so that a failure stays readable.
excerpt() {
	sed -e 's/^/  | /' "$1" | cut -c 1-200 | head -n "${2:-20}"
}

# explain COMMAND...: what was run and what it did; for failures.
explain() {
	local name=$BATS_TEST_TMPDIR/$1
	shift
	printf '%s\n' "command: $(printf '%q ' "$@" | cut -c 1-400)"
	echo "ended: $(cat "$name.status")"
	echo "stdout:" && excerpt "$name.out"
	echo "stderr:" && excerpt "$name.err"
}

# by_signal COMMAND...: native runs of COMMAND are to be ended by a signal; all others by an exit.
by_signal() {
	ENDED_BY=signal "$@"
}

# has_ended NAME: fails, and says so, where nothing can be compared with that run. A guest ends with status 64 where it does
# not know its words (testprogs/word.h).
has_ended() {
	local end='' why
	read -r end <"$BATS_TEST_TMPDIR/$1.status" || true
	# shellcheck disable=SC2254 # ENDED_BY may be a pattern
	case $end in
	timeout) why="had to be killed by the time limit" ;;
	"exit 64") why="did not know what its words mean: $(head -n 1 "$BATS_TEST_TMPDIR/$1.err")" ;;
	$ENDED_BY\ *) return 0 ;;
	*) why="ended by '$end', and the test wants '$ENDED_BY': a signal is announced with by_signal" ;;
	esac
	echo "the run '$1' $why: there is nothing to compare with"
	return 1
}

# same_recording EXPECTED FOUND: prints in what the two differ; fails if they do.
same_recording() {
	local part different=0
	has_ended "$1" || return
	for part in status out err; do
		if ! cmp -s "$BATS_TEST_TMPDIR/$1.$part" "$BATS_TEST_TMPDIR/$2.$part"; then
			echo "$part differs ($1, $2):"
			diff -a "$BATS_TEST_TMPDIR/$1.$part" "$BATS_TEST_TMPDIR/$2.$part" \
				>"$BATS_TEST_TMPDIR/difference" || true
			excerpt "$BATS_TEST_TMPDIR/difference"
			different=1
		fi
	done
	return $different
}

# ran_natively PROGRAM: fails if 'native' is only a message of the tool that should run it; both runs of a guest that was
# never built would be the same.
ran_natively() {
	[ -s "$BATS_TEST_TMPDIR/native.err" ] &&
		grep -Eq "^(report_status|deny|env|prlimit|setarch|setpriv|unshare): " "$BATS_TEST_TMPDIR/native.err" || return 0
	echo "$1 does not run natively:"
	excerpt "$BATS_TEST_TMPDIR/native.err"
	return 1
}

# same_as_native PROGRAM [ARG]...: compares a native run with one under each loader, shows every
# difference, and fails if there is one; with status 3 if there is nothing to compare with. Inside a function that sets
# KEPT_NATIVE, a program runs natively once for each input and arguments: what repeats such a function's command compares
# all its runs under loaders with that one.
same_as_native() {
	trace_test_only
	local loaders options different status failed=0
	of_this_processor "${UNDER[@]}" "$@"
	expect_warning
	read -ra loaders <<<"$LOADERS"
	read -ra options <<<"$LOADER_OPTIONS"
	while
		status=0
		different=$([ -z "${KEPT_NATIVE-}" ] || export KEPT_NATIVE
			[ -z "$EXPECTED_WARNING" ] || export EXPECTED_WARNING
			exec "$GUESTS/tools/compare_runs" "$BATS_TEST_TMPDIR" "$INPUT" "${#loaders[@]}" "${loaders[@]}" \
			"${#options[@]}" "${options[@]}" "${#UNDER[@]}" "${UNDER[@]}" "$@" 3>&- 4>&-) || status=$?
		ran_natively "$1" && has_ended native || return 3
		[ "$status" != 0 ]
	do
		failed=1
		[ "$status" = 1 ] || return 3
		same_recording native loaded || true
		explain loaded "${UNDER[@]}" "$different" "${options[@]}" "$@"
		# The loaders after the one that differs are compared next.
		while [ "${loaders[0]}" != "$different" ]; do loaders=("${loaders[@]:1}"); done
		loaders=("${loaders[@]:1}")
		[ "${#loaders[@]}" != 0 ] || break
	done
	return $failed
}

# repeated N COMMAND...: until it fails, at most N times; for what depends on who comes first.
repeated() {
	trace_test_only
	local KEPT_NATIVE=${KEPT_NATIVE:-$EPOCHREALTIME} count=${LIGHT:+1} i
	count=${count:-$1}
	shift
	for ((i = 1; i <= count; i++)); do
		"$@" && continue
		echo "failed at run $i of $count"
		return 1
	done
}

# eventually COMMAND...: tries for a minute.
eventually() {
	trace_test_only
	local try
	for ((try = 0; try < 1200; try++)); do
		! "$@" || return 0
		sleep 0.05
	done
	return 1
}

# with_hidden_bss COMMAND...: under hybrid_loader, which hides no .bss as small as that of most guests unless an
# engine is named.
with_hidden_bss() {
	trace_test_only
	local engine
	case "$LOADER_OPTIONS $LOADERS" in
	*--engine=*) return ;;
	*hybrid_loader*) ;;
	*) return ;;
	esac
	# Found out once a test: to ask takes as long as a guest.
	[ -n "${HIDING_ENGINE+x}" ] || read -r HIDING_ENGINE _ <<<"$(engines_here)"
	engine=$HIDING_ENGINE
	[ -n "$engine" ] || return 0
	LOADER_OPTIONS="$LOADER_OPTIONS --engine=$engine" only_under hybrid_loader "$@"
}

# in_all_variants GUEST [ARG]...: the same for each libc, at a fixed address and as static PIE.
in_all_variants() {
	trace_test_only
	local KEPT_NATIVE=${KEPT_NATIVE:-$EPOCHREALTIME}
	local guest=$1 variants=("${VARIANTS[@]}") variant failed=0
	shift
	# C++ needs a libstdc++, which there is for glibc only.
	if [ -e "$ROOT/testprogs/$guest.cc" ]; then
		requires g++
		variants=(glibc-static glibc-pie)
	fi
	for variant in "${variants[@]}"; do
		same_as_native "$GUESTS/$variant/$guest" "$@" || failed=1
		with_hidden_bss same_as_native "$GUESTS/$variant/$guest" "$@" || failed=1
	done
	return $failed
}

# only_under NAME[,NAME]... COMMAND...: COMMAND with LOADERS reduced to those of these names.
only_under() {
	trace_test_only
	local names=$1 loader kept=
	shift
	for loader in ${names//,/ }; do
		case $loader in
		all_at_once_loader | on_demand_loader | hybrid_loader) ;;
		*)
			echo "only_under: there is no loader '$loader'"
			return 1
			;;
		esac
	done
	for loader in $LOADERS; do
		case ,$names, in
		*,"${loader##*/}",*) kept+="$loader " ;;
		esac
	done
	LOADERS=$kept "$@"
}

# engines_here: those that work; a kernel may lack one, or a sandbox deny it. Found out once a file.
engines_here() {
	local engine engines='' said
	if [ ! -e "$BATS_FILE_TMPDIR/engines" ]; then
		for engine in guard mprotect mmap userfaultfd; do
			if said=$("$ROOT/on_demand_loader" "--engine=$engine" "$ROOT/prog1" 2>&1) &&
				[[ $said != *"left to the kernel's paging"* ]]; then
				engines+="$engine "
			else
				echo "# the engine $engine does not work here, and is left out" >&2
			fi
		done
		echo "$engines" >"$BATS_FILE_TMPDIR/engines"
	fi
	cat "$BATS_FILE_TMPDIR/engines"
}

# engines_of ENGINE...: those of them that work.
engines_of() {
	local engine
	for engine in $(engines_here); do
		[[ " $* " != *" $engine "* ]] || echo "$engine"
	done
}

# Whether the kernel has Syscall User Dispatch and lets the loaders use it. Without it no page of a dynamic program is hidden,
# and there is no --order.
has_dispatch() {
	"$ROOT/on_demand_loader" --retire=never --stats "$ROOT/prog3" 2>&1 >/dev/null | grep -q "by Syscall User Dispatch"
}

# Whether /proc/self/exe can be changed. Elsewhere system calls stay intercepted, after lazy paging too, of programs that
# have one of its names in their constants: of all that are linked with glibc (docs/quirks.md).
has_own_executable() {
	! "${LOADERS%% *}" -v "$GUESTS/musl-static/empty" 2>&1 | grep -q "exe stays the loader's"
}

# keep_variants_that_leave: VARIANTS are those of which nothing of a loader is there at last.
keep_variants_that_leave() {
	has_own_executable || mapfile -t VARIANTS < <(printf '%s\n' "${VARIANTS[@]}" | grep '^musl')
}

# of_variants_that_leave COMMAND...: COMMAND with those alone.
of_variants_that_leave() {
	local VARIANTS=("${VARIANTS[@]}")
	keep_variants_that_leave
	"$@"
}

# Whether the kernel tells us the numbers of frames: of a page that is in memory it says 0 otherwise.
has_frames() {
	python3 -c 'import sys
with open("/proc/self/pagemap", "rb") as pages:
    pages.seek(id(pages) // 4096 * 8)
    sys.exit(int.from_bytes(pages.read(8), "little") & (1 << 55) - 1 == 0)'
}

# has_huge_pages STEP...: whether the kernel gives 32 MiB in huge pages now, after these steps: an advice of madvise(2), or
# touch. Memory may be in use, or in pieces.
has_huge_pages() {
	python3 -c 'import mmap, sys
memory = mmap.mmap(-1, 34 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
for step in sys.argv[1:]:
    if step == "touch":
        for at in range(0, len(memory), 4096):
            memory[at] = 1
    else:
        memory.madvise(int(step))
rollup = open("/proc/self/smaps_rollup").read()
sys.exit(int(rollup.split("AnonHugePages:")[1].split()[0]) < 32 << 10)' "$@" 2>/dev/null
}

# pages_moved: how many the kernel has moved to other frames since it started, for example to make room for huge ones.
pages_moved() {
	awk '$1 == "pgmigrate_success" || $1 == "thp_collapse_alloc" { sum += $2 } END { print sum + 0 }' /proc/vmstat
}

# while_pages_stay COMMAND...: COMMAND looks at frames. Where it fails, and the kernel has moved pages meanwhile, it has shown
# nothing, and looks again. In a shell of its own, each of whose commands counts, as in a test.
while_pages_stay() {
	local before status try
	for ((try = 0; try < 100; try++)); do
		before=$(pages_moved) status=0
		(set -e && "$@") &
		wait $! || status=$?
		[ "$status" != 0 ] || return 0
		[ "$(pages_moved)" != "$before" ] || break
		echo "the kernel has moved pages: COMMAND looks again"
	done
	return "$status"
}

# in_every_way COMMAND...: COMMAND with each lazy loader, each engine, and lazy paging that ends early or
# never; and with every loader as it is.
in_every_way() {
	trace_test_only
	local KEPT_NATIVE=${KEPT_NATIVE:-$EPOCHREALTIME} engine retire ends=(auto never) failed=0
	[ -z "${LIGHT-}" ] || ends=(never)
	"$@" || failed=1
	for engine in $(engines_here); do
		for retire in "${ends[@]}"; do
			LOADER_OPTIONS="--engine=$engine --retire=$retire" \
				only_under on_demand_loader,hybrid_loader "$@" || failed=1
		done
	done
	return $failed
}

# reaches_its_mark LOADER GUEST [OPTION]...: fails unless GUEST has come to its mark (testprogs/mark.h)
# before lazy paging ended; and says then what had ended it. Status 2: nothing is hidden from it. A guest
# that says "skip: " lacks something here.
reaches_its_mark() {
	trace_test_only
	local loader=$1 program=$2 trace=$BATS_TEST_TMPDIR/trace said
	shift 2
	rm -f "$trace" "$trace.stats"
	# --only=calls, so that few events are lost on a busy machine. Where some are, the mark counts by --stats, which also
	# says what has ended lazy paging. memory_many_mappings takes more than a minute on an emulated processor.
	said=$(cd "$BATS_TEST_TMPDIR" && timeout -s KILL 300 "$loader" "--trace=$trace" --only=calls "--stats=$trace.stats" \
		"$@" "$program" </dev/null 2>/dev/null 3>&- 4>&-) || true
	[[ $said != "skip: "* ]] || return 0
	grep -Eq "$(printf '\tcall\t.*\t(afs_syscall|nfsservctl)\t')" "$trace" && return
	awk '$1 == "end" && $3 > 0 { lost = 1 } END { exit !lost }' "$trace" &&
		grep -Eq '"(afs_syscall|nfsservctl)": ' "$trace.stats" && return
	echo "$program: no mark with ${loader##*/} $*: $(awk -F '\t' \
		'$4 == "call" { calls++; last = $8 } END { print calls + 0, "calls seen, the last", last }' "$trace");" \
		"$(grep '"retired' "$trace.stats" | tr -s '\n ' ' ')"
	grep -q '^region.*hidden$' "$trace" || return 2
	return 1
}

# seeded: SEED is that of the environment, or 1. Every test with random choices begins with this: bats shows what
# repeats the test if the test fails.
seeded() {
	export SEED=${SEED:-1}
	echo "again: SEED=$SEED bats -f '$BATS_TEST_DESCRIPTION' ${BATS_TEST_FILENAME#"$ROOT"/}"
}

# each_loader FUNCTION [ARG]...: calls FUNCTION LOADER [ARG]... for each, until it fails. Not as in `FUNCTION || ...`,
# by which all commands of FUNCTION but the last could fail unnoticed.
each_loader() {
	trace_test_only
	local loader
	for loader in $LOADERS; do
		"$1" "$loader" "${@:2}"
		# shellcheck disable=SC2181 # where errexit is off
		[ $? = 0 ] || return 1
	done
}

# expect STATUS COMMAND...: runs it as 'found' and fails unless it ended so ("exit 0", "signal 11").
expect() {
	local status=$1
	shift
	record found "$@"
	[ "$(<"$BATS_TEST_TMPDIR/found.status")" = "$status" ] && return
	echo "expected: $status"
	explain found "$@"
	return 1
}

# found PART: the text of found.out, found.err or found.status.
found() {
	cat "$BATS_TEST_TMPDIR/found.$1"
}

# expect_refusal STATUS PATTERN PROGRAM [ARG]...: every loader exits with STATUS, writes nothing to
# stdout, and one line "LOADER: PROGRAM: reason" to stderr whose reason matches PATTERN.
expect_refusal() {
	local status=$1 pattern=$2 loader failed=0
	shift 2
	for loader in $LOADERS; do
		expect "exit $status" "$loader" "$@" &&
			is_one_line "${loader##*/}: $1: " "$pattern" || failed=1
	done
	return $failed
}

# patched NAME OFFSET BYTES: a copy of ./good with BYTES (as for printf) at OFFSET.
patched() {
	cp good "$1"
	# shellcheck disable=SC2059
	printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# is_one_line START PATTERN: stdout of 'found' is empty, stderr one line of that form. Starts no process, since hundreds of
# messages are checked.
is_one_line() {
	local lines line
	mapfile lines <"$BATS_TEST_TMPDIR/found.err"
	line=${lines[0]-}
	line=${line%$'\n'}
	if [ -s "$BATS_TEST_TMPDIR/found.out" ] || [ "${#lines[@]}" != 1 ] || [ "$line" = "${lines[0]}" ] ||
		[ "${line#"$1"}" = "$line" ] || [[ ! ${line#"$1"} =~ $2 ]]; then
		echo "expected nothing on stdout and one line on stderr: '$1' and something like '$2'"
		echo "stdout:" && excerpt "$BATS_TEST_TMPDIR/found.out"
		echo "stderr:" && excerpt "$BATS_TEST_TMPDIR/found.err"
		return 1
	fi
}

# ran STATUS COMMAND...: bats's run, which has to end so, or anyhow for `any`. bats shows what it wrote, $output, if the
# test fails.
ran() {
	run "${@:2}"
	expect_warning
	if [ -n "$EXPECTED_WARNING" ]; then
		output=$(command -p sed "/$EXPECTED_WARNING/d" <<<"$output")
		mapfile -t lines < <(command -p sed '/^$/d' <<<"$output")
	fi
	# shellcheck disable=SC2154 # it is run's
	echo "$output"
	[[ $1 == any || $status == "$1" ]] || { echo "status $status, not $1: ${*:2}" && false; }
}

# ends STATUS COMMAND...: how it ends; its output is in $BATS_TEST_TMPDIR/out and err.
ends() {
	local expected=$1 status=0
	shift
	"$@" >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" || status=$?
	cut_warning "$BATS_TEST_TMPDIR/err"
	[ "$status" = "$expected" ] && return 0
	echo "status $status, not $expected: $*"
	cat "$BATS_TEST_TMPDIR/out" "$BATS_TEST_TMPDIR/err"
	return 1
}

# says TEXT: the last command, on standard error, in one line.
says() {
	grep -qF -- "$1" "$BATS_TEST_TMPDIR/err" && [ "$(wc -l <"$BATS_TEST_TMPDIR/err")" = 1 ] &&
		return 0
	echo "not in one line: $1"
	cat "$BATS_TEST_TMPDIR/err"
	return 1
}

# refuses TEXT COMMAND...: with exit status 125, nothing on standard output, and one line on standard error that has TEXT.
refuses() {
	ends 125 "${@:2}" && says "$1" && [ ! -s "$BATS_TEST_TMPDIR/out" ]
}

# fresh_make WORD...: a make of its own, no part of the one that runs the tests; silent.
fresh_make() {
	"${UNDER[@]}" env -u MAKEFLAGS -u MAKELEVEL make -s "$@" 3>&- 4>&-
}

# open_tree: from here on ROOT, GUESTS and LOADERS are in a copy, made once a run, that ordinary users
# reach. The repository may lie in a folder that is root's alone, such as /root.
open_tree() {
	local copy=$BATS_RUN_TMPDIR/open_tree
	(
		flock 9
		[ ! -e "$copy" ] || exit 0
		rm -rf "$copy.part" && mkdir "$copy.part" &&
			tar -c -C "$ROOT" --exclude=./.git --exclude=./build/go-cache --exclude='./build/*/unit' . |
			tar -x -C "$copy.part" && chmod -R a+rX "$copy.part" && mv "$copy.part" "$copy"
	) 9>"$copy.lock" || return
	[ "$PWD" != "$ROOT" ] || cd "$copy" || return
	LOADERS=${LOADERS//"$ROOT"/"$copy"}
	ROOT=$copy
	GUESTS=$ROOT/build/guests
}

# drop_privileges [FILE]...: from here on guests and loaders run as an ordinary user, who must reach these.
drop_privileges() {
	local file
	if [ "$(id -u)" = 0 ]; then
		become_ordinary
	fi
	for file in "$@"; do
		"${UNDER[@]}" test -x "$file" || skip "an unprivileged user may not reach $PWD"
	done
}

# bats makes folders that may be root's alone.
become_ordinary() {
	requires setpriv
	chmod a+x "$BATS_RUN_TMPDIR" "$BATS_RUN_TMPDIR"/*/ "$BATS_FILE_TMPDIR" "$BATS_TEST_TMPDIR"
	UNDER=(setpriv --reuid=65534 --regid=65534 --clear-groups "${UNDER[@]}")
	"${UNDER[@]}" test -x "$GUESTS/musl-static/hello" || open_tree
	"${UNDER[@]}" test -x "$GUESTS/musl-static/hello" ||
		skip "an unprivileged user may not reach $GUESTS"
}

# evict FILE...: out of the page cache, which is checked: to its owner mincore tells the truth. A page stays as long as
# it is being read, as one that was asked for ahead may be after the program's end, or mapped by what still ends.
evict() {
	python3 - "$@" <<-'END'
		import ctypes, os, sys, time
		libc = ctypes.CDLL(None, use_errno=True)
		libc.mmap.restype = ctypes.c_void_p
		libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
		for name in sys.argv[1:]:
		    file = os.open(name, os.O_RDONLY)
		    size = os.fstat(file).st_size
		    pages = (ctypes.c_ubyte * ((size + 4095) // 4096))(1)
		    memory = libc.mmap(None, size, 1, 1, file, 0)
		    end = time.monotonic() + 60
		    while any(page & 1 for page in pages):
		        if time.monotonic() > end:
		            sys.exit(f"{name} stays in memory")
		        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
		        libc.mincore(ctypes.c_void_p(memory), ctypes.c_size_t(size), pages)
	END
}
