/*
 * Names of old system calls. Newer processors lack some of them and have only their successors,
 * such as openat for open. There each name stands for a number that no call has. A comparison with
 * it compiles and is never true.
 */
#pragma once

#include <stdint.h>
#include <sys/syscall.h>

#ifndef SYS_open
#define NO_CALL(which) (UINT64_C(1) << 32 | (which))
#define SYS_open       NO_CALL(0)
#define SYS_stat       NO_CALL(1)
#define SYS_access     NO_CALL(2)
#define SYS_readlink   NO_CALL(3)
#define SYS_dup2       NO_CALL(4)
#define SYS_fork       NO_CALL(5)
#define SYS_vfork      NO_CALL(6)
#endif
