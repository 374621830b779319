/*
 * call_futex_requeue: futex_requeue (Linux 6.7): two words on untouched pages of .bss, one of them
 * with a thread that waits.
 */
#include "guest.h"

#define SYS_FUTEX_REQUEUE  456
#define FUTEX_WAIT_PRIVATE 128
#define FUTEX_WAKE_PRIVATE 129
#define SIZE_32_PRIVATE	   (2 | 128)

struct waiter {
	uint64_t value, address;
	uint32_t flags, reserved;
};

static char area[240 * PAGE] __attribute__((aligned(PAGE)));
static int word;

static long requeue(void *from, void *to, int wake, int move)
{
	struct waiter waiters[2] = {{0, (uint64_t)from, SIZE_32_PRIVATE, 0},
				    {0, (uint64_t)to, SIZE_32_PRIVATE, 0}};
	long result = syscall(SYS_FUTEX_REQUEUE, waiters, 0, wake, move);

	return result < 0 ? -errno : result;
}

static void *sleeper(void *unused)
{
	syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	return unused;
}

int main(void)
{
	pthread_t thread;
	long moved = requeue(area + 20 * PAGE, area + 40 * PAGE, 1, 1);

	if (moved == -ENOSYS)
		skip("no futex_requeue here");
	printf("nobody waits: %ld\n", moved);
	pthread_create(&thread, NULL, sleeper, NULL);
	while ((moved = requeue(&word, area + 120 * PAGE, 0, 1)) == 0)
		rest(1);
	printf("moved %ld\n", moved);
	fflush(stdout);
	if (moved < 0)
		_exit(1);
	printf("woken %ld\n",
	       syscall(SYS_futex, area + 120 * PAGE, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0));
	pthread_join(thread, NULL);
	mark();
}
