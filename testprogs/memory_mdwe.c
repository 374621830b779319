/*
 * memory_mdwe: memory that is writable may not become executable any more (PR_SET_MDWE, Linux 6.3).
 * Without arguments pages of .bss and .data are touched after that; with them, another program is
 * begun, which inherits it: memory_mdwe COMMAND [ARG]...
 *
 * No mark: PR_SET_MDWE ends lazy paging; how that is done is what it tests.
 */
#include "guest.h"

#define SET_MDWE    65
#define REFUSE_GAIN 1
#define PAGES	    240

static char area[PAGES * PAGE] __attribute__((aligned(PAGE)));
static char data[16 * PAGE] __attribute__((aligned(PAGE))) = {1, [9 * PAGE] = 2};
static const char constants[16 * PAGE] __attribute__((aligned(PAGE))) = {1, [9 * PAGE] = 3};

/* Alone on its page, so that the page has not been executed before. */
__attribute__((noinline, aligned(4096))) static int function(int value)
{
	return value + 4;
}

int main(int argc, char **argv)
{
	int sum = 0;

	if (prctl(SET_MDWE, REFUSE_GAIN, 0, 0, 0) != 0)
		skip("no PR_SET_MDWE here");
	if (argc > 1) {
		execvp(argv[1], argv + 1);
		return 127;
	}
	for (int page = 0; page < PAGES; page += 3)
		sum += ++area[page * PAGE];
	printf("touched %d\n", sum);
	check("data", data[9 * PAGE] + constants[9 * PAGE] + function(0) == 9);
	if (read(0, area + 100 * PAGE, PAGE) < 0)
		puts("no read");
	check("gains nothing",
	      mprotect(area, PAGE, PROT_READ | PROT_EXEC) == -1 && errno == EACCES);
}
