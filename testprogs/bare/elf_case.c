/*
 * The code of the small programs that tests/tools/elf_cases.py makes, as a file without headers.
 * elf_case.ld says where its parts are. The program writes much, so that a wrong image is seen:
 * "ok", three entries of the auxiliary vector, and the first pages of its image, with the results
 * of reading and writing them. In the end it may call a return instruction, to see whether the
 * memory there is executable.
 */
#include "bare.h"

#include <linux/auxvec.h>

#define HIDDEN __attribute__((visibility("hidden")))

/* elf_cases.py fills these in. Distances are from the code's first byte, in bytes. */
struct parameters {
	int32_t image, message, bss, bss_end, spare_return;
	uint32_t page_bytes, shown_bytes;
	uint32_t pages;	   /* those that are written, one bit each */
	uint32_t executes; /* enum place: where the return instruction is called */
};

enum place { NOWHERE, ON_STACK, IN_BSS, IN_SPARE };

extern const struct parameters parameters HIDDEN;
extern char _start[] HIDDEN, return_instruction[] HIDDEN;

__asm__(".section .start, \"ax\"\n"
	".globl _start, return_instruction, parameters\n"
	"_start:\n" BARE_START ".section .parameters, \"ax\"\n"
	"parameters:\n"
	".skip 36\n"
	".section .return, \"ax\"\n"
	"return_instruction:\n"
	"	ret\n"
	".balign 4\n"
	".text\n");

static long put(const void *bytes, uint64_t length)
{
	return bare_call(__NR_write, 1, (long)bytes, (long)length, 0);
}

/* Entries that are addresses are counted from the code. */
static void put_auxv(uint64_t *entry)
{
	for (; entry[0] != AT_NULL; entry += 2) {
		if (entry[0] == AT_PHDR || entry[0] == AT_ENTRY)
			entry[1] -= (uint64_t)_start;
		else if (entry[0] != AT_PHNUM)
			continue;
		put(entry, 16);
	}
}

/* What is on a page, and whether it can be read and written. */
static void put_page(char *page)
{
	long results[2];

	results[0] = put(page, parameters.shown_bytes);
	results[1] = bare_call(__NR_rt_sigprocmask, 0, 0, (long)(page + 8), 8);
	put(results, sizeof(results));
}

static void execute(char *place, int is_copied)
{
	if (is_copied) {
		for (int i = 0; i < 4; i++)
			((volatile char *)place)[i] = return_instruction[i];
		bare_flush(place);
	}
	((void (*)(void))place)();
}

__attribute__((used)) static _Noreturn void report(uint64_t *stack)
{
	volatile char *bss = _start + parameters.bss, *bss_end = _start + parameters.bss_end;
	char on_stack[64] __attribute__((aligned(4)));
	int is_zero = (bss[0] | bss_end[-1]) == 0;
	uint64_t *environment = stack + 1 + stack[0] + 1;

	if (is_zero)
		bss[0] = '\n';
	put(_start + parameters.message, 3);
	while (*environment != 0)
		environment++;
	put_auxv(environment + 1);
	for (unsigned i = 0; i < 32; i++)
		if (parameters.pages >> i & 1)
			put_page(_start + parameters.image + (uint64_t)i * parameters.page_bytes);
	if (parameters.executes == ON_STACK)
		execute(on_stack, 1);
	if (parameters.executes == IN_BSS)
		execute((char *)bss_end - 4, 1);
	if (parameters.executes == IN_SPARE)
		execute(_start + parameters.spare_return, 0);
	for (;;)
		bare_call(__NR_exit, is_zero ? 42 : 43, 0, 0, 0);
}
