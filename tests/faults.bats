#!/usr/bin/env bats
#
# Faults and signals that are the program's own: it must end as it does natively.

load helpers

@test "writing to .text kills by SIGSEGV" { by_signal in_all_variants wild_access write_text; }
@test "writing to .rodata kills by SIGSEGV" { by_signal in_all_variants wild_access write_constant; }

@test "executing .data, .bss and the stack kills by SIGSEGV" {
	for way in execute_data execute_bss execute_stack; do
		by_signal in_all_variants wild_access "$way"
	done
}

@test "accesses outside the program kill by SIGSEGV" {
	for way in write_null unmapped non_canonical kernel_half; do
		by_signal in_all_variants wild_access "$way"
	done
}

@test "jumps outside the program kill by SIGSEGV" {
	by_signal in_all_variants wild_access jump_null
	by_signal in_all_variants wild_access jump_non_canonical
}

@test "running out of stack kills by SIGSEGV" { by_signal in_all_variants wild_access stack_overflow; }

@test "divisions by zero and illegal instructions" {
	# Only x86-64 has a trap for it.
	ENDED_BY='*' in_all_variants wild_access divide_by_zero
	by_signal in_all_variants wild_access illegal_instruction
}

@test "abort, with output still buffered" { by_signal in_all_variants aborts; }

@test "signals that the program sends to itself" {
	# INT, ABRT, BUS, KILL, USR1, SEGV, PIPE, TERM, SYS, the first real-time one
	for number in 2 6 7 9 10 11 13 15 31 35; do
		by_signal in_all_variants raise_signal "$number"
	done
	# CHLD is ignored.
	in_all_variants raise_signal 17
}
