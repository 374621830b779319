/*
 * signal_alignment: EFLAGS.AC, with which an unaligned access raises SIGBUS, is set over a system
 * call, over the first touch of a page, and when a signal arrives. The argument says over what.
 */
#include "guest.h"

#define SET_AC	 "pushf\n\torl $0x40000, (%%rsp)\n\tpopf\n\t"
#define CLEAR_AC "pushf\n\tandl $~0x40000, (%%rsp)\n\tpopf\n\t"
#define RED_ZONE "sub $128, %%rsp\n\t"
#define NO_ZONE	 "add $128, %%rsp\n\t"

static char area[64 * 4096] __attribute__((aligned(4096)));
static volatile sig_atomic_t handled, was_set;

static void on_signal(int number)
{
	uint64_t flags;

	__asm__ volatile("pushf\n\tpop %0" : "=r"(flags) : : "memory");
	was_set = (flags & 0x40000) != 0;
	handled++;
}

static long call_with_ac(long number, long one, long two)
{
	long result;

	__asm__ volatile(RED_ZONE SET_AC "syscall\n\t" CLEAR_AC NO_ZONE
			 : "=a"(result)
			 : "0"(number), "D"(one), "S"(two)
			 : "rcx", "r11", "cc", "memory");
	return result;
}

static uint64_t touch_with_ac(const char *place)
{
	uint64_t value;

	__asm__ volatile(RED_ZONE SET_AC "mov (%1), %0\n\t" CLEAR_AC NO_ZONE
			 : "=r"(value)
			 : "r"(place)
			 : "cc", "memory");
	return value;
}

int main(int argc, char **argv)
{
	const char *way = WORD(1, "touch", "call", "fills", "signal", "odd");
	const struct rlimit a_second = {1, 1};
	int ends[2];

	/* The limit ends a call that would restart forever. */
	setrlimit(RLIMIT_CPU, &a_second);
	signal(SIGUSR1, on_signal);
	if (strcmp(way, "call") == 0) {
		check("getppid", call_with_ac(SYS_getppid, 0, 0) == getppid());
	} else if (strcmp(way, "fills") == 0) {
		printf("pipe %ld\n", call_with_ac(SYS_pipe, (long)(area + 20 * 4096), 0));
		memcpy(ends, area + 20 * 4096, sizeof(ends));
		check("two ends", ends[1] == ends[0] + 1);
	} else if (strcmp(way, "touch") == 0) {
		printf("touched %lu\n", (unsigned long)touch_with_ac(area + 30 * 4096));
	} else if (strcmp(way, "signal") == 0) {
		printf("kill %ld\n", call_with_ac(SYS_kill, getpid(), SIGUSR1));
		printf("handled %d, set in the handler: %d\n", (int)handled, (int)was_set);
	} else if (strcmp(way, "odd") == 0) {
		/* The flag makes this access raise SIGBUS. */
		puts("dies");
		fflush(stdout);
		touch_with_ac(area + 40 * 4096 + 1);
	}
	mark();
}
