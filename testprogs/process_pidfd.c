/*
 * process_pidfd: descriptors of processes: made by clone and clone3 into fresh pages, waited for,
 * polled, and used to send signals with a siginfo that was never touched.
 */
#include "guest.h"

#define WITH_PIDFD	 0x1000
#define WITHOUT_HANDLERS 0x100000000
#define BY_PIDFD	 3
#define OWN_send_signal	 424
#define OWN_pidfd_open	 434

static FRESH(int file) files[3];
static siginfo_t infos[200];
static struct pollfd polled[1000];
static char pages[64 * 4096];
static volatile int handled;

static void on_signal(int number)
{
	handled = number;
}

static long start(int which, uint64_t flags)
{
	const struct {
		uint64_t flags, pidfd, child, parent, signal, stack, bytes, tls;
	} arguments = {
	    .flags = WITH_PIDFD | flags, .pidfd = (uintptr_t)&files[which].file, .signal = SIGCHLD};

	if (which == 0)
		return syscall(SYS_clone, WITH_PIDFD | SIGCHLD, NULL, &files[0].file, NULL, NULL);
	return syscall(SYS_clone3, &arguments, sizeof(arguments));
}

static void finish(int which, pid_t child)
{
	siginfo_t *info = &infos[which * 60];

	polled[which * 400] = (struct pollfd){files[which].file, POLLIN, 0};
	check("has ended", poll(&polled[which * 400], 1, 50000) == 1);
	check("waited for", waitid(BY_PIDFD, (id_t)files[which].file, info, WEXITED) == 0);
	printf("code %d, status %d, own %d\n", info->si_code, info->si_status,
	       info->si_pid == child);
	check("gone",
	      syscall(OWN_send_signal, files[which].file, 0, NULL, 0) == -1 && errno == ESRCH);
}

int main(void)
{
	pid_t child;
	siginfo_t *sent = &infos[199];

	signal(SIGUSR1, on_signal);
	for (int which = 0; which < 3; which++) {
		child = (pid_t)start(which, which == 2 ? WITHOUT_HANDLERS : 0);
		if (child == 0) {
			for (int i = 0; i < 64; i++)
				pages[i * 4096 + which]++;
			if (which == 1)
				for (;;)
					pause();
			if (which == 2)
				kill(getpid(), SIGUSR1);
			_exit(pages[which] + 10);
		}
		check("started", child > 0);
		if (which == 1)
			check("killed",
			      syscall(OWN_send_signal, files[which].file, SIGTERM, NULL, 0) == 0);
		finish(which, child);
	}
	int self = (int)syscall(OWN_pidfd_open, getpid(), 0);

	check("itself", self >= 0);
	sent->si_signo = SIGUSR1;
	sent->si_code = SI_QUEUE;
	check("sent", syscall(OWN_send_signal, self, SIGUSR1, sent, 0) == 0);
	printf("handled %d, sum %d\n", handled, pages[0] + pages[1] + pages[2]);
	mark();
}
