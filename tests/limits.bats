#!/usr/bin/env bats
#
# When the kernel says no: each system call of a load fails once, and little of everything is left.
# Then the program runs as natively, or a loader refuses: exit status 125 or 126, one line on
# stderr, nothing on stdout.

load helpers

setup() {
	cd "$ROOT" || return 1
	HELLO=$GUESTS/musl-static/hello
	# What the programs make themselves of these calls is one ioctl, and that may fail.
	CALLS=(mmap mprotect madvise munmap mremap prctl brk clone open openat stat fstat fcntl pread64
		userfaultfd ioctl rt_sigaction sigaltstack capget faccessat2 readlink readlinkat)
	FAILURE=0
	# With too little of something a program may also be killed natively.
	# shellcheck disable=SC2034 # helpers.bash reads it
	ENDED_BY='*'
	under env -i A=b
}

# lines FILE: how many there are, in $LINES_FOUND.
lines() {
	local text
	mapfile -t text <"$1"
	LINES_FOUND=${#text[@]}
}

# refused LOADER: whether 'found' is a refusal as it should be.
refused() {
	local name=$BATS_TEST_TMPDIR/found status line
	read -r status <"$name.status"
	[ "$status" = "exit 125" ] || [ "$status" = "exit 126" ] || return
	lines "$name.err"
	read -r line <"$name.err"
	[ ! -s "$name.out" ] && [ "$LINES_FOUND" = 1 ] && [[ $line == "${1##*/}: "* ]]
}

# same_text FILE FILE: cmp without a process, for thousands of small files.
same_text() {
	local one other
	mapfile one <"$1" && mapfile other <"$2" && [ "${#one[@]}" = "${#other[@]}" ] && [ "${one[*]}" = "${other[*]}" ]
}

# missed: whether 'found' is of a program that succeeded, as 'native' did, and of an output that could not be written.
missed() {
	local name=$BATS_TEST_TMPDIR native found
	read -r native <"$name/native.status"
	read -r found <"$name/found.status"
	[ "$native, $found" = "exit 0, exit 125" ] && grep -q ': the [a-z]* cannot be written to ' "$name/found.err"
}

# as_native: whether 'found' is what 'native' is, perhaps with one line of warning.
as_native() {
	local name=$BATS_TEST_TMPDIR
	has_ended native || return
	same_text "$name/native.status" "$name/found.status" || missed || return
	same_text "$name/native.out" "$name/found.out" || return
	same_text "$name/native.err" "$name/found.err" && return
	lines "$name/found.err"
	[ ! -s "$name/native.err" ] && [ "$LINES_FOUND" = 1 ]
}

# wrong TEXT COMMAND...: shows what was recorded as 'found', and the test fails in the end.
wrong() {
	echo "--- $1"
	shift
	explain found "$@"
	FAILURE=1
}

# ---- each call fails once ------------------------------------------------------------------

# fail_each NAME ERRNO LOADER [ARG]...: the first call of that NAME, the second, until there is none; of
# many one here and there.
fail_each() {
	local name=$1 error=$2 n status command
	shift 2
	for ((n = 1; n < 1000; n += n < 16 ? 1 : n / 4)); do
		command=("${UNDER[@]}" "$GUESTS/tools/fail_call" "$name" "$n" "$error" -- "$@")
		record found "${command[@]}"
		read -r status <"$BATS_TEST_TMPDIR/found.status"
		[ "$status" != "exit 99" ] || return 0
		as_native || refused "$1" || wrong "$name number $n fails with $error" "${command[@]}"
	done
}

# survives LOADER [ARG]...: each call in turn, for lack of memory or of permission, or on an old kernel.
survives() {
	local name
	for name in "${CALLS[@]}"; do
		# glibc begins with a brk, before main(), and dies where that fails.
		[ "$name" != brk ] || [[ $("$1" --version) != *glibc* ]] || continue
		fail_each "$name" ENOMEM "$@"
	done
	for name in prctl madvise userfaultfd; do
		fail_each "$name" EPERM "$@"
		fail_each "$name" EINVAL "$@"
	done
}

# only NAME...: these calls are the ones that fail.
only() {
	CALLS=("$@")
}

# all_survive PROGRAM [ARG]...: every loader, with LOADER_OPTIONS.
all_survive() {
	local loader options
	read -ra options <<<"$LOADER_OPTIONS"
	record native "${UNDER[@]}" "$@"
	ran_natively "$1" || return
	for loader in $LOADERS; do
		survives "$loader" "${options[@]}" "$@"
	done
	return "$FAILURE"
}

@test "a call fails: a program at a fixed address" { all_survive "$HELLO"; }
@test "a call fails: a position-independent program" { all_survive "$GUESTS/musl-pie/hello"; }
@test "a call fails: a large .bss" { all_survive ./prog2; }

@test "a call fails: every engine" {
	for engine in guard mprotect mmap userfaultfd; do
		with_options "--engine=$engine --retire=never"
		only_under on_demand_loader,hybrid_loader all_survive "$HELLO" || true
	done
	with_options --engine=guard
	only_under hybrid_loader all_survive ./prog2
}

# Where the hard limit is the soft one, a descriptor that is left has a number of the program's. The first ioctl
# is UFFDIO_API.
@test "a call fails: an engine that cannot hide leaves no descriptor" {
	local guest=("$GUESTS/musl-static/descriptor_numbers" dupfd) command
	requires userfaultfd
	ulimit -n 300
	command=("${UNDER[@]}" "$GUESTS/tools/fail_call" ioctl 2 ENOMEM -- ./hybrid_loader --huge=never "${guest[@]}")
	record native "${UNDER[@]}" "${guest[@]}"
	ran_natively "${guest[0]}"
	record found "${command[@]}"
	as_native || wrong "UFFDIO_REGISTER fails" "${command[@]}"
	return "$FAILURE"
}

@test "a call fails: --record and --profile" {
	local profile=$BATS_TEST_TMPDIR/profile
	with_options "--record=$profile.new"
	only_under on_demand_loader,hybrid_loader all_survive "$HELLO" || true
	./hybrid_loader --record="$profile" ./prog2 >/dev/null
	with_options "--profile=$profile"
	all_survive ./prog2
}

@test "a call fails: --stats" {
	with_options "--stats=$BATS_TEST_TMPDIR/stats"
	all_survive "$HELLO"
}

# make_large HEADERS FILE: a program with so many program headers, after its code, that exits. Forty segments are
# writable and executable, and have bytes and zeros on a page, and a page of zeros.
make_large() {
	python3 - "$@" <<-'END'
		import os, struct, sys

		headers, base = int(sys.argv[1]), 0x400000
		exits = bytes([0xb8, 60, 0, 0, 0, 0x31, 0xff, 0x0f, 0x05])

		def load(flags, page, in_file, in_memory):
		    return struct.pack("<IIQQQQQQ", 1, flags, 4096 * page, base + 4096 * page, 0, in_file, in_memory, 4096)

		table = load(5, 1, 9, 9) + b"".join(load(7, 2 * i + 2, 0x800, 0x1900) for i in range(40))
		table += (headers - 41) * struct.pack("<IIQQQQQQ", 0, 0, 0, 0, 0, 0, 0, 0)
		head = b"\x7fELF\2\1\1".ljust(16, b"\0") + struct.pack(
		    "<HHIQQQIHHHHHH", 2, 62, 1, base + 4096, 83 * 4096, 0, 0, 64, 56, headers, 0, 0, 0)
		with open(sys.argv[2], "wb", opener=lambda path, flags: os.open(path, flags, 0o755)) as file:
		    file.write(head.ljust(4096, b"\0") + exits.ljust(82 * 4096, b"\0") + table)
	END
}

@test "a call fails: many segments, more than the room for them" {
	requires python3
	cd "$BATS_TEST_TMPDIR"
	make_large 41 large
	only mmap mprotect pread64
	all_survive ./large
	expect "exit 0" "$ROOT/hybrid_loader" --stats ./large
	found err | grep "no page was hidden: its .bss has 4 KiB"
}

# The loader's heap is 32 KiB, and goes on in memory from mmap, which fails here: after more and more of the heap has been
# taken, so at whatever is allocated.
@test "a call fails: no more memory, whatever it is for" {
	requires python3
	cd "$BATS_TEST_TMPDIR"
	make_large 1170 large
	record native "${UNDER[@]}" ./large
	for ((headers = 43; headers < 600; headers += 9)); do
		printf '%b' "$(printf '\\x%x' $((headers & 255)) $((headers >> 8)))" |
			dd of=large bs=1 seek=56 conv=notrunc status=none
		# Loaders of MODE=coverage have two mappings more.
		for loader in $LOADERS; do
			for n in 1 2 3; do
				command=("${UNDER[@]}" "$GUESTS/tools/fail_call" mmap "$n" ENOMEM -- "$loader" ./large)
				record found "${command[@]}"
				as_native || refused "$loader" || wrong "$headers headers" "${command[@]}"
			done
		done
	done
	printf '#!%s A\n' "$ROOT/prog1" >script
	chmod +x script
	mapfile -t arguments < <(yes A | head -n 5000)
	only mmap pread64
	all_survive ./script "${arguments[@]}" || true
	all_survive "$ROOT/prog1" "${arguments[@]}" || true
	musl-gcc -static -x c -o huge - <<<'static char huge[1 << 30]; int main(void) { return huge[99]; }'
	only_under on_demand_loader,hybrid_loader all_survive ./huge
}

@test "a call fails: an engine is looked for, and memory that may not become executable" {
	under "$GUESTS/tools/deny" madvise=102:EINVAL userfaultfd:EPERM -- env -i A=b
	only mprotect mmap
	all_survive ./prog2
	# Before Linux 5.14, where a page is filled in another way.
	under "$GUESTS/tools/deny" madvise=22:EINVAL madvise=23:EINVAL -- env -i A=b
	only pread64 mmap
	all_survive "$HELLO"
	only mprotect mmap
	cd "$BATS_TEST_TMPDIR" && chmod 711 .
	# Nobody can change /proc/self/exe: more of the resident code is needed than the start had.
	musl-gcc -static -x c -o names_it - <<<'char *volatile name = "/proc/self/exe"; int main(void) { return 0; }'
	under "$GUESTS/tools/deny" "clone=$NAMESPACE_CHILD:EPERM" -- env -i A=b
	drop_privileges ./names_it
	all_survive ./names_it
}

@test "a call fails: --library-path and --profile=auto" {
	# An interpreter that makes hardly any call itself.
	with_options --library-path=/nowhere "--interpreter=$GUESTS/musl-pie/empty"
	only mmap mprotect
	all_survive "$(type -P true)" || true
	# Learned anew each time.
	under bash -c 'rm -rf "$0/.cache"; exec env -i A=b HOME="$0" "$@"' "$BATS_TEST_TMPDIR"
	with_options --profile=auto
	all_survive "$HELLO" || true
	# Before Linux 5.9 there is no close_range.
	denied close_range ENOSYS "$HELLO"
	return "$FAILURE"
}

@test "a call fails: --placement, with the numbers of frames and without" {
	requires huge_pages
	with_options --placement=coloring
	only mmap madvise ioctl userfaultfd pread64 open
	all_survive "$HELLO" || true
	drop_privileges
	all_survive "$GUESTS/musl-static/hello" || true
	# No huge page is to be had; before Linux 5.14 there is no MADV_POPULATE_WRITE.
	denied madvise=14 EINVAL "$GUESTS/musl-static/hello"
	denied madvise=23 EINVAL "$GUESTS/musl-static/hello"
	return "$FAILURE"
}

@test "a call fails: without privileges" {
	drop_privileges
	all_survive "$GUESTS/musl-static/hello"
}

# ---- a call is denied for good -------------------------------------------------------------

# denied NAME ERRNO PROGRAM [ARG]...: a filter that was there before denies this call to everybody, natively and loaded.
denied() {
	local deny=("${UNDER[@]}" "$GUESTS/tools/deny" "$1:$2" --) loader options
	read -ra options <<<"$LOADER_OPTIONS"
	record native "${deny[@]}" "${@:3}"
	ran_natively "$3" || return
	for loader in $LOADERS; do
		record found "${deny[@]}" "$loader" "${options[@]}" "${@:3}"
		as_native || refused "$loader" || wrong "$1 is denied with $2" "${deny[@]}" "$loader" "${options[@]}" "${@:3}"
	done
}

# all_denied PROGRAM [ARG]...: each call in turn, as by a sandbox that lacks permission, memory or the call itself.
all_denied() {
	local name error
	for name in "${CALLS[@]}"; do
		for error in EPERM ENOMEM ENOSYS; do
			denied "$name" "$error" "$@"
		done
	done
}

@test "a call is denied for good: each loader, each engine, --stats, --record, --profile" {
	local engine profile=$BATS_TEST_TMPDIR/profile
	all_denied "$HELLO"
	all_denied ./prog2
	for engine in guard mprotect mmap userfaultfd; do
		with_options "--engine=$engine" --retire=never
		only_under on_demand_loader,hybrid_loader all_denied "$HELLO"
	done
	with_options "--stats=$BATS_TEST_TMPDIR/stats"
	all_denied "$HELLO"
	./hybrid_loader --record="$profile" ./prog2 >/dev/null
	with_options "--profile=$profile"
	all_denied ./prog2
	with_options "--record=$profile.new"
	only_under on_demand_loader,hybrid_loader all_denied "$HELLO"
	return "$FAILURE"
}

# ---- little of everything is left ----------------------------------------------------------

# limited RESOURCE LIMIT COMMAND...: the words of a command that has so much of a resource.
limited() {
	COMMAND=("${UNDER[@]}" prlimit "--$1=$2:$2" "${@:3}")
}

# never_started COMMAND...: whether the kernel killed the loader in its exec, or refused that, or glibc gave
# up before main(). Then no instruction of ours was executed.
never_started() {
	local status line
	read -r line <"$BATS_TEST_TMPDIR/found.err" || line=
	[[ $line == "prlimit: failed to execute "* || $line == "Fatal glibc error: "* ]] && return
	read -r status <"$BATS_TEST_TMPDIR/found.status"
	[[ $status == "signal "* ]] || return
	"$GUESTS/tools/report_status" "$BATS_TEST_TMPDIR/traced.status" \
		"$GUESTS/tools/fail_call" munmap 1000000 EIO -- "$@" <"$INPUT" >/dev/null 2>&1 3>&- 4>&-
	[ "$(cat "$BATS_TEST_TMPDIR/traced.status")" = "exit 97" ]
}

# bears RESOURCE LIMIT PROGRAM [ARG]...: natively and under every loader, with LOADER_OPTIONS.
bears() {
	local loader options text
	read -ra options <<<"$LOADER_OPTIONS"
	limited "$@"
	record native "${COMMAND[@]}"
	read -r text <"$BATS_TEST_TMPDIR/native.err" || text=
	[[ $text != "prlimit: failed to set "* ]] || skip "$text"
	for loader in $LOADERS; do
		limited "$1" "$2" "$loader" "${options[@]}" "${@:3}"
		record found "${COMMAND[@]}"
		as_native || refused "$loader" || never_started "${COMMAND[@]}" ||
			wrong "natively $(cat "$BATS_TEST_TMPDIR/native.status")" "${COMMAND[@]}"
	done
}

# smallest RESOURCE COMMAND...: in KiB, the least limit that it runs with, to 4 KiB.
smallest() {
	local low=0 high=16384 middle
	while ((high - low > 4)); do
		middle=$(((low + high) / 2 & ~3))
		limited "$1" $((middle * 1024)) "${@:2}"
		record found "${COMMAND[@]}"
		if [ "$(found status)" = "exit 0" ]; then high=$middle; else low=$middle; fi
	done
	echo "$high"
}

# tell_smallest RESOURCE PROGRAM: for whoever reads the log.
tell_smallest() {
	local loader text
	text="${2##*/} runs with this $1: natively $(smallest "$@")"
	for loader in $LOADERS; do
		text+=", ${loader##*/} $(smallest "$1" "$loader" "$2")"
	done
	echo "# $text KiB" >&3
}

# sweep RESOURCE: from nothing to more than enough for any of these.
sweep() {
	local kib engine
	for ((kib = 4; kib < 16384; kib += kib >> 5 << 2 | 4)); do
		bears "$1" $((kib * 1024)) "$HELLO"
		bears "$1" $((kib * 1024)) ./prog2
	done
	for engine in guard mprotect mmap userfaultfd; do
		with_options "--engine=$engine"
		for ((kib = 800; kib < 1300; kib += 32)); do
			only_under on_demand_loader,hybrid_loader bears "$1" $((kib * 1024)) "$GUESTS/musl-pie/hello"
		done
	done
	with_options "--stats=$BATS_TEST_TMPDIR/stats"
	for ((kib = 800; kib < 1700; kib += 32)); do
		bears "$1" $((kib * 1024)) "$HELLO"
	done
	with_options
	tell_smallest "$1" "$HELLO"
	tell_smallest "$1" ./prog2
	return "$FAILURE"
}

@test "little address space" {
	requires prlimit
	sweep as
}

@test "little data" {
	requires prlimit
	sweep data
}

# A stack that a program barely begins with is too small for a loader; what both must bear leaves
# 16 KiB beside the arguments, for the kernel moves the stack by up to 8 KiB.
@test "a small stack, and most of it taken by arguments" {
	requires prlimit
	for kib in 16 32 64 128 1024; do
		room=$(((kib < 128 ? kib - 16 : 96) * 1024))
		mapfile -t args < <(yes "$(printf '%01000d' 0)" | head -n $((room / 1009)))
		repeated 3 bears stack $((kib * 1024)) "$HELLO"
		repeated 3 bears stack $((kib * 1024)) "$HELLO" "${args[@]}"
		# Two bytes each, and a pointer.
		mapfile -t args < <(yes a | head -n $((room / 10)))
		bears stack $((kib * 1024)) "$HELLO" "${args[@]}"
	done
	bears stack unlimited "$HELLO" "${args[@]}"
	return "$FAILURE"
}

# What exec takes is a quarter of the stack, pointers included. The loader's own name comes on top.
@test "as many arguments as exec takes" {
	requires prlimit
	local rest args most=$((1024 * 1024 / 4))
	mapfile -t args < <(yes "$(printf '%01000d' 0)" | head -n $((most / 1009 - 2)))
	for ((rest = 2400; rest < 3000; rest += 40)); do
		bears stack $((4 * most)) "$HELLO" "${args[@]}" "$(printf '%0*d' "$rest" 0)"
	done
	mapfile -t args < <(yes a | head -n $((most / 10 - 120)))
	for ((rest = 600; rest < 1200; rest += 60)); do
		bears stack $((4 * most)) "$HELLO" "${args[@]}" "$(printf '%0*d' "$rest" 0)"
	done
	return "$FAILURE"
}

@test "few descriptors" {
	requires prlimit
	for count in 0 3 4 5; do
		with_options
		bears nofile "$count" "$HELLO"
		bears nofile "$count" ./prog2
		with_options "--stats=$BATS_TEST_TMPDIR/stats"
		bears nofile "$count" "$HELLO"
		for engine in guard mprotect mmap userfaultfd; do
			with_options "--engine=$engine"
			only_under on_demand_loader,hybrid_loader bears nofile "$count" "$HELLO"
		done
	done
	return "$FAILURE"
}

# The first run ends at its first byte of output, the second writes to pipes.
@test "files may not grow" {
	requires prlimit
	bears fsize 0 "$HELLO"
	with_options "--stats=$BATS_TEST_TMPDIR/stats"
	under bash -c \
		'set -o pipefail; { "$@" 2>&1 >&3 | cat >&2; } 3>&1 | cat' bash env -i A=b
	bears fsize 0 "$HELLO"
	return "$FAILURE"
}

@test "no locked memory, no core file, no signal queued, an hour's processor time" {
	requires prlimit
	for limit in "memlock 0" "core 0" "sigpending 0" "msgqueue 0" "rtprio 0" "cpu 3600"; do
		for guest in hello thread_many thread_ping_pong thread_leave_call signal_actions memory_lock; do
			with_options
			# shellcheck disable=SC2086 # two words
			bears $limit "$GUESTS/musl-static/$guest"
		done
		for engine in guard userfaultfd; do
			with_options "--engine=$engine" --retire=never
			# shellcheck disable=SC2086
			only_under on_demand_loader,hybrid_loader bears $limit "$GUESTS/musl-pie/thread_many"
		done
	done
	return "$FAILURE"
}

@test "no more processes, for an ordinary user" {
	requires prlimit
	drop_privileges
	bears nproc 1 "$GUESTS/musl-static/hello"
	bears nproc 0 "$GUESTS/musl-static/proc_exe"
	with_options --stats
	bears nproc 1 "$GUESTS/musl-static/hello"
	return "$FAILURE"
}

@test "where a process beside the program cannot be made, others of its user live on" {
	requires prlimit root
	local loader option limit bystander as=(setpriv --reuid=31337 --regid=31337 --clear-groups)
	drop_privileges "$GUESTS/musl-static/hello" # its files can be read by others
	"${as[@]}" sleep 1000 3>&- 4>&- &
	bystander=$!
	for loader in $LOADERS; do
		for option in --profile=auto --stats; do
			for limit in {1..10}; do
				XDG_CACHE_HOME=$(mktemp -d "$BATS_TEST_TMPDIR/cache.XXXXXX")
				export XDG_CACHE_HOME
				chown 31337 "$XDG_CACHE_HOME"
				run "${as[@]}" prlimit --nproc="$limit" "$loader" "$option" "$GUESTS/musl-static/hello"
				echo "$loader $option $limit: $status $output"
				[ "$status" = 0 ] || [ "$status" = 125 ]
				kill -0 "$bystander"
			done
		done
	done
	kill "$bystander"
}

# closed REDIRECTIONS PROGRAM [ARG]...: natively and under every loader, with LOADER_OPTIONS.
closed() {
	local shell=("${UNDER[@]}" bash -c "exec \"\$@\" $1" bash) loader options
	read -ra options <<<"$LOADER_OPTIONS"
	shift
	record native "${shell[@]}" "$@"
	for loader in $LOADERS; do
		COMMAND=("${shell[@]}" "$loader" "${options[@]}" "$@")
		record found "${COMMAND[@]}"
		as_native || refused "$loader" || wrong "a descriptor is closed" "${COMMAND[@]}"
	done
}

# complains REDIRECTIONS: of a program that is missing, on standard error or to nobody.
complains() {
	local loader name=$BATS_TEST_TMPDIR/found wanted=1
	[[ $1 != *2* ]] || wanted=0
	for loader in $LOADERS; do
		record found bash -c "exec \"\$@\" $1" bash "$loader" "$BATS_TEST_TMPDIR/missing"
		lines "$name.err"
		if [ "$(found status)" != "exit 127" ] || [ "$LINES_FOUND" != "$wanted" ] || [ -s "$name.out" ]; then
			wrong "a missing program, $1" "$loader"
		fi
	done
}

@test "standard input, output and error are closed" {
	local which engine stats=$BATS_TEST_TMPDIR/stats
	for which in "<&-" ">&-" "2>&-" "<&- >&-" "<&- 2>&-" ">&- 2>&-" "<&- >&- 2>&-"; do
		with_options
		closed "$which" "$GUESTS/musl-static/descriptors"
		closed "$which" ./prog2
		closed "$which" "$HELLO"
		complains "$which"
		for engine in $(engines_here); do
			with_options "--engine=$engine"
			only_under on_demand_loader,hybrid_loader closed "$which" "$HELLO"
		done
		rm -f "$stats"
		with_options "--stats=$stats"
		closed "$which" "$HELLO"
		[ "$(head -c 1 "$stats")$(tail -c 2 "$stats")" = "{}" ] || wrong "no statistics: $which"
	done
	return "$FAILURE"
}

# reporting LOADER: the words of options with which LOADER writes or reads more than the program, one a line.
reporting() {
	printf '%s\n' "--layout=layout" "--stats=stats" "--profile=auto"
	[ "${1##*/}" = all_at_once_loader ] || printf '%s\n' "--trace=trace" "--record=record"
}

@test "what is written beside the program, where little is left" {
	requires prlimit
	cd "$BATS_TEST_TMPDIR"
	under env -i A=b HOME="$BATS_TEST_TMPDIR"
	for loader in $LOADERS; do
		while read -r option; do
			with_options "$option"
			for limit in "nofile 3" "nofile 4" "nofile 5" "nofile 6" "nofile 8" "stack 65536" "sigpending 0" "memlock 0" \
				"as 900000" "as 1300000" "as 2000000" "as 3000000" "as 6000000" "data 300000" "data 2000000"; do
				rm -rf layout stats trace record .cache
				# shellcheck disable=SC2086 # two words
				LOADERS=$loader bears $limit "$HELLO"
			done
		done < <(reporting "$loader")
	done
	return "$FAILURE"
}

# on_full_disk COMMAND: in a folder where nothing more can be written; its output, its status, and what is there then.
on_full_disk() {
	mkdir -p full
	unshare --user --map-root-user --mount bash -c 'mount -t tmpfs -o size=8k none full && cd full &&
		echo old >output && head -c 9999 /dev/zero >rest 2>/dev/null
		# A watcher of this run is in this user namespace.
		watched() {
			local process
			for process in /proc/[0-9]*; do
				[ "$(readlink "$process/ns/user")" != "$(readlink /proc/self/ns/user)" ] ||
					! grep -qs "(pagewise-" "$process/stat" || return 0
			done 2>/dev/null
			return 1
		}
		export HOME=$PWD XDG_CACHE_HOME=$PWD/cache; eval "$0"; echo "$?"
		while watched; do sleep 0.02; done
		find . -type f | sort; cat output' "$1" 3>&- 4>&-
}

@test "on a full disk the program runs, and what was there is kept" {
	requires user_namespaces
	cd "$BATS_TEST_TMPDIR"
	expected=$("$ROOT/prog1")$'\n0\n./output\n./rest\nold'
	missed=${expected/$'\n0\n'/$'\n125\n'}
	for loader in $LOADERS; do
		while read -r option; do
			if [ "$option" = --profile=auto ]; then
				run on_full_disk "$loader $option $ROOT/prog1 2>../said"
				[ "$output" = "$expected" ]
				[ "$(wc -l <said)" -le 1 ]
				continue
			fi
			run on_full_disk "$loader ${option/=*/=output} $ROOT/prog1 2>../said"
			echo "$loader $option: $output"
			[ "$output" = "$missed" ]
			[ "$(wc -l <said)" = 1 ]
			grep -q "cannot be written to output: No space left on device; the old file is kept" said
		done < <(reporting "$loader")
		for option in -v --stats --explain --explain=json; do
			run on_full_disk "$loader $option $ROOT/prog1 2>>rest"
			echo "$loader $option: $output"
			[ "$output" = "$expected" ]
		done
	done
}

# make_group: a control group of our own, in $GROUP, and the file for its limit, in $LIMIT.
make_group() {
	local parent=/sys/fs/cgroup
	if [ -d "$parent/memory" ]; then
		parent+=/memory LIMIT=memory.limit_in_bytes
	else
		LIMIT=memory.max
	fi
	GROUP=$parent/loader-test-$$
	mkdir "$GROUP" 2>/dev/null || skip "no control group can be made here"
	[ -w "$GROUP/$LIMIT" ] || skip "the control groups here do not limit memory"
}

teardown() {
	[ -z "${GROUP:-}" ] || rmdir "$GROUP" 2>/dev/null || true
}

# in_group PROGRAM [ARG]...: killed for want of memory or as natively where there is enough. At a limit that is about
# what it needs, who comes first pays for the pages of its file, and is killed.
in_group() {
	local loader
	record native env -i A=b "$@"
	for loader in $LOADERS; do
		COMMAND=("${UNDER[@]}" "$loader" "$@")
		record found "${COMMAND[@]}"
		as_native || refused "$loader" || [ "$(found status)" = "signal 9" ] ||
			wrong "with $(cat "$GROUP/$LIMIT") bytes" "${COMMAND[@]}"
	done
}

@test "a control group with little memory" {
	make_group
	under bash -c 'echo 0 >"$0/cgroup.procs"; exec "$@"' "$GROUP" env -i A=b
	for kib in 512 1024 2048 4096 8192 16384 32768; do
		echo $((kib * 1024)) >"$GROUP/$LIMIT"
		in_group "$HELLO"
		in_group ./prog2
	done
	# The last limit is enough for both programs.
	[ "$(found status)" = "exit 0" ] || wrong "32 MiB are too few"
	return "$FAILURE"
}

@test "a pool of frames takes no more than a control group has" {
	requires frames
	make_group
	under bash -c 'echo 0 >"$0/cgroup.procs"; exec "$@"' "$GROUP"
	echo $((64 << 20)) >"$GROUP/$LIMIT"
	for loader in $LOADERS; do
		# Hardly any frame is one that is wanted: everything is looked at that may be.
		expect "exit 0" "${UNDER[@]}" "$loader" --placement=modulo:500000,7 ./prog1
		[ "$(found out)" = "hello!" ]
	done
}
