/*
 * signal_reset_flags: what rt_sigaction says of a signal whose handler was for one occasion
 * (SA_RESETHAND): the default, with the flags and the mask that the handler had. With "kills" the
 * signal then kills by its default, though a thread has slept since before lazy paging ended.
 */
#include "guest.h"

struct action {
	uint64_t handler, flags, restorer, mask;
};

static volatile char untouched[240 * 4096];
static volatile int handled;
static struct action inside;

static void ask(int number, struct action *action)
{
	syscall(SYS_rt_sigaction, number, NULL, action, 8);
}

static void show(const char *what, const struct action *action)
{
	printf("  %s: %s, flags 0x%lx, mask 0x%lx\n", what,
	       action->handler == 0   ? "default"
	       : action->handler == 1 ? "ignored"
				      : "handled",
	       (unsigned long)action->flags, (unsigned long)action->mask);
}

static void on_signal(int number)
{
	ask(number, &inside);
	handled++;
}

static void try(int number, int flags)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = flags | (int)SA_RESETHAND};
	struct action now;

	action.sa_mask = SET_OF(SIGUSR2);
	printf("signal %d, 0x%x\n", number, (unsigned)flags);
	sigaction(number, &action, NULL);
	ask(number, &now);
	show("before", &now);
	raise(number);
	show("inside", &inside);
	ask(number, &now);
	show("after", &now);
}

static void *sleep_long(void *pointer)
{
	sleep(100);
	return pointer;
}

/* Opening a file of /proc ends lazy paging. */
static void look_into_proc(void)
{
	close(open("/proc/self/stat", O_RDONLY));
}

static void be_killed(void)
{
	pthread_t thread;

	try(SIGUSR1, SA_NODEFER);
	pthread_create(&thread, NULL, sleep_long, NULL);
	usleep(20000);
	look_into_proc();
	fflush(stdout);
	kill(getpid(), SIGUSR1);
}

int main(int argc, char **argv)
{
	static struct action now;
	static const int numbers[] = {SIGUSR1, SIGCHLD, SIGSEGV, SIGBUS, SIGSYS};

	if (strcmp(WORD(1, "keeps", "kills"), "kills") == 0)
		be_killed();
	for (unsigned i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		if (i == 2) {
			mark();
			look_into_proc();
			ask(SIGUSR1, &now);
			show("later", &now);
		}
		try(numbers[i], 0);
		try(numbers[i], SA_RESTART | SA_NODEFER | SA_ONSTACK);
	}
	printf("handled %d\n", handled);
	return untouched[100000];
}
