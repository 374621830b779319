/*
 * signal_suspend: sigsuspend runs the handler under the temporary mask, and puts the old one back.
 * The masks lie on pages that were never touched.
 */
#include "guest.h"

static const struct {
	char before[2 * 4096];
	uint64_t set;
	char after[2 * 4096];
} temporary[] = {{.set = BIT(SIGUSR2) | BIT(SIGALRM) | BIT(SIGCHLD) | BIT(SIGHUP)},
		 {.set = BIT(SIGUSR2) | BIT(SIGALRM) | BIT(SIGCHLD) | BIT(SIGSEGV)},
		 {.set = ~BIT(SIGHUP)}};

static FRESH(uint64_t in_handler, in_context) seen;

static volatile sig_atomic_t handled;

static void on_signal(int number, siginfo_t *info, void *context)
{
	seen.in_handler = mask_now();
	memcpy(&seen.in_context, &((ucontext_t *)context)->uc_sigmask, sizeof(uint64_t));
	handled = number;
}

static void suspend(const char *what, const uint64_t *set)
{
	long result = syscall(SYS_rt_sigsuspend, set, 8);

	printf("%s: interrupted %d, by %d, mask in handler %#lx, in context %#lx, after %#lx\n",
	       what, result == -1 && errno == EINTR, (int)handled, (unsigned long)seen.in_handler,
	       (unsigned long)seen.in_context, (unsigned long)mask_now());
	handled = 0;
}

/* "Faults" are signals of faults the second time: blocking those ends lazy paging. */
static void suspend_all(int fault, uint64_t blocked)
{
	static FRESH(uint64_t set) none;

	HANDLE_INFO(on_signal, 0, SIGUSR1, SIGUSR2, fault, SIGCHLD);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &blocked, NULL, 8);

	raise(SIGUSR1);
	suspend("own signal", &temporary[fault == SIGSEGV].set);
	raise(fault);
	check("a fault's signal stays blocked", handled == 0);
	suspend("fault's signal", &none.set);

	pid_t pid = fork();

	if (pid == 0) {
		kill(getppid(), fault);
		kill(getppid(), SIGUSR1);
		_exit(0);
	}
	suspend("child's signal", &temporary[fault == SIGSEGV].set);
	check("it is still pending", handled == 0);
	suspend("child's other signal", &(uint64_t){BIT(SIGCHLD)});
	suspend("end of the child", &none.set);
	check("waited for", wait(NULL) == pid);
	check("no set", syscall(SYS_rt_sigsuspend, NULL, 8) == -1 && errno == EFAULT);
	check("wrong size", syscall(SYS_rt_sigsuspend, &none.set, 128) == -1 && errno == EINVAL);
}

int main(void)
{
	suspend_all(SIGHUP, BIT(SIGUSR1) | BIT(SIGCHLD) | BIT(SIGHUP));
	raise(SIGHUP);
	suspend("all but one", &temporary[2].set);
	mark();
	suspend_all(SIGSEGV, BIT(SIGUSR1) | BIT(SIGBUS) | BIT(SIGCHLD) | BIT(SIGSEGV));
}
