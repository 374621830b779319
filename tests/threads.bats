#!/usr/bin/env bats
# Threads, twenty times each: what they race for comes out the same.

load helpers

@test "threads that touch the same fresh pages at once lose no write" { repeated 20 in_all_variants thread_same_pages; }
@test "hundreds of threads, some on stacks in .bss" { repeated 20 in_all_variants thread_many; }
@test "clone and clone3 without a C library" { repeated 20 in_all_variants thread_raw_clone; }
@test "cancellation in system calls and elsewhere" { repeated 20 in_all_variants thread_cancel; }

@test "system calls of many threads onto fresh pages" {
	repeated 20 in_all_variants thread_calls
	in_all_variants thread_vectors
}

@test "fork while other threads fault" { repeated 20 in_all_variants thread_fork; }

@test "main leaves first, a thread exits for all, one faults, the owner of a mutex dies" {
	for way in robust main_first exit; do
		repeated 20 in_all_variants thread_ends "$way"
	done
	by_signal repeated 20 in_all_variants thread_ends fault
}

@test "the same with every engine, paging ending early and never" {
	local guest failed=0
	for guest in same_pages many cancel calls fork ends; do
		in_every_way in_all_variants "thread_$guest" || failed=1
	done
	return "$failed"
}

@test "clone and clone3 with every engine" { in_every_way in_all_variants thread_raw_clone; }

@test "the same when paging ends in the middle" {
	local guest calls failed=0
	for guest in many cancel calls fork ends; do
		for calls in 10 20 30 40 50; do
			with_options "--retire=$calls"
			only_under on_demand_loader,hybrid_loader in_all_variants "thread_$guest" ||
				failed=1
		done
	done
	return "$failed"
}

@test "cancellation at any instruction" { repeated 5 in_all_variants thread_cancel_storm; }
@test "children of every thread at once" { repeated 5 in_all_variants thread_children; }
@test "sixty-four threads after the same pages" { repeated 5 in_all_variants thread_crowd; }
@test "detached threads that unmap their own stack" { repeated 5 in_all_variants thread_detached; }
@test "the process ends in the middle of it all" { repeated 5 in_all_variants thread_exit_race; }
@test "the first thread is gone" { repeated 5 in_all_variants thread_leader_gone; }
@test "a thread without a stack" { repeated 5 in_all_variants thread_no_stack; }
@test "a thread whose TLS is on fresh pages" { repeated 5 in_all_variants thread_own_tls; }
@test "turns by locks on fresh pages" { repeated 5 in_all_variants thread_ping_pong; }
@test "the kernel and sixteen threads write to the same pages" { repeated 5 in_all_variants thread_same_calls; }
@test "a user ID set in every thread" { repeated 5 in_all_variants thread_setid; }

@test "a lock in the list of a thread that ends, after one that was never touched" {
	in_every_way in_all_variants thread_dead_owner
}

@test "locks shared between processes" { repeated 5 in_all_variants thread_shared_locks; }
@test "signals in a ring" { repeated 5 in_all_variants thread_signal_ring; }
@test "where a thread's stack is" { repeated 5 in_all_variants thread_stack_bounds; }
@test "a timer for each thread" { repeated 5 in_all_variants thread_timers; }
@test "signals for a thread, while others end" { repeated 5 in_all_variants thread_signal_owner; }
@test "thread-local variables of many pages" { repeated 5 in_all_variants thread_tls; }
@test "threads that make threads" { repeated 5 in_all_variants thread_tree; }
@test "neighbours that unmap, protect and touch" { repeated 5 in_all_variants thread_unmap_race; }
