/* How far a session is, for a terminal. */
#include "bench/run/progress.h"

#include <stdio.h>
#include <unistd.h>

#define BAR 30

void progress_text(size_t done, size_t all, uint64_t gone_ns, char text[PROGRESS_LENGTH])
{
	size_t full = all == 0 ? 0 : done * BAR / all;
	char bar[BAR + 1];
	uint64_t left_s;

	for (size_t i = 0; i < BAR; i++)
		bar[i] = i < full ? '#' : '.';
	bar[BAR] = '\0';
	if (done == 0) {
		snprintf(text, PROGRESS_LENGTH, "[%s] %zu of %zu runs", bar, done, all);
		return;
	}
	left_s = gone_ns / done * (all - done) / 1000000000u;
	snprintf(text, PROGRESS_LENGTH, "[%s] %zu of %zu runs, %lu:%02lu left", bar, done, all,
		 (unsigned long)(left_s / 60), (unsigned long)(left_s % 60));
}

void progress_show(size_t done, size_t all, uint64_t gone_ns)
{
	char text[PROGRESS_LENGTH] = "";

	if (!isatty(STDERR_FILENO))
		return;
	if (done < all)
		progress_text(done, all, gone_ns, text);
	/* EL (ECMA-48) erases what an earlier, longer text left on the line. */
	fprintf(stderr, "\r%s\033[K", text);
	fflush(stderr);
}
