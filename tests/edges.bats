#!/usr/bin/env bats
#
# Where a program can tell, or could: rare instructions, odd arguments, signals in the wrong moment, other
# processes that look. Each guest natively and under each loader, engine by engine, with lazy paging that
# ends early and that never ends.

load helpers

# What differs today: a guest with its arguments, the loaders, the engines, and when lazy paging ends; all
# of them patterns. A run that is in this list and does not differ is a failure as well, so that the list
# only gets shorter.
known_differences() {
	cat <<-'END'
		signal_error_codes                               lazy              *                 *
		thread_leave_futex                               lazy              *                 never
		thread_leave_seccomp:write                       lazy              *                 never
		thread_leave_handler:pipe:*                      lazy              *                 never
		process_poke:vector                              lazy              *                 *
		process_poke:@(mem|poke)                         lazy              !(mprotect)       *
		hello@three_descriptors                          *                 *                 *
		hello@small_stack                                *                 *                 *
		hello@fuller_stack                               on_demand_loader  *                 *
	END
}

LAZY='@(on_demand|hybrid)_loader'

DENY=$ROOT/build/guests/tools/deny

# Two of the variants: a libc each, a fixed address and a position-independent program.
VARIANTS=(musl-static glibc-pie)
ENGINES=(guard mprotect mmap userfaultfd)
ENDS=(auto never)
REPEATS=1

# Of loaders that are not lazy: there little is a matter of luck.
REPEATS_NOT_LAZY=1
[ -z "${LIGHT-}" ] || VARIANTS=(musl-static) ENDS=(never)

setup() {
	local key loader engine end
	KEYS=() WHERE=()
	while read -r key loader engine end; do
		[ "$loader" != lazy ] || loader=$LAZY
		KEYS+=("$key") WHERE+=("$loader $engine $end")
	done < <(known_differences)
	AGREED=0 FAILED=0 REASON=
	keep_variants_that_leave
}

# is_known KEY LOADER ENGINE END: whether that run differs today.
is_known() {
	local i
	# shellcheck disable=SC2053 # they are patterns
	for i in "${!KEYS[@]}"; do
		[[ $1 == ${KEYS[i]} && "$2 $3 $4" == ${WHERE[i]} ]] && return
	done
	return 1
}

# says_skip: whether the guest says that something cannot be seen here; REASON is then why.
says_skip() {
	local said
	read -rd '' said <"$BATS_TEST_TMPDIR/native.out" || true
	said=$'\n'$said$'\n'
	[[ $said == *$'\nskip: '* ]] || return
	REASON=${said#*$'\nskip: '}
	REASON=${REASON%%$'\n'*}
}

# compare KEY: the one of LOADERS with LOADER_OPTIONS, in each variant, REPEATS times. 0: all the same; 1:
# one differs, and how is in $BATS_TEST_TMPDIR/said; 2: the guest says that it cannot be seen here; 3: there is
# nothing to compare with.
compare() {
	local variant words i same=2 status count=$REPEATS
	# A difference that is known may need all of its runs.
	[ -z "${LIGHT-}" ] || [ "$known" = yes ] || count=1
	IFS=: read -ra words <<<"${1%%@*}"
	for variant in "${VARIANTS[@]}"; do
		for ((i = 1; i <= count; i++)); do
			status=0
			same_as_native "$GUESTS/$variant/${words[0]}" "${words[@]:1}" \
				>"$BATS_TEST_TMPDIR/said" || status=$?
			[ "$status" = 0 ] || return "$status"
			if says_skip; then break; fi
			same=0
		done
	done
	return "$same"
}

# edge KEY LOADER ENGINE END: one guest in one way.
edge() {
	local known=no same=0
	is_known "$@" && known=yes
	compare "$1" || same=$?
	case $known$same in
	no0 | yes1)
		AGREED=1 ;;
	no1 | *3)
		FAILED=1
		echo "--- differs: $*" && cat "$BATS_TEST_TMPDIR/said" ;;
	yes0)
		FAILED=1
		echo "--- is the same now, to be taken off the known differences: $*" ;;
	esac
}

# edges KEY...: guests, with their arguments after colons; after an @ a word about where it is, for
# known_differences. In every way.
edges() {
	trace_test_only
	# shellcheck disable=SC2034 # same_as_native reads it
	local KEPT_NATIVE=$EPOCHREALTIME
	local engines key loader engine end
	engines=$(engines_of "${ENGINES[@]}")
	for key in "$@"; do
		for loader in $LOADERS; do
			if [[ $loader != */$LAZY ]]; then
				REPEATS=$REPEATS_NOT_LAZY LOADERS=$loader LOADER_OPTIONS='' \
					edge "$key" "${loader##*/}" - -
				continue
			fi
			for engine in $engines; do
				for end in "${ENDS[@]}"; do
					LOADERS=$loader LOADER_OPTIONS="--engine=$engine --retire=$end" \
						edge "$key" "${loader##*/}" "$engine" "$end"
				done
			done
		done
	done
	[ "$AGREED$FAILED" != 00 ] || skip "$REASON"
	return "$FAILED"
}

