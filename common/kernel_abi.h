/* Constants and structures of the kernel's interface that the C library's headers may lack. */
#pragma once

#include "common/arch/machine.h"

#include <stdint.h>

/* Numbers of system calls that headers of 2020 lack; they are the same on all processors. */
#define KERNEL_SYS_CLOSE_RANGE	   436 /* Linux 5.9 */
#define KERNEL_CLOSE_RANGE_UNSHARE 2
#define KERNEL_SYS_OPENAT2	   437 /* Linux 5.6 */
#define KERNEL_SYS_FACCESSAT2	   439 /* Linux 5.8 */
#define KERNEL_SYS_PROCESS_MADVISE 440 /* Linux 5.10 */

#define KERNEL_SYS_PIDFD_OPEN 434 /* Linux 5.3 */
#define KERNEL_SYS_MSEAL      462 /* Linux 6.10 */

/* openat2(2): struct open_how */
struct kernel_open_how {
	uint64_t flags, mode, resolve;
};
#define KERNEL_RESOLVE_NO_SYMLINKS 4

#define KERNEL_RWF_NOWAIT 8 /* preadv2(2), Linux 4.14 */

#define KERNEL_PROC_MAGIC 0x9fa0 /* statfs(2), of procfs */

/* madvise(2) */
#define KERNEL_MADV_PAGEOUT	    21	/* Linux 5.4 */
#define KERNEL_MADV_POPULATE_READ   22	/* Linux 5.14 */
#define KERNEL_MADV_POPULATE_WRITE  23	/* Linux 5.14 */
#define KERNEL_MADV_DONTNEED_LOCKED 24	/* Linux 5.18 */
#define KERNEL_MADV_COLLAPSE	    25	/* Linux 6.1 */
#define KERNEL_MADV_GUARD_INSTALL   102 /* Linux 6.13; on private file mappings 6.15 */
#define KERNEL_MADV_GUARD_REMOVE    103

#define KERNEL_MREMAP_DONTUNMAP 4 /* mremap(2), Linux 5.7; of a file 5.13 */

/* rt_sigaction(2) */
#define KERNEL_SIG_DFL	    ((void (*)(int, void *, void *))0)
#define KERNEL_SIG_IGN	    ((void (*)(int, void *, void *))1)
#define KERNEL_SA_NOCLDSTOP UINT64_C(1)
#define KERNEL_SA_NOCLDWAIT UINT64_C(2)
#define KERNEL_SA_SIGINFO   UINT64_C(4)
#define KERNEL_SA_EXPOSE    UINT64_C(0x00000800) /* SA_EXPOSE_TAGBITS */
#define KERNEL_SA_ONSTACK   UINT64_C(0x08000000)
#define KERNEL_SA_RESTART   UINT64_C(0x10000000)
#define KERNEL_SA_NODEFER   UINT64_C(0x40000000)
#define KERNEL_SA_RESETHAND UINT64_C(0x80000000)
#define KERNEL_SIGSET_SIZE  8 /* bytes */

/* The bit of a signal in a kernel signal set. */
#define KERNEL_SIGNAL_BIT(number) (UINT64_C(1) << ((number)-1))

/* sigaltstack(2) */
#define KERNEL_SS_AUTODISARM (INT32_C(-2147483647) - 1) /* bit 31 */

#define KERNEL_AT_EXECVE_CHECK 0x10000 /* execveat(2), Linux 6.14 */

/* prctl(2), PR_SET_SECUREBITS, Linux 6.14 */
#define KERNEL_SECBIT_EXEC_RESTRICT_FILE    (1 << 8)
#define KERNEL_SECBIT_EXEC_DENY_INTERACTIVE (1 << 10)

