/* What the processor's entry.S has for other resident code. Async-signal-safe. */
#ifndef LOADER_RESIDENT_ARCH_ENTRY_H
#define LOADER_RESIDENT_ARCH_ENTRY_H

#include "common/arch/arch.h"
#include "common/arch/syscall.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Calls a function in a child, a process or a thread, on the caller's stack: the caller goes on
 * when the child has exited, which the function does. `flags` are those of clone(2), with CLONE_VM
 * and CLONE_VFORK and without any that takes an address. Returns the child's ID, or -errno.
 */
long entry_in_child(uint64_t flags, void (*function)(void *argument), void *argument);

/* The thread pointer becomes 0, as a program finds it. Where it is a register, entry.S does that.
 */
static inline void entry_clear_thread_pointer(void);

/*
 * The departure stub (launch.h) ends with a jump to the program's entry, which a copy of it gets
 * when it is known where the copy ends: whether the jump reaches so far, and writing it.
 */
static inline bool entry_stub_reaches(uint64_t end, uint64_t entry);
static inline void entry_stub_finish(uint64_t end, uint64_t entry);

#include ARCH_HEADER(entry.h)

#endif
