/* signal_pipe [default]: SIGPIPE handled, ignored, blocked, and the death of the process by it. */
#include "guest.h"

#include <sys/socket.h>

static const char text[5 * 4096] = {[0 ... 5 * 4096 - 1] = 'x'};
static char area[5 * 4096];
static volatile sig_atomic_t handled;

static void on_signal(int number)
{
	handled = number;
}

int main(int argc, char **argv)
{
	static const struct timespec now;
	int ends[2], pair[2];
	sigset_t set = SET_OF(SIGPIPE);

	must(pipe(ends) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
	close(ends[0]);
	close(pair[0]);
	if (strcmp(WORD(1, "handled", "default"), "default") == 0) {
		puts("last words");
		fflush(stdout);
		check("killed", write(ends[1], text + 4096, 8192) == -1);
	}
	signal(SIGPIPE, on_signal);
	check("handled",
	      write(ends[1], text + 8192, 100) == -1 && errno == EPIPE && handled == SIGPIPE);
	handled = 0;
	check("socket",
	      send(pair[1], text + 3 * 4096, 100, 0) == -1 && errno == EPIPE && handled == SIGPIPE);
	handled = 0;
	check("without a signal",
	      send(pair[1], text, 100, MSG_NOSIGNAL) == -1 && errno == EPIPE && handled == 0);
	sigprocmask(SIG_BLOCK, &set, NULL);
	check("blocked", write(ends[1], area + 8192, 100) == -1 && errno == EPIPE && handled == 0);
	check("taken", sigtimedwait(&set, NULL, &now) == SIGPIPE);
	check("but once", sigtimedwait(&set, NULL, &now) == -1 && errno == EAGAIN);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	check("ignored", write(ends[1], text, sizeof(text)) == -1 && errno == EPIPE);
	mark();
}
