#!/usr/bin/env bats
#
# What programs do with signals: each guest must see the same natively and under the loaders. Their
# buffers, masks, structures and stacks are pages that the program never touched, which the kernel is
# given as they are.

load helpers

@test "what a handler is told of a signal that was sent" { repeated 5 in_all_variants signal_info; }
@test "SA_NODEFER, SA_RESETHAND, sa_mask, and signals raised in handlers" { in_all_variants signal_flags; }
@test "system calls interrupted and restarted" { repeated 10 in_all_variants signal_interrupt; }
@test "the signal mask, with the signals of faults in it" { in_all_variants signal_mask; }
@test "pending signals, standard ones and queued ones" { in_all_variants signal_pending; }
@test "sigsuspend" { repeated 20 in_all_variants signal_suspend; }
@test "ppoll, pselect and epoll_pwait with masks" { repeated 3 in_all_variants signal_wait_masks; }
@test "sigtimedwait and sigwaitinfo" { repeated 5 in_all_variants signal_timedwait; }
@test "signalfd" { repeated 3 in_all_variants signal_fd; }
@test "sigaltstack: set, asked for, switched off, refused" { in_all_variants signal_altstack; }
@test "handlers on alternate stacks, nested, with SS_AUTODISARM" { in_all_variants signal_on_stack; }
@test "siglongjmp out of handlers, thousands of times" { repeated 3 in_all_variants signal_longjmp; }
@test "a context that the handler changed" { in_all_variants signal_context; }
@test "what a handler is told of the program's own faults" { in_all_variants signal_fault_info; }
@test "vector and floating point registers across a handler" { repeated 3 in_all_variants signal_float; }
@test "general registers, flags and the red zone across a handler" { repeated 3 in_all_variants signal_registers; }
@test "a garbage collector's protected pages" { repeated 3 in_all_variants signal_collector; }
@test "null pointers found by SIGSEGV" { repeated 3 in_all_variants signal_null_check; }

@test "stack overflow handled on an alternate stack" {
	repeated 3 in_all_variants signal_overflow
	in_all_variants signal_overflow exit
}

@test "no stack for a frame, and no frame to return from" {
	for way in deliver return; do
		by_signal in_all_variants signal_no_frame "$way"
		in_all_variants signal_no_frame "$way" caught
	done
	by_signal in_all_variants signal_no_frame overflow
}

@test "memory beyond the end of its file" {
	in_all_variants signal_bus
	by_signal in_all_variants signal_bus default
}

@test "signals of faults, sent" {
	# ILL, TRAP, BUS, FPE, SEGV, SYS
	for number in 4 5 7 8 11 31; do
		for way in handled ignored blocked; do
			in_all_variants signal_sent "$way" "$number"
		done
	done
}

@test "a call is made once where the kernel drops the news of it" {
	with_options --retire=never
	only_under on_demand_loader,hybrid_loader repeated 5 in_all_variants signal_dropped_call
}

@test "signals of faults, sent, kill" {
	for number in 4 5 7 8 11 31; do
		for way in killed queued unblocked; do
			by_signal in_all_variants signal_sent "$way" "$number"
		done
	done
}

@test "faults that cannot be handled kill by SIGSEGV" {
	for way in handled ignored blocked default reset no_alternate_stack bad_alternate_stack \
		bad_stack_pointer; do
		by_signal in_all_variants signal_fatal "$way"
	done
}

@test "untouched pages while SIGSEGV is blocked, ignored or being handled" {
	repeated 5 in_all_variants signal_paging_masked
}

@test "bad pointers given to system calls" { in_all_variants signal_bad_pointers; }
@test "rt_sigaction reports what was set, and refuses" { in_all_variants signal_actions; }
@test "SIGCHLD, ignored, with its flags, and handled by waiting" { repeated 20 in_all_variants signal_child; }
@test "two timers at 5 kHz" { repeated 20 in_all_variants signal_storm; }
@test "signals queued by two children" { repeated 20 in_all_variants signal_kill_storm; }

