/* signal_fd: signals read from a signalfd into untouched pages, those of faults among them. */
#include "guest.h"

#include <sys/signalfd.h>

static const struct {
	char before[2 * 4096];
	uint64_t set;
	char after[2 * 4096];
} watched[] = {{.set = BIT(SIGUSR1) | BIT(SIGALRM) | BIT(45)},
	       {.set = BIT(SIGUSR1) | BIT(SIGSEGV) | BIT(SIGSYS) | BIT(SIGALRM) | BIT(45)}};

/* Seven of them span three pages. */
static struct {
	char before[3 * 4096];
	char align[4096 - 2 * sizeof(struct signalfd_siginfo)];
	struct signalfd_siginfo infos[40];
	char after[3 * 4096];
} far;

static void show(int descriptor)
{
	ssize_t size = read(descriptor, far.infos, sizeof(far.infos));

	if (size < 0) {
		printf("read: %s\n", strerror(errno));
		return;
	}
	printf("%d signals\n", (int)(size / (ssize_t)sizeof(far.infos[0])));
	for (size_t i = 0; i < (size_t)size / sizeof(far.infos[0]); i++)
		printf("%u, code %d, from us %d, value %d\n", far.infos[i].ssi_signo,
		       far.infos[i].ssi_code, far.infos[i].ssi_pid == (uint32_t)getpid(),
		       far.infos[i].ssi_int);
	memset(far.infos, 0, sizeof(far.infos));
}

/* With signals of faults only the second time: that ends lazy paging. */
static void watch(int faults)
{
	int descriptor = (int)syscall(SYS_signalfd4, -1, &watched[faults].set, 8, SFD_NONBLOCK);
	struct pollfd poll_for = {.fd = descriptor, .events = POLLIN};

	check("opened", descriptor >= 0);
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, &watched[faults].set, NULL, 8);
	show(descriptor);
	if (faults) {
		raise(SIGSEGV);
		kill(getpid(), SIGSYS);
	}
	for (int i = 0; i < 20; i++)
		sigqueue(getpid(), i % 7 == 0 ? SIGUSR1 : 45, (union sigval){.sival_int = i});
	show(descriptor);
	show(descriptor);

	alarm(0);
	ualarm(2000, 0);
	check("poll", poll(&poll_for, 1, -1) == 1 && poll_for.revents == POLLIN);
	show(descriptor);

	const uint64_t fewer = BIT(SIGUSR2);

	check("set changed", syscall(SYS_signalfd4, descriptor, &fewer, 8, 0) == descriptor);
	raise(SIGUSR1);
	show(descriptor);
	check("no set", syscall(SYS_signalfd4, -1, NULL, 8, 0) == -1);
	check("wrong size", syscall(SYS_signalfd4, -1, &fewer, 4, 0) == -1 && errno == EINVAL);
	close(descriptor);
}

int main(void)
{
	watch(0);
	mark();
	watch(1);
}
