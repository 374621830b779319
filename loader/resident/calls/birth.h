/* What a program asks for with fork, vfork, clone and clone3. */
#ifndef LOADER_RESIDENT_CALLS_BIRTH_H
#define LOADER_RESIDENT_CALLS_BIRTH_H

#include "loader/resident/arch/signal_frame.h"

#include <sched.h> /* CLONE_* */
#include <stdbool.h>
#include <stdint.h>

/* CLONE_CLEAR_SIGHAND (Linux 5.5), of clone3 only: handlers become SIG_DFL. */
#define CLEAR_HANDLERS UINT64_C(0x100000000)

/* struct clone_args (linux/sched.h), all versions so far. */
struct clone3_arguments {
	uint64_t flags, pidfd, child_id, parent_id, exit_signal, stack, stack_bytes, tls;
	uint64_t ids, id_count, cgroup;
};

/* What the four system calls have in common: the arguments of clone3, in which clone's are found as
 * well. */
struct birth {
	struct clone3_arguments arguments; /* without a stack, which is ours to give */
	uint64_t stack; /* the child's stack pointer; 0: the same as the parent's */
	bool is_clone3;
	uint64_t length; /* of the arguments of clone3, bytes */
};

/* The flags of clone or clone3, which the registers hold; CLONE_VFORK for vfork, none for fork. */
uint64_t birth_flags(const struct kernel_registers *registers);

/*
 * Reads the arguments of the call that the registers hold, and reveals what they point to. 0, or
 * -errno for what the kernel would refuse before it looks at anything else.
 */
long birth_read(const struct kernel_registers *registers, struct birth *birth);

#endif