@test "abort and handlers of SIGABRT" {
	for way in default returns ignored blocked handler fault; do
		by_signal in_all_variants signal_abort "$way"
	done
	in_all_variants signal_abort jumps
}

@test "SIGPIPE" {
	in_all_variants signal_pipe
	by_signal in_all_variants signal_pipe default
}

@test "children stopped and continued" { repeated 20 in_all_variants signal_stop; }

@test "exec: ignored, handled, blocked and pending signals" {
	for way in caught ignored blocked pending; do
		in_all_variants signal_exec "$way"
	done
}

@test "exec by children: fork, vfork, posix_spawn, system" {
	for way in fork vfork spawn system; do
		repeated 3 in_all_variants signal_exec "$way"
	done
}

@test "signals on a stack of untouched pages" { repeated 20 in_all_variants signal_untouched_stack; }
@test "signals and fork" { repeated 5 in_all_variants signal_fork; }
@test "signals and threads" { repeated 20 in_all_variants signal_threads; }

@test "storms of signals that usually mean a fault" {
	for number in 7 11 31; do
		repeated 20 in_all_variants signal_fault_storm $number
		in_every_way in_all_variants signal_fault_storm $number
	done
}

@test "signals of faults one by one, while threads begin and end" {
	in_every_way in_all_variants signal_each 7
	in_every_way in_all_variants signal_each 11
}

@test "signals of faults to a child that has just been made" {
	repeated 3 in_every_way only_under on_demand_loader,hybrid_loader in_all_variants signal_newborn 7
	repeated 3 in_every_way only_under on_demand_loader,hybrid_loader in_all_variants signal_newborn 11
}

@test "the first process of a PID namespace does not die of signals of faults that are sent" {
	requires user_namespaces
	under unshare --user --map-root-user --pid --fork
	in_every_way in_all_variants signal_first_process
	with_options --guard=none
	only_under on_demand_loader,hybrid_loader in_all_variants signal_first_process
	grep -x 'process 1: yes' "$BATS_TEST_TMPDIR/native.out"
}

@test "signals of faults that are pending, and blocked, from before the start" {
	requires perl
	under perl -MPOSIX -e 'sigprocmask(SIG_BLOCK, POSIX::SigSet->new(7, 10, 11, 31)); kill $_ => $$ for 11, 7, 31, 10; exec @ARGV' --
	in_every_way in_all_variants signal_inherited
	[ "$(grep -c 'pending 1' "$BATS_TEST_TMPDIR/native.out")" = 4 ]
}

# What the processor's last exception was about is known to be lost where lazy paging has ended.
@test "what a handler has of before: exceptions, a stack segment, an alternate stack" {
	for engine in $(engines_here); do
		LOADER_OPTIONS="--engine=$engine --retire=never" \
			only_under on_demand_loader,hybrid_loader in_all_variants signal_leftovers
	done
}

# Whatever instruction a handler of ours is at, the signal comes through, and before the program goes on.
@test "signals of faults, one at each place of what a handler of ours does" {
	of_this_processor "$GUESTS/tools/each_step"
	requires ptrace lazy
	while read -r way stride; do
		for number in 7 11; do
			count=$("$GUESTS/tools/each_step" $number "$stride" \
				"$ROOT/hybrid_loader" --retire=never --engine=mprotect "$GUESTS/musl-static/signal_stepped" $number "$way")
			native=$("$GUESTS/tools/each_step" $number "$stride" "$GUESTS/musl-static/signal_stepped" $number "$way")
			echo "$way, signal $number: $count; natively $native"
			[ "${count% places}" -gt $((3 * ${native% places})) ]
		done
	done <<-'END'
		call 3
		touch 47
		describe 47
		handler 113
		block 113
		fork 113
	END
}
