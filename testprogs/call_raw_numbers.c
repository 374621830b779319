/*
 * call_raw_numbers: every system call from 0 to 470, with unmapped addresses and with null
 * pointers. Each runs in a child that has no privileges and no descriptors, and must fail with the
 * same error. Calls that wait, end the process or change the machine are left out.
 */
#include "guest.h"

#define CALLS 471

/*
 * Calls that wait, end the process or change the machine; those whose result is an address, an
 * identifier or a time; priorities.
 */
static const short left_out[] __attribute__((aligned(4096))) = {
    SYS_close, SYS_lseek, SYS_brk, SYS_rt_sigreturn, SYS_sched_yield, SYS_nanosleep, SYS_getitimer,
    SYS_setitimer, SYS_getpid, SYS_clone, SYS_execve, SYS_exit, SYS_wait4, SYS_kill, SYS_msgget,
    SYS_flock, SYS_ftruncate, SYS_fchmod, SYS_fchown, SYS_gettimeofday, SYS_times, SYS_ptrace,
    SYS_setpgid, SYS_getppid, SYS_setsid, SYS_getpgid, SYS_getsid, SYS_capset, SYS_rt_sigtimedwait,
    SYS_rt_sigqueueinfo, SYS_rt_sigsuspend, SYS_setpriority, SYS_sched_setscheduler, SYS_mlockall,
    SYS_vhangup, SYS_pivot_root, SYS_adjtimex, SYS_chroot, SYS_sync, SYS_acct, SYS_settimeofday,
    SYS_mount, SYS_umount2, SYS_swapon, SYS_swapoff, SYS_reboot, SYS_sethostname, SYS_setdomainname,
    SYS_init_module, SYS_delete_module, SYS_gettid, SYS_tkill, SYS_sched_setaffinity,
    SYS_set_tid_address, SYS_restart_syscall, SYS_clock_settime, SYS_exit_group, SYS_tgkill,
    SYS_kexec_load, SYS_waitid, SYS_keyctl, SYS_ioprio_set, SYS_pselect6, SYS_ppoll, SYS_unshare,
    SYS_set_robust_list, SYS_vmsplice, SYS_utimensat, SYS_epoll_pwait, SYS_fallocate,
    SYS_rt_tgsigqueueinfo, SYS_clock_adjtime, SYS_syncfs, SYS_setns, SYS_finit_module,
    SYS_sched_setattr, SYS_seccomp, SYS_kexec_file_load, SYS_bpf, SYS_execveat, SYS_userfaultfd,
    SYS_rseq,
#ifdef SYS_setrlimit
    SYS_setrlimit,
#endif
#ifdef SYS_fork /* the calls of old */
    SYS_poll, SYS_select, SYS_pause, SYS_alarm, SYS_fork, SYS_vfork, SYS_getpgrp, SYS_uselib,
    SYS_modify_ldt, SYS_arch_prctl, SYS_iopl, SYS_ioperm, SYS_create_module, SYS_time,
    SYS_set_thread_area, SYS_epoll_wait, SYS_futimesat,
#endif
    /* The same numbers on all processors: pidfd_send_signal, clone3, close_range, epoll_pwait2,
       mount_setattr, landlock_restrict_self, process_mrelease. */
    424, 435, 436, 441, 442, 446, 448};
static int outcome[2][CALLS];

static int is_left_out(int number)
{
	for (size_t i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++)
		if (left_out[i] == number)
			return 1;
	return 0;
}

/* The child's report: the error, or 0 for success. */
static void run(int number, long argument, int *place)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		long result;

		/* The numbers 0 and 1 must not be the machine's devices, nor its processes. */
		syscall(SYS_setresgid, 65534, 65534, 65534);
		syscall(SYS_setresuid, 65534, 65534, 65534);
		syscall(436, 0, ~0U, 0);
		errno = 0;
		result =
		    syscall(number, argument, argument, argument, argument, argument, argument);
		*place = result < 0 ? errno : 0;
		_exit(0);
	}
	waitpid(child, &status, 0);
	if (status != 0)
		*place = 1000 + status;
}

int main(void)
{
	int *shared =
	    mmap(NULL, sizeof(outcome), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	fflush(stdout);
	for (int i = 0; i < CALLS; i++)
		for (long argument = 0; argument <= 1 && !is_left_out(i); argument++) {
			run(i, argument, shared + argument * CALLS + i);
			outcome[argument][i] = shared[argument * CALLS + i];
		}
	for (int i = 0; i < CALLS; i++)
		if (!is_left_out(i))
			printf("%d: %d %d\n", i, outcome[0][i], outcome[1][i]);
	mark();
}
