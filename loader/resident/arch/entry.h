/* The parts of the processor's entry.S that other resident code uses. Async-signal-safe. */
#pragma once

#include "common/arch/arch.h"
#include "common/arch/syscall.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Calls a function in a child, a process or a thread, on the unused part of the caller's stack.
 * The caller continues when the child has exited; the function must exit. `flags` are those of
 * clone(2), with CLONE_VM and CLONE_VFORK and without any that takes an address. Returns the
 * child's ID, or -errno.
 */
long entry_in_child(uint64_t flags, void (*function)(void *argument), void *argument);

/*
 * Sets the thread pointer to 0, as a program finds it. If it is a general register, entry.S does
 * that.
 */
static inline void entry_clear_thread_pointer(void);

/*
 * The departure stub (launch.h) ends with a jump to the program's entry. The jump is written into a
 * copy of the stub when the end of the copy is known. The first function checks whether the jump
 * reaches the entry; the second writes it.
 */
static inline bool entry_stub_reaches(uint64_t end, uint64_t entry);
static inline void entry_stub_finish(uint64_t end, uint64_t entry);

#include ARCH_HEADER(entry.h)
