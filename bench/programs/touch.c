/*
 * touch PATTERN read|write [ARG]: touches the pages of one large array in a given order, and prints
 * a sum that depends on what was there. The array is as large as MIB says, in .bss, .data, .rodata
 * or text as AREA says: when the program starts, none of it is in memory.
 *
 *   sequential   every page, upwards
 *   reverse      every page, downwards
 *   random       as many times as there are pages, anywhere: some twice, some never
 *   stride N     every page, N apart, in N passes
 *   every N      every Nth page, upwards
 *   streams N    every page, by N streams that take turns
 *   sparse P     P percent of the pages, in random order
 *   few N        N pages, in random order
 *   dense        the first quarter upwards, then one percent of the rest
 *   moving N     a working set of N pages, touched at random, which moves on by half its size
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE  4096
#define PAGES ((size_t)MIB * (1024 * 1024 / PAGE))

/* Files are large enough without debugging the assembler's output: each page is one number. */
#define FILLED(section, flags)                                                                     \
	__asm__(".pushsection " section "," flags "\n"                                             \
		".balign 4096\n"                                                                   \
		"area: .fill " MIB_TEXT "*256*1024, 4, 0xc3c3c3c3\n"                               \
		".popsection")

#define TEXT_OF(number)	 #number
#define VALUE_OF(number) TEXT_OF(number)
#define MIB_TEXT	 VALUE_OF(MIB)

#if defined(AREA_BSS)
/* Not static: gcc 10 would put 4 GiB ahead of what musl's code must reach. */
volatile uint8_t area[PAGES * PAGE];
#elif defined(AREA_DATA)
FILLED(".data.area", "\"aw\", @progbits");
extern volatile uint8_t area[];
#elif defined(AREA_RODATA)
FILLED(".rodata.area", "\"a\", @progbits");
extern volatile uint8_t area[];
#else
/* In the middle of each page is a return instruction, by the name that assemblers agree on. */
__asm__(".pushsection .text.area,\"ax\",@progbits\n"
	".balign 4096\n"
	"area: .rept " MIB_TEXT "*256\n"
	"1: .skip 2048\n"
	"ret\n"
	".org 1b + 4096\n"
	".endr\n"
	".popsection");
extern volatile uint8_t area[];
#endif

static uint64_t sum;

/* A touch in the middle of a page, where no header or neighbor was touched before. */
#if defined(AREA_TEXT)
static void touch(size_t page, int write)
{
	void (*function)(void) = (void (*)(void))(uintptr_t)&area[page * PAGE + 2048];

	(void)write;
	function();
	sum += page;
}
#else
static void touch(size_t page, int write)
{
	volatile uint8_t *byte = &area[page * PAGE + 2048];

	/* Never read first: the kernel would map its page of zeros, and fault a second time. */
	if (write)
		*byte = (uint8_t)(page + 1);
	sum = sum * 31 + *byte;
}
#endif

/* xorshift64 (Marsaglia, 2003): the same order in every run. */
static size_t random_page(size_t limit)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (size_t)(state % limit);
}

static void touch_streams(size_t streams, int write)
{
	size_t length = PAGES / streams;

	for (size_t i = 0; i < length; i++)
		for (size_t stream = 0; stream < streams; stream++)
			touch(stream * length + i, write);
	for (size_t page = streams * length; page < PAGES; page++)
		touch(page, write);
}

static void touch_few(size_t touches, int write)
{
	while (touches-- > 0)
		touch(random_page(PAGES), write);
}

static void touch_moving(size_t set, int write)
{
	set = set > PAGES ? PAGES : set;
	for (size_t start = 0; start + set <= PAGES; start += (set + 1) / 2)
		for (size_t i = 0; i < 2 * set; i++)
			touch(start + random_page(set), write);
}

static int touch_all(const char *pattern, size_t argument, int write)
{
	if (strcmp(pattern, "sequential") == 0) {
		touch_streams(1, write);
	} else if (strcmp(pattern, "reverse") == 0) {
		for (size_t page = PAGES; page-- > 0;)
			touch(page, write);
	} else if (strcmp(pattern, "random") == 0) {
		touch_few(PAGES, write);
	} else if (strcmp(pattern, "stride") == 0) {
		for (size_t first = 0; first < argument; first++)
			for (size_t page = first; page < PAGES; page += argument)
				touch(page, write);
	} else if (strcmp(pattern, "every") == 0) {
		for (size_t page = 0; page < PAGES; page += argument)
			touch(page, write);
	} else if (strcmp(pattern, "streams") == 0) {
		touch_streams(argument, write);
	} else if (strcmp(pattern, "sparse") == 0) {
		touch_few(PAGES * argument / 100, write);
	} else if (strcmp(pattern, "few") == 0) {
		touch_few(argument, write);
	} else if (strcmp(pattern, "dense") == 0) {
		for (size_t page = 0; page < PAGES / 4; page++)
			touch(page, write);
		for (size_t i = 0; i < PAGES / 100; i++)
			touch(PAGES / 4 + random_page(PAGES - PAGES / 4), write);
	} else if (strcmp(pattern, "moving") == 0) {
		touch_moving(argument, write);
	} else {
		return 0;
	}
	return 1;
}

int main(int argc, char **argv)
{
	size_t argument = argc > 3 ? strtoul(argv[3], NULL, 10) : 1;

	if (argc < 3 || argument == 0 ||
	    !touch_all(argv[1], argument, strcmp(argv[2], "write") == 0)) {
		fprintf(stderr, "Usage: %s PATTERN read|write [ARG]\n", argv[0]);
		return 125;
	}
	printf("%s %s %zu: %016llx\n", argv[1], argv[2], argument, (unsigned long long)sum);
	return 0;
}
