/*
 * signal_sent WAY NUMBER: a signal, such as one of those that faults raise, is sent by kill,
 * sigqueue and tgkill while it is handled, ignored, blocked, or has its default action.
 */
#include "guest.h"

static union {
	siginfo_t info;
	char pages[2 * 4096];
} seen[16];

static volatile sig_atomic_t handled;

static void on_signal(int number, siginfo_t *info, void *context)
{
	if (handled < 16)
		seen[handled].info = *info;
	handled++;
}

static void send_all(int number)
{
	kill(getpid(), number);
	raise(number);
	sigqueue(getpid(), number, (union sigval){.sival_int = 31});
	syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
}

static void show(int number)
{
	printf("handled %d\n", (int)handled);
	for (int i = 0; i < handled && i < 16; i++) {
		const siginfo_t *info = &seen[i].info;

		printf("code %d, value %d\n", info->si_code,
		       info->si_code == SI_QUEUE ? info->si_value.sival_int : 0);
		check("number and sender", info->si_signo == number && info->si_pid == getpid() &&
					       info->si_uid == getuid() && info->si_errno == 0);
	}
}

int main(int argc, char **argv)
{
	const char *way = WORD(1, "handled", "ignored", "blocked", "killed", "queued", "unblocked");
	int number = argc > 2 ? atoi(argv[2]) : SIGFPE;
	sigset_t set = SET_OF(number);

	printf("%s %d\n", way, number);
	fflush(stdout);
	if (strcmp(way, "handled") == 0) {
		HANDLE_INFO(on_signal, 0, number);
		send_all(number);
	} else if (strcmp(way, "ignored") == 0) {
		signal(number, SIG_IGN);
		send_all(number);
	} else if (strcmp(way, "blocked") == 0) {
		sigprocmask(SIG_BLOCK, &set, NULL);
		HANDLE_INFO(on_signal, 0, number);
		sigqueue(getpid(), number, (union sigval){.sival_int = 32});
		send_all(number);
		check("not handled", handled == 0);
		sigprocmask(SIG_UNBLOCK, &set, NULL);
	} else if (strcmp(way, "killed") == 0) {
		kill(getpid(), number);
	} else if (strcmp(way, "queued") == 0) {
		sigqueue(getpid(), number, (union sigval){.sival_int = 33});
	} else if (strcmp(way, "unblocked") == 0) {
		sigprocmask(SIG_BLOCK, &set, NULL);
		raise(number);
		puts("still here");
		fflush(stdout);
		sigprocmask(SIG_UNBLOCK, &set, NULL);
	}
	show(number);
	mark();
}
