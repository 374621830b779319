/*
 * call_arch_prctl OPTION: a shadow stack (ARCH_SHSTK_ENABLE, 0x5001), tagged addresses
 * (ARCH_ENABLE_TAGGED_ADDR, 0x4002) or tiles (AMX: ARCH_REQ_XCOMP_PERM, 0x1023), if the processor
 * has them. Then come handlers, and fresh pages for system calls. The kernel refuses tiles while an
 * alternate stack is too small for them, and refuses such a stack afterwards.
 *
 * No mark: each ends lazy paging. There is no return after main: the shadow stack begins there.
 */
#include "guest.h"

#define ENABLE	  0x5001
#define ARGUMENT  1 /* ARCH_SHSTK_SHSTK */
#define TAG_BITS  6 /* all that there are (LAM57) */
#define TILES	  0x1023
#define TILE_DATA 18 /* XFEATURE_XTILE_DATA */

/*
 * Sizes of an alternate stack: too small for tiles, and large enough. The data of tiles alone is 8
 * KiB.
 */
#define SMALL 8192
#define LARGE 65536

static char pages[16 * PAGE], stack[LARGE];
static volatile int signals;

static void on_signal(int number)
{
	signals += number == SIGUSR1;
}

static long arch_prctl(long option, long argument)
{
	long result = SYS_arch_prctl;

	__asm__ volatile("syscall"
			 : "+a"(result)
			 : "D"(option), "S"(argument)
			 : "rcx", "r11", "memory");
	return result;
}

static long argument_of(long option)
{
	return option == ENABLE ? ARGUMENT : option == TILES ? TILE_DATA : TAG_BITS;
}

static void tell_stack(unsigned long bytes)
{
	stack_t alternate = {.ss_sp = stack, .ss_size = bytes};

	printf("a stack of %lu: %d\n", bytes, sigaltstack(&alternate, NULL));
}

int main(int argc, char **argv)
{
	long option = argc > 1 ? strtol(argv[1], NULL, 0) : ENABLE;
	int ends[2];

	signal(SIGUSR1, on_signal);
	setvbuf(stdout, NULL, _IONBF, 0);
	if (option == TILES) {
		tell_stack(SMALL);
		printf("enabled: %ld\n", arch_prctl(option, argument_of(option)));
		tell_stack(LARGE);
	}
	printf("enabled: %ld\n", arch_prctl(option, argument_of(option)));
	if (option == TILES)
		tell_stack(SMALL);
	for (int i = 0; i < 3; i++)
		kill(getpid(), SIGUSR1);
	printf("signals: %d\n", signals);
	check("pipe", pipe(ends) == 0 && write(ends[1], pages + 5 * PAGE, 3 * PAGE) == 3 * PAGE);
	check("read", read(ends[0], pages + 9 * PAGE, 3 * PAGE) == 3 * PAGE);
	_exit(0);
}