# ---- calls that are not x86-64's -----------------------------------------------------------

@test "int 0x80 from 64-bit code" { edges call_compat call_compat:address; }
@test "system calls from 32-bit code" { edges call_code_segment; }
@test "the vsyscall page, with untouched pages of .bss" { edges call_vsyscall; }

# ---- flags, segments, contexts -------------------------------------------------------------

@test "alignment checks over a first touch" {
	edges signal_alignment:touch
	by_signal edges signal_alignment:odd
}

# Each takes a second of processor time before it is killed.
@test "alignment checks over a system call" {
	ENGINES=(guard) ENDS=(auto)
	edges signal_alignment:call signal_alignment:signal
}

@test "handlers that spoil a segment register" { edges signal_segments:{cs,ss}:{10,11,31}; }
@test "single steps over system calls and first touches" { edges signal_trap_flag; }
@test "rcx and r11 after a system call" { edges call_registers; }
@test "error code, trap number and address in contexts" { edges signal_error_codes; }

# ---- lazy paging ends while other threads sleep --------------------------------------------

@test "a futex whose word changes without a wake" {
	REPEATS=3
	edges thread_leave_futex
}

@test "a sleeper is sent a signal just before" {
	ENGINES=(guard)
	REPEATS=3
	edges thread_leave_sleep:{pause,poll,ppoll,select,epoll_wait,sigsuspend,nanosleep,clock_nanosleep}
}

@test "handlers of managed signals are installed then" {
	REPEATS=3 ENGINES=(guard userfaultfd)
	edges thread_leave_handler:join:handler:11 thread_leave_handler:pipe:{handler,default,ignore}:31 \
		thread_leave_handler:pipe:{handler,default}:11
}

@test "a filter for all threads is installed then" {
	REPEATS=20 ENGINES=(guard userfaultfd)
	edges thread_leave_seccomp:{poll,spin,starve,newborn,touch,join,joined}
}

@test "a filter for all threads is installed while another one writes much" {
	requires own_executable
	REPEATS=20 ENGINES=(guard userfaultfd)
	edges thread_leave_seccomp:write
}

@test "a thread waits for this one in a call about a file then" {
	REPEATS=3
	edges thread_leave_open
}

# Where there are other threads, lazy paging ends before execve, except where /proc/self/exe could not be changed: only
# there they wait for a thread in EXECS.
@test "a thread waits for this one in execve then" {
	edges thread_leave_exec
	under "$DENY" prctl=35:EPERM --
	VARIANTS=(glibc-pie)
	edges thread_leave_exec:{lease,ignored}
	by_signal edges thread_leave_exec:default
}

@test "a thread makes calls during an execve, and SIGSYS is ignored" {
	under "$DENY" prctl=35:EPERM --
	edges thread_exec_ignored
}

@test "a lock, a child or a signal to another thread then" { edges thread_leave_call:{lock,waitid,tkill,pidfd}; }

@test "a thread has lost the processor in the middle of a call then" {
	REPEATS=3
	edges thread_keeps_mask
}

@test "handlers without an alternate stack, and faults in them, then" {
	REPEATS=3
	edges thread_leave_fault:{spin,read}
}

@test "the thread that had not left has ended since" {
	REPEATS=3
	edges thread_leave_gone
}

@test "ignored signals are pending then" { edges thread_leave_pending; }

@test "masks of sigsuspend, ppoll and epoll_pwait when one thread has left" { edges thread_suspend_mask; }

# ---- arguments -----------------------------------------------------------------------------

@test "objects that begin in .data and end in .bss" {
	edges call_edges:{msgrcv,msgsnd,semctl_get,semctl_set,ifconf,execve_word,execve_vector} \
		call_edges:{getgroups,setgroups,select,mincore,prctl}
}

@test "futex_requeue on untouched pages" { edges call_futex_requeue; }
@test "mq_notify with a cookie on an untouched page" { edges call_mq_notify; }
@test "signal masks of the wrong length" { edges call_mask_sizes; }
@test "what clone3 refuses" { edges process_clone3_checks; }

# ---- the signals of faults -----------------------------------------------------------------

@test "several of them at once" {
	REPEATS=3
	edges signal_together:{handled,blocked}
}

@test "blocked, in the queue that they were sent to" { edges signal_queues:{7,11,31}:{thread,process}; }

@test "sent to a thread that touches one fresh page after the other" {
	REPEATS=3
	edges thread_signal_faulting:{7,11,31}
}

