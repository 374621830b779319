/*
 * signal_group: signals for the whole process group, which is the program's alone: each comes once.
 * Those that a C library keeps for itself are ignored.
 *
 * No mark: the sleeps may end lazy paging.
 */
#include "guest.h"

/* struct kernel_sigaction: the kernel's form. */
static const struct {
	uintptr_t handler, flags, restorer, mask;
} ignored = {.handler = 1};

static volatile int count;

static void on_signal(int number)
{
	count += number == SIGUSR1;
}

int main(void)
{
	signal(SIGUSR1, on_signal);
	for (int number = 32; number <= 34; number++) {
		syscall(SYS_rt_sigaction, number, &ignored, NULL, sizeof(ignored.mask));
		kill(0, number);
	}
	kill(0, SIGUSR1);
	usleep(50000);
	usleep(50000);
	printf("%d\n", count);
}
