#!/usr/bin/env bats
# Threads, twenty times each: what they race for comes out the same.

load helpers

twenty_times() {
	local i
	for i in {1..20}; do
		"$@" && continue
		echo "failed at run $i"
		return 1
	done
}

@test "threads that touch the same fresh pages at once lose no write" {
	twenty_times in_all_variants thread_same_pages
}

@test "hundreds of threads, some on stacks in .bss" {
	twenty_times in_all_variants thread_many
}

@test "clone and clone3 without a C library" {
	twenty_times in_all_variants thread_raw_clone
}

@test "cancellation in system calls and elsewhere" {
	twenty_times in_all_variants thread_cancel
}

@test "system calls of many threads onto fresh pages" {
	twenty_times in_all_variants thread_calls
}

@test "fork while other threads fault" {
	twenty_times in_all_variants thread_fork
}

@test "main leaves first, a thread exits for all, one faults, the owner of a mutex dies" {
	for way in robust main_first exit fault; do
		twenty_times in_all_variants thread_ends "$way"
	done
}

@test "the same with every engine, paging ending early and never" {
	local guest failed=0
	for guest in same_pages many raw_clone cancel calls fork ends; do
		in_every_way in_all_variants "thread_$guest" || failed=1
	done
	return "$failed"
}

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
