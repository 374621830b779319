/*
 * mark.h: a guest calls mark() after its test. Under the lazy loaders that must be before lazy
 * paging ends; otherwise the guest tests only the kernel. tests/marks.bats looks for the mark in
 * the trace. A guest without a mark gives the reason in its first comment, "No mark: ...".
 */
#pragma once

#include <errno.h>
#include <unistd.h>

/* afs_syscall, elsewhere nfsservctl: no kernel has it, and no other code makes it. errno does not
 * change. */
#ifdef __x86_64__
#define MARK_CALL 183
#else
#define MARK_CALL 42
#endif

static inline void mark(void)
{
#ifdef __x86_64__
	long result = MARK_CALL;

	__asm__ volatile("syscall" : "+a"(result) : : "rcx", "r11", "memory");
#else
	int before = errno;

	syscall(MARK_CALL);
	errno = before;
#endif
}
