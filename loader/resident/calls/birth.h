/* The arguments of fork, vfork, clone and clone3. */
#pragma once

#include "loader/resident/arch/call.h"

#include <sched.h> /* CLONE_* */
#include <stdbool.h>
#include <stdint.h>

/* CLONE_CLEAR_SIGHAND (Linux 5.5), a flag of clone3 only: handlers become SIG_DFL. */
#define CLEAR_HANDLERS UINT64_C(0x100000000)

/* struct clone_args (linux/sched.h), in all versions so far. */
struct clone3_arguments {
	uint64_t flags, pidfd, child_id, parent_id, exit_signal, stack, stack_bytes, tls;
	uint64_t ids, id_count, cgroup;
};

/*
 * The common form of the four system calls: the arguments of clone3, which include those of clone.
 */
struct birth {
	struct clone3_arguments arguments; /* without the stack: the loader provides it */
	uint64_t stack; /* the child's stack pointer; 0: the same as the parent's */
	bool is_clone3;
	uint64_t length; /* bytes that the program passed for the arguments of clone3 */
};

/*
 * The flags of a clone or clone3. vfork gives CLONE_VFORK, fork gives 0.
 */
uint64_t birth_flags(const struct call *call);

/*
 * Reads the arguments of a call, and reveals what they point to. Returns 0, or -errno for arguments
 * that the kernel would refuse before it checks anything else.
 */
long birth_read(const struct call *call, struct birth *birth);