/* prctl(2) */
#define KERNEL_PR_SET_PDEATHSIG		    1
#define KERNEL_PR_SET_SECCOMP		    22
#define KERNEL_PR_SET_PTRACER		    0x59616d61
#define KERNEL_PR_SET_MDWE		    65 /* Linux 6.3 */
#define KERNEL_PR_GET_MDWE		    66
#define KERNEL_PR_SET_SYSCALL_USER_DISPATCH 59 /* Linux 5.11 */
#define KERNEL_PR_SYS_DISPATCH_OFF	    0
#define KERNEL_PR_SYS_DISPATCH_ON	    1

/* si_code of a SIGSYS that comes from dispatch. */
#define KERNEL_SYS_USER_DISPATCH 2

/* prctl(2), PR_SET_MM_MAP: the whole of it at once, without privilege unless exe_fd is set. */
#define KERNEL_PR_SET_MM     35
#define KERNEL_PR_SET_MM_MAP 14

struct kernel_mm_map {
	uint64_t start_code, end_code;
	uint64_t start_data, end_data;
	uint64_t start_brk, brk;
	uint64_t start_stack;
	uint64_t arg_start, arg_end;
	uint64_t env_start, env_end;
	const uint64_t *auxv;
	uint32_t auxv_size; /* bytes */
	uint32_t exe_fd;    /* or KERNEL_NO_EXE */
};

#define KERNEL_NO_EXE UINT32_MAX

/* capget(2); musl has no linux/capability.h. */
#define KERNEL_CAPABILITY_VERSION     UINT32_C(0x20080522)
#define KERNEL_CAP_SYS_ADMIN	      21
#define KERNEL_CAP_CHECKPOINT_RESTORE 40 /* Linux 5.9 */

struct kernel_capability_header {
	uint32_t version;
	int32_t process; /* 0: this one */
};

/* capget(2) fills two of these: capabilities 0 to 31 and 32 to 63. */
struct kernel_capabilities {
	uint32_t effective, permitted, inheritable;
};

/* kcmp(2): whether two threads share memory */
#define KERNEL_KCMP_VM 1

/* futex(2): not the private kind, because a child may share this memory without being a thread */
#define KERNEL_FUTEX_WAIT	     0
#define KERNEL_FUTEX_WAKE	     1
#define KERNEL_FUTEX_LOCK_PI	     6
#define KERNEL_FUTEX_WAIT_BITSET     9
#define KERNEL_FUTEX_WAIT_REQUEUE_PI 11
#define KERNEL_FUTEX_LOCK_PI2	     13
#define KERNEL_FUTEX_COMMAND	     127 /* without FUTEX_PRIVATE_FLAG and FUTEX_CLOCK_REALTIME */

/*
 * The bits of a robust futex with the ID of the thread that holds it; the kernel clears them when
 * that thread has ended.
 */
#define KERNEL_FUTEX_OWNER 0x3fffffff

/* set_robust_list(2): a ring of entries that starts with this one. */
struct kernel_robust_list {
	struct kernel_robust_list *next;
	int64_t futex_offset; /* offset from an entry to its futex */
	struct kernel_robust_list *pending;
};

/* seccomp(2), with its filter programs (classic BPF). musl has no linux/seccomp.h. */
#define KERNEL_FILTER_LOAD     0x20 /* BPF_LD | BPF_W | BPF_ABS */
#define KERNEL_FILTER_IF_EQUAL 0x15 /* BPF_JMP | BPF_JEQ | BPF_K */
#define KERNEL_FILTER_RETURN   0x06 /* BPF_RET | BPF_K */
#define KERNEL_FILTER_KILL     UINT32_C(0x80000000)
#define KERNEL_FILTER_ALLOW    UINT32_C(0x7fff0000)

struct kernel_filter_data {
	int32_t number;
	uint32_t architecture;
	uint64_t instruction, arguments[6];
};

struct kernel_filter_step {
	uint16_t code;
	uint8_t if_true, if_false; /* number of steps to skip */
	uint32_t value;
};

struct kernel_filter_program {
	uint16_t count;
	const struct kernel_filter_step *steps;
};

