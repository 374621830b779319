/*
 * confine COMMAND [ARG]...
 *
 * Runs a command as a container of Docker's does, in its default confinement: the capabilities that
 * it leaves to root, and the system calls that its seccomp profile denies to those who lack
 * CAP_SYS_ADMIN and others: no namespaces, no userfaultfd, no io_uring, no perf. Not its namespaces
 * and mounts. (moby/profiles/seccomp/default.json; every call of x86-64 that is not in it.)
 */
#include <errno.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CALL_CLONE3 435 /* older headers lack it */
#define NAMESPACES                                                                                 \
	(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |             \
	 CLONE_NEWPID | CLONE_NEWNET)

/*
 * Calls that fail with EPERM. After userfaultfd stand io_uring_setup, _enter, _register, and the
 * mounts' new calls.
 */
static const unsigned denied[] = {
    SYS_acct,
    SYS_add_key,
    SYS_bpf,
    SYS_clock_adjtime,
    SYS_clock_settime,
    SYS_create_module,
    SYS_delete_module,
    SYS_fanotify_init,
    SYS_finit_module,
    SYS_get_kernel_syms,
    SYS_get_mempolicy,
    SYS_init_module,
    SYS_ioperm,
    SYS_iopl,
    SYS_kcmp,
    SYS_kexec_file_load,
    SYS_kexec_load,
    SYS_keyctl,
    SYS_lookup_dcookie,
    SYS_mbind,
    SYS_migrate_pages,
    SYS_mount,
    SYS_move_pages,
    SYS_nfsservctl,
    SYS_open_by_handle_at,
    SYS_perf_event_open,
    SYS_pivot_root,
    SYS_query_module,
    SYS_quotactl,
    SYS_reboot,
    SYS_request_key,
    SYS_set_mempolicy,
    SYS_setdomainname,
    SYS_sethostname,
    SYS_setns,
    SYS_settimeofday,
    SYS_swapoff,
    SYS_swapon,
    SYS_syslog,
    SYS__sysctl,
    SYS_sysfs,
    SYS_umount2,
    SYS_unshare,
    SYS_uselib,
    SYS_ustat,
    SYS_vhangup,
    SYS_vmsplice,
    SYS_userfaultfd,
    425,
    426,
    427,
    428,
    429,
    430,
    431,
    432,
    433,
    442,
};

enum { DENIED = sizeof(denied) / sizeof(denied[0]), INSTRUCTIONS = 2 * DENIED + 16 };

static const unsigned kept[] = {
    CAP_CHOWN,	 CAP_DAC_OVERRIDE, CAP_FSETID,		 CAP_FOWNER,
    CAP_MKNOD,	 CAP_NET_RAW,	   CAP_SETGID,		 CAP_SETUID,
    CAP_SETFCAP, CAP_SETPCAP,	   CAP_NET_BIND_SERVICE, CAP_SYS_CHROOT,
    CAP_KILL,	 CAP_AUDIT_WRITE,
};

static struct sock_filter *add(struct sock_filter *end, unsigned short code, unsigned k,
			       unsigned char yes, unsigned char no)
{
	*end = (struct sock_filter)BPF_JUMP(code, k, yes, no);
	return end + 1;
}

/* The number is loaded: if it is this one, the answer is an error. */
static struct sock_filter *answer(struct sock_filter *end, unsigned call, unsigned error)
{
	end = add(end, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1);
	return add(end, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error, 0, 0);
}

static int deny_calls(void)
{
	struct sock_filter filter[INSTRUCTIONS], *end = filter;
	struct sock_fprog program = {0, filter};

	end = add(end, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
	for (unsigned i = 0; i < DENIED; i++)
		end = answer(end, denied[i], EPERM);
	/* Its flags are in memory, where a filter cannot look; C libraries then use clone. */
	end = answer(end, CALL_CLONE3, ENOSYS);
	end = add(end, BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3);
	end = add(end, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args), 0, 0);
	end = add(end, BPF_JMP | BPF_JSET | BPF_K, NAMESPACES, 0, 1);
	end = add(end, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM, 0, 0);
	end = add(end, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
	program.len = (unsigned short)(end - filter);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0)
		return 0;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
		   ? -1
		   : prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int is_kept(unsigned capability)
{
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
		if (kept[i] == capability)
			return 1;
	return 0;
}

/* Removed from the bounding set, too: exec takes them from root then. Other users have none. */
static void drop_capabilities(void)
{
	for (unsigned i = 0; prctl(PR_CAPBSET_READ, i, 0, 0, 0) >= 0; i++)
		if (!is_kept(i))
			prctl(PR_CAPBSET_DROP, i, 0, 0, 0);
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: confine COMMAND [ARG]...\n");
		return 125;
	}
	if (deny_calls() != 0) {
		perror("confine: seccomp");
		return 125;
	}
	drop_capabilities();
	execvp(argv[1], argv + 1);
	perror(argv[1]);
	return 127;
}
