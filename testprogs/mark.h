/*
 * mark.h: where a guest has done what it is about. Under the lazy loaders that must be before lazy
 * paging ends, or the guest tests only the kernel: tests/marks.bats looks for the mark in the
 * trace. A guest without one says why in its first comment, "No mark: ...".
 */
#pragma once

/* afs_syscall, which no kernel has: harmless, and nobody else makes it. errno stays as it is. */
#define MARK_CALL 183

static inline void mark(void)
{
	long result = MARK_CALL;

	__asm__ volatile("syscall" : "+a"(result) : : "rcx", "r11", "memory");
}