@test "sent to such a thread where system calls stay intercepted" {
	REPEATS=10 ENGINES=(guard mprotect)
	under "$GUESTS/tools/confine"
	edges thread_signal_faulting:11
}

@test "transfers that an ignored or blocked one interrupts" {
	ENGINES=(guard userfaultfd)
	edges signal_transfer:{ignored,blocked}:{write,receive}:{7,11,31}
}

@test "handlers without SA_RESTART" {
	ENGINES=(guard) ENDS=(auto)
	edges signal_no_restart:{plain,restart}:{7,11,31}
}

@test "queued with the codes of faults" {
	by_signal edges signal_queued_code:default:{11:1,7:2,31:1,4:1,5:1,8:1}
	edges signal_queued_code:{handled,ignored,blocked}:{11:1,7:2,31:1,4:1,5:1,8:1}
}

@test "sent by the end of a child, with its code, while all are blocked" { edges signal_child_code:{7,11,31}; }

@test "queued again with what a handler of a true fault was given" {
	by_signal edges signal_queued_again:{own,elsewhere,forged}
}

# Most take a second of processor time before they are killed.
@test "queued with the code of a dispatched call" {
	ENGINES=(guard) ENDS=(auto)
	by_signal edges signal_queued_code:default:31:2
	edges signal_queued_code:{handled,ignored,blocked}:31:2
}

@test "a signal of faults that is sent to a thread waits for this one" {
	REPEATS=3
	edges signal_thread_waits
}

@test "SA_RESETHAND, and what is shown then" {
	edges signal_reset_flags
	by_signal edges signal_reset_flags:kills
}

# ---- memory --------------------------------------------------------------------------------

@test "rings of the kernel in the middle of .bss" { edges memory_ring_fixed:{socket,packet}:{stays,ends}; }

# Under all_at_once_loader there are none.
@test "a program counts its own page faults" { only_under on_demand_loader,hybrid_loader edges memory_counted; }

@test "another process writes to untouched pages" { edges process_poke:{mem,poke,vector}; }
@test "no memory that becomes executable" { edges memory_mdwe; }

@test "no memory that becomes executable, inherited" {
	# Without dispatch nothing is hidden from such a process, and a named engine says so.
	requires dispatch
	under "$GUESTS/musl-static/memory_mdwe"
	edges {hello,thread_many,signal_threads,process_fork,process_exec}@mdwe
}

@test "personality(READ_IMPLIES_EXEC)" { edges memory_implies_exec:{touch,call}; }

@test "no more mappings" {
	ENGINES=(guard mprotect mmap) ENDS=(never)
	edges memory_no_mappings:{touch,call}
}

# ---- descriptors and /proc -----------------------------------------------------------------

# Where the hard limit is no higher, the descriptor has a number that the program may use: docs/quirks.md.
low_limit() {
	ulimit -Sn 1024
	[ "$(ulimit -Hn)" != 1024 ] || skip "the hard limit of descriptors is 1024 here"
}

@test "numbers of new descriptors" {
	low_limit
	edges descriptor_numbers:{dupfd,dup,open,most}
}

@test "descriptors that the program never opened" {
	low_limit
	edges descriptor_seen:{fstat,stat,readlink,directory,poll,select,fcntl,path,epoll}
	edges descriptor_alike
}

@test "children that share memory or descriptors" {
	low_limit
	edges descriptor_children:{vfork,shared}
}

@test "unusual names of files in /proc" {
	requires own_executable
	edges proc_names:{slashes,dot,up,chdir,openat,root,link,openat2,inside,thread,number}
}

# ---- tracers and limits --------------------------------------------------------------------

@test "a program traces its own child" { edges process_trace_child:{signals,calls,seize,attach,stopped}; }

@test "three descriptors" {
	requires prlimit
	under prlimit --nofile=3:3
	edges hello@three_descriptors
}

# The limit comes down to where the kernel moves the stack.
@test "a stack of 12 KiB" {
	requires prlimit
	local where=small_stack fill=()
	# Other kernels draw at most 4 KiB of the stack, and x86-64's at most 8. With 4 there is room for a loader, unless the
	# environment takes so many bytes and the loader hides pages. hybrid_loader hides none of hello.
	case $MACHINE in
	arm64) where=fuller_stack fill=(env -i "FILL=$(printf '%1500s' '')") ;;
	riscv64) where=fuller_stack fill=(env -i "FILL=$(printf '%3000s' '')") ;;
	esac
	under "${fill[@]}" prlimit --stack=12288:12288
	VARIANTS=(musl-static) ENGINES=(guard userfaultfd) ENDS=(auto)
	REPEATS=200 REPEATS_NOT_LAZY=200
	# Natively the kernel moves the stack, too, and a long environment leaves no room for that.
	ENDED_BY='*' edges "hello@$where"
}
