/*
 * signal_stepped NUMBER WAY: between two breakpoint instructions it does one thing, while each_step
 * sends it a signal at one instruction or another. At the second one the handler has run once, or
 * the exit status is 1.
 *
 * No mark: it cannot run without a tracer.
 */
#include "guest.h"
#include "handled.h"

static volatile char fresh[64][4096];

static void on_alarm(int number)
{
}

static void do_fork(void)
{
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	waitpid(child, NULL, 0);
}

static void do_block(int number)
{
	sigset_t set = SET_OF(number);

	sigprocmask(SIG_BLOCK, &set, NULL);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

int main(int argc, char **argv)
{
	int number = argc > 2 ? atoi(argv[1]) : SIGBUS;
	const char *way = WORD(2, "call", "touch", "describe", "handler", "fork", "block");
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	struct sigaction alarm_action = {.sa_handler = on_alarm};

	sigaction(number, &action, NULL);
	sigaction(SIGALRM, &alarm_action, NULL);
	handled = 0;
	__asm__ volatile("int3");
	if (strcmp(way, "call") == 0)
		syscall(SYS_getpid);
	else if (strcmp(way, "touch") == 0)
		fresh[20][5] = 1;
	else if (strcmp(way, "describe") == 0)
		__asm__ volatile("sgdt %0" : "=m"(fresh[30]));
	else if (strcmp(way, "handler") == 0)
		raise(SIGALRM);
	else if (strcmp(way, "fork") == 0)
		do_fork();
	else if (strcmp(way, "block") == 0)
		do_block(number);
	__asm__ volatile("int3");
	return handled != 1;
}
