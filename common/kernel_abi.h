/* Constants and structures of the kernel's interface that the C library's headers may lack. */
#ifndef COMMON_KERNEL_ABI_H
#define COMMON_KERNEL_ABI_H

#include <stdint.h>

/* madvise(2) */
#define KERNEL_MADV_POPULATE_READ  22  /* Linux 5.14 */
#define KERNEL_MADV_POPULATE_WRITE 23  /* Linux 5.14 */
#define KERNEL_MADV_GUARD_INSTALL  102 /* Linux 6.13; on private file mappings 6.15 */
#define KERNEL_MADV_GUARD_REMOVE   103

/* arch_prctl(2) */
#define KERNEL_ARCH_SET_GS 0x1001
#define KERNEL_ARCH_SET_FS 0x1002

/* rt_sigaction(2): what the system call takes, which is not the C library's struct. */
struct kernel_sigaction {
	void (*handler)(int, void *, void *); /* or KERNEL_SIG_DFL */
	uint64_t flags;
	void (*restorer)(void);
	uint64_t mask;
};

#define KERNEL_SIG_DFL	   ((void (*)(int, void *, void *))0)
#define KERNEL_SIG_IGN	   ((void (*)(int, void *, void *))1)
#define KERNEL_SA_SIGINFO  UINT64_C(4)
#define KERNEL_SA_RESTORER UINT64_C(0x04000000)
#define KERNEL_SA_ONSTACK  UINT64_C(0x08000000)
#define KERNEL_SIGSET_SIZE 8 /* bytes */

/* The bit of a signal in a kernel signal set. */
#define KERNEL_SIGNAL_BIT(number) (UINT64_C(1) << ((number)-1))

/* prctl(2) */
#define KERNEL_PR_SET_PDEATHSIG 1

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

#endif
