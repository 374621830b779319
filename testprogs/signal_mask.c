/*
 * signal_mask: rt_sigprocmask as a raw system call. All that it reads and writes lies on untouched
 * pages, and signals of faults are blocked as any other.
 */
#include "guest.h"

#define FAULTS (BIT(SIGSEGV) | BIT(SIGBUS) | BIT(SIGSYS) | BIT(SIGILL) | BIT(SIGFPE) | BIT(SIGTRAP))

/* Sets start in the middle of their second page each. */
struct spread {
	char before[4096 + 2048];
	uint64_t set;
	char after[4096 + 2040];
};

static const struct spread given[] = {{.set = 0},
				      {.set = FAULTS},
				      {.set = ~0UL},
				      {.set = BIT(SIGSEGV) | BIT(SIGUSR1) | BIT(34)},
				      {.set = BIT(SIGHUP) | BIT(33) | BIT(SIGSTOP)},
				      {.set = BIT(SIGUSR2)}};
static struct spread old[24];
static int calls;

static void show(const char *what, int how, const uint64_t *set)
{
	uint64_t *before = &old[calls].set, *after = &old[calls + 1].set;
	long result = syscall(SYS_rt_sigprocmask, how, set, before, sizeof(*set));

	printf("%s: %s", what, result == 0 ? "done" : strerror(errno));
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, after, sizeof(*set));
	printf(", before %#lx, after %#lx\n", (unsigned long)*before, (unsigned long)*after);
	calls += 2;
}

int main(void)
{
	static struct spread both = {.set = FAULTS};

	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &given[0].set, NULL, 8);
	show("block two", SIG_BLOCK, &given[4].set);
	show("block one more", SIG_BLOCK, &given[5].set);
	show("block all", SIG_SETMASK, &given[2].set);
	show("unblock two", SIG_UNBLOCK, &given[4].set);
	show("unblock all", SIG_UNBLOCK, &given[2].set);
	mark();
	show("block faults", SIG_BLOCK, &given[1].set);
	show("block four", SIG_BLOCK, &given[3].set);
	show("unblock faults", SIG_UNBLOCK, &given[1].set);
	show("block all", SIG_SETMASK, &given[2].set);
	show("unblock four", SIG_UNBLOCK, &given[3].set);
	show("no such way", 3, &given[0].set);
	show("no set", 77, NULL);

	long result = syscall(SYS_rt_sigprocmask, SIG_SETMASK, &both.set, &both.set, 8);

	printf("in place: %ld, %#lx\n", result, (unsigned long)both.set);
	check("size 4", syscall(SYS_rt_sigprocmask, SIG_SETMASK, &both.set, NULL, 4) == -1 &&
			    errno == EINVAL);
	check("size 16", syscall(SYS_rt_sigprocmask, SIG_SETMASK, &both.set, NULL, 16) == -1 &&
			     errno == EINVAL);
	check("no set and no old", syscall(SYS_rt_sigprocmask, 99, NULL, NULL, 8) == 0);
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &both.set, 8);
	printf("at the end %#lx\n", (unsigned long)both.set);
}
