/* Seccomp filters: some that allow, one that makes a signal, one that asks a thread. */
#include "bench/experiments/fault_cost.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST_INSTRUCTIONS		 64
#define LOAD(member)			 BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define IF_EQUAL(value, then, otherwise) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, then, otherwise)
#define RETURN(action)			 BPF_STMT(BPF_RET | BPF_K, action)

/* Larger than any number of a call or argument here. */
#define NEVER 100000

/* Gives what seccomp(2) gives: a descriptor when the flags ask for one. */
static int install(struct sock_filter *filter, size_t instructions, unsigned int flags)
{
	struct sock_fprog program = {.len = (unsigned short)instructions, .filter = filter};
	long result;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		reading_fail("no_new_privs: %s", strerror(errno));
	result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
	if (result < 0)
		reading_fail("seccomp filter: %s", strerror(errno));
	return (int)result;
}

/*
 * The filter is as a list of forbidden values would be: every comparison but the last ones is made.
 * A filter that looks at the number only may not run at all: since Linux 5.11 the kernel remembers
 * which numbers are allowed in any case.
 */
void arm_filter_allow(const struct call_way *way)
{
	static const struct sock_filter number = LOAD(nr), argument = LOAD(args[0]),
					allow = RETURN(SECCOMP_RET_ALLOW),
					refuse = RETURN(SECCOMP_RET_ERRNO | ENOSYS);
	struct sock_filter filter[MOST_INSTRUCTIONS];
	uint16_t last = (uint16_t)(way->instructions - 1);

	filter[0] = way->looks_at_argument ? argument : number;
	for (uint16_t i = 1; i < last - 1; i++)
		filter[i] = (struct sock_filter)IF_EQUAL(NEVER + i, (uint8_t)(last - i - 1), 0);
	filter[last - 1] = allow;
	filter[last] = refuse;
	install(filter, way->instructions, 0);
}

/* The handler's own call comes from another address. */
void arm_filter_trap(const struct call_way *way)
{
	uint64_t address = (uint64_t)allowed_call_return;
	struct sock_filter filter[] = {
	    LOAD(nr),
	    IF_EQUAL(SYS_getppid, 0, 3),
	    LOAD(instruction_pointer),
	    IF_EQUAL((uint32_t)address, 1, 0),
	    RETURN(SECCOMP_RET_TRAP),
	    RETURN(SECCOMP_RET_ALLOW),
	};

	(void)way;
	fault_cost_catch_sigsys();
	install(filter, sizeof(filter) / sizeof(filter[0]), 0);
}

static int listener = -1;

/* The answering thread has no filter: a filter is of the thread that installs it. */
static void *answer(void *unused)
{
	struct seccomp_notif question;
	struct seccomp_notif_resp reply;
	int fd;

	while ((fd = __atomic_load_n(&listener, __ATOMIC_ACQUIRE)) < 0)
		sched_yield();
	for (;;) {
		memset(&question, 0, sizeof(question));
		if (ioctl(fd, SECCOMP_IOCTL_NOTIF_RECV, &question) != 0) {
			if (errno == EINTR || errno == ENOENT)
				continue;
			reading_fail("receive a notification: %s", strerror(errno));
		}
		reply = (struct seccomp_notif_resp){.id = question.id, .val = getppid()};
		if (ioctl(fd, SECCOMP_IOCTL_NOTIF_SEND, &reply) != 0 && errno != ENOENT)
			reading_fail("answer a notification: %s", strerror(errno));
	}
	return unused;
}

void arm_filter_notify(const struct call_way *way)
{
	struct sock_filter filter[] = {
	    LOAD(nr),
	    IF_EQUAL(SYS_getppid, 0, 1),
	    RETURN(SECCOMP_RET_USER_NOTIF),
	    RETURN(SECCOMP_RET_ALLOW),
	};
	pthread_t thread;
	int fd;

	(void)way;
	errno = pthread_create(&thread, NULL, answer, NULL);
	if (errno != 0)
		reading_fail("no thread: %s", strerror(errno));
	fd = install(filter, sizeof(filter) / sizeof(filter[0]), SECCOMP_FILTER_FLAG_NEW_LISTENER);
	__atomic_store_n(&listener, fd, __ATOMIC_RELEASE);
}
