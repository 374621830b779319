/*
 * mark.h: a guest calls mark() after its test. Under the lazy loaders that must be before lazy
 * paging ends; otherwise the guest tests only the kernel. tests/marks.bats looks for the mark in
 * the trace. A guest without a mark gives the reason in its first comment, "No mark: ...".
 */
#pragma once

/* afs_syscall: no kernel has it, and no other code makes it. errno does not change. */
#define MARK_CALL 183

static inline void mark(void)
{
	long result = MARK_CALL;

	__asm__ volatile("syscall" : "+a"(result) : : "rcx", "r11", "memory");
}
