/*
 * call_mask_sizes: pselect6, ppoll, epoll_pwait and sigsuspend with signal masks whose length is
 * wrong, or whose address is; with and without the signals of faults in them.
 */
#include "guest.h"

#include <sys/epoll.h>

static volatile char untouched[240 * 4096];
static const struct timespec none;

static void show(const char *what, uint64_t size, long result)
{
	printf("%s, %lu bytes: %ld, error %d\n", what, (unsigned long)size, result,
	       result < 0 ? errno : 0);
}

static void with_mask(uint64_t mask)
{
	static const uint64_t sizes[] = {8, 4, 0, 16, 128};
	struct epoll_event event;
	int queue = epoll_create1(0);

	for (unsigned i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		uint64_t size = sizes[i], pair[2] = {(uint64_t)&mask, size};
		uint64_t nothing[2] = {0, size}, bad[2] = {16, size};

		show("pselect6", size, syscall(SYS_pselect6, 0, NULL, NULL, NULL, &none, pair));
		show("pselect6 without one", size,
		     syscall(SYS_pselect6, 0, NULL, NULL, NULL, &none, nothing));
		show("pselect6 at 16", size,
		     syscall(SYS_pselect6, 0, NULL, NULL, NULL, &none, bad));
		show("ppoll", size, syscall(SYS_ppoll, NULL, 0, &none, &mask, size));
		show("epoll_pwait", size,
		     syscall(SYS_epoll_pwait, queue, &event, 1, 0, &mask, size));
		if (size != 8)
			show("sigsuspend", size, syscall(SYS_rt_sigsuspend, &mask, size));
	}
	close(queue);
}

int main(void)
{
	struct timespec zero = none;

	puts("SIGTERM");
	with_mask(UINT64_C(1) << (SIGTERM - 1));
	puts("SIGSEGV");
	with_mask(UINT64_C(1) << (SIGSEGV - 1));
	show("a bad pair", 0, syscall(SYS_pselect6, 0, NULL, NULL, NULL, &zero, 8L));
	mark();
	return untouched[100000];
}
