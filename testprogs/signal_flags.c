/*
 * signal_flags: SA_NODEFER, SA_RESETHAND and sa_mask, by the order in which handlers that raise
 * signals themselves begin and end.
 */
#include "guest.h"

static FRESH(char text[4096]) trace;

static int depth;

static void note(const char *what, int number)
{
	const char *name = number == SIGUSR1   ? "USR1"
			   : number == SIGUSR2 ? "USR2"
			   : number == SIGTERM ? "TERM"
					       : "SEGV";

	strcat(strcat(strcat(trace.text, " "), what), name);
}

static void show(const char *what)
{
	printf("%s:%s\n", what, trace.text);
	trace.text[0] = '\0';
}

static void install(int number, void (*handler)(int), int flags, const int *masked)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

	sigemptyset(&action.sa_mask);
	for (; masked && *masked != 0; masked++)
		sigaddset(&action.sa_mask, *masked);
	sigaction(number, &action, NULL);
}

/* raise() blocks all signals, and one of faults that has to wait ends lazy paging. */
static void send(int number)
{
	kill(getpid(), number);
}

static void raises_itself(int number)
{
	note("+", number);
	if (++depth < 4)
		send(number);
	note("-", number);
}

static void only_notes(int number)
{
	note("+", number);
	note("-", number);
}

static void raises_others(int number)
{
	note("+", number);
	send(SIGSEGV);
	send(SIGUSR2);
	send(SIGTERM);
	send(number);
	note("-", number);
	if (++depth == 2)
		signal(number, SIG_IGN);
}

static void test_reset(int flags)
{
	struct sigaction found;

	install(SIGUSR2, only_notes, SA_RESETHAND | flags, NULL);
	send(SIGUSR2);
	show("reset");
	sigaction(SIGUSR2, NULL, &found);
	check("is the default again", found.sa_handler == SIG_DFL);

	pid_t pid = fork();

	if (pid == 0) {
		send(SIGUSR2);
		_exit(1);
	}
	check("the next one kills", WTERMSIG(end_of(pid)) == SIGUSR2);
}

int main(void)
{
	static const int masked[] = {SIGUSR2, SIGSEGV, 0};

	install(SIGUSR1, raises_itself, SA_NODEFER, NULL);
	send(SIGUSR1);
	show("not deferred");
	depth = 0;
	install(SIGUSR1, raises_itself, 0, NULL);
	send(SIGUSR1);
	show("deferred");
	depth = 0;
	install(SIGSEGV, raises_itself, SA_NODEFER, NULL);
	send(SIGSEGV);
	show("not deferred");

	test_reset(0);
	test_reset(SA_NODEFER);
	test_reset(SA_SIGINFO);
	mark();

	depth = 0;
	install(SIGUSR1, raises_others, 0, masked);
	install(SIGUSR2, only_notes, 0, NULL);
	install(SIGTERM, only_notes, 0, NULL);
	install(SIGSEGV, only_notes, 0, NULL);
	send(SIGUSR1);
	show("masked");
}