/* wait4(2): children of any kind */
#define KERNEL_WALL UINT64_C(0x40000000)

/* Stands for a descriptor of the calling process (Linux 6.14). */
#define KERNEL_PIDFD_SELF (-10001)

#define KERNEL_MFD_CLOEXEC 1 /* memfd_create(2) */

/* userfaultfd(2), ioctl_userfaultfd(2). musl has no linux/userfaultfd.h. */
#define KERNEL_UFFD_API			  UINT64_C(0xaa)
#define KERNEL_UFFD_USER_MODE_ONLY	  1 /* Linux 5.11: needs no privilege then */
#define KERNEL_UFFD_FEATURE_SIGBUS	  (UINT64_C(1) << 7)
#define KERNEL_UFFD_FEATURE_WP_ASYNC	  (UINT64_C(1) << 15) /* Linux 6.7 */
#define KERNEL_UFFD_FEATURE_MOVE	  (UINT64_C(1) << 16) /* Linux 6.8 */
#define KERNEL_UFFDIO_API		  UINT64_C(0xc018aa3f)
#define KERNEL_UFFDIO_REGISTER		  UINT64_C(0xc020aa00)
#define KERNEL_UFFDIO_UNREGISTER	  UINT64_C(0x8010aa01)
#define KERNEL_UFFDIO_COPY		  UINT64_C(0xc028aa03)
#define KERNEL_UFFDIO_ZEROPAGE		  UINT64_C(0xc020aa04)
#define KERNEL_UFFDIO_MOVE		  UINT64_C(0xc028aa05)
#define KERNEL_UFFD_REGISTER_MODE_MISSING UINT64_C(1)
#define KERNEL_UFFD_REGISTER_MODE_WP	  UINT64_C(2)

struct kernel_uffd_api {
	uint64_t api, features, ioctls;
};

struct kernel_uffd_range {
	uint64_t start, length;
};

struct kernel_uffd_register {
	struct kernel_uffd_range range;
	uint64_t mode, ioctls;
};

/* The argument of UFFDIO_COPY and UFFDIO_MOVE. */
struct kernel_uffd_copy {
	uint64_t to, from, length, mode;
	int64_t done; /* bytes, or -errno */
};

struct kernel_uffd_zeropage {
	struct kernel_uffd_range range;
	uint64_t mode;
	int64_t done; /* bytes, or -errno */
};

/* Entries of /proc/PID/pagemap, one per page: Documentation/admin-guide/mm/pagemap.rst. */
#define KERNEL_PAGEMAP_PRESENT	 (UINT64_C(1) << 63)
#define KERNEL_PAGEMAP_SWAPPED	 (UINT64_C(1) << 62)
#define KERNEL_PAGEMAP_OF_FILE	 (UINT64_C(1) << 61) /* or shared memory */
#define KERNEL_PAGEMAP_GUARD	 (UINT64_C(1) << 58) /* Linux 6.15 */
#define KERNEL_PAGEMAP_EXCLUSIVE (UINT64_C(1) << 56)
#define KERNEL_PAGEMAP_FRAME	 ((UINT64_C(1) << 55) - 1) /* 0 without privilege */

/* ioctl(2) of /proc/PID/pagemap: Documentation/admin-guide/mm/pagemap.rst, Linux 6.7. */
#define KERNEL_PAGEMAP_SCAN    UINT64_C(0xc0606610)
#define KERNEL_PAGE_IS_FILE    (UINT64_C(1) << 2)
#define KERNEL_PAGE_IS_PRESENT (UINT64_C(1) << 3)
#define KERNEL_PAGE_IS_HUGE    (UINT64_C(1) << 6)

struct kernel_page_region {
	uint64_t start, end, categories;
};

struct kernel_pm_scan {
	uint64_t size, flags, start, end, walk_end; /* size: of this struct */
	uint64_t regions, region_count, page_count_max;
	uint64_t category_inverted, category_mask, category_anyof_mask, return_mask;
};
