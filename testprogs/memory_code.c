/*
 * memory_code: machine code that the program writes into untouched arrays, as a just-in-time
 * compiler does: written, made executable, executed, changed. The program does the same with its
 * own text.
 */
#include "guest.h"

#define ALL (PROT_READ | PROT_WRITE | PROT_EXEC)
/* Skips 4096 bytes, so that no other code lies on the page where the function begins. */
#define FILL __asm__ volatile("jmp 1f\n\t.skip 4096, 0xcc\n1:")

static unsigned char area[64 * PAGE] __attribute__((aligned(PAGE)));
static unsigned char filled[8 * PAGE]
    __attribute__((aligned(PAGE))) = {[5 * PAGE] = 0xb8, 77, 0, 0, 0, 0xc3};
static const unsigned char constants[8 * PAGE]
    __attribute__((aligned(PAGE))) = {[5 * PAGE] = 0xb8, 78, 0, 0, 0, 0xc3};

__attribute__((aligned(4096), noinline)) static int in_text(void)
{
	FILL;
	return 1234;
}

__attribute__((aligned(4096), noinline)) static int after(void)
{
	FILL;
	return 1;
}

/* mov $value, %eax; ret */
static void write_code(unsigned char *place, int value)
{
	place[0] = 0xb8;
	memcpy(place + 1, &value, sizeof(value));
	place[5] = 0xc3;
}

static int call(const void *place)
{
	int (*function)(void);

	memcpy(&function, &place, sizeof(place));
	return function();
}

static void call_in_child(const char *what, const void *place)
{
	pid_t child = fork();

	if (child == 0)
		_exit(call(place));
	printf("%s: %#x\n", what, end_of(child) & ~0x80);
	fflush(stdout);
}

int main(void)
{
	call_in_child("untouched, not executable", area);
	check("all", mprotect(area + 10 * PAGE, 10 * PAGE, ALL) == 0);
	for (int i = 10; i < 20; i++)
		write_code(area + i * PAGE + i, i);
	printf("%d %d\n", call(area + 10 * PAGE + 10), call(area + 19 * PAGE + 19));
	write_code(area + 30 * PAGE - 3, 555);
	check("across pages", mprotect(area + 29 * PAGE, 2 * PAGE, PROT_READ | PROT_EXEC) == 0);
	printf("%d\n", call(area + 30 * PAGE - 3));
	check("untouched", mprotect(area + 40 * PAGE, PAGE, PROT_READ | PROT_EXEC) == 0);
	/* Zeroes are an instruction that writes to where eax points. */
	call_in_child("zeroes", area + 40 * PAGE + 3000);
	check("data", mprotect(filled, sizeof(filled), ALL) == 0);
	check("constants", mprotect((void *)(uintptr_t)constants, sizeof(constants),
				    PROT_READ | PROT_EXEC) == 0);
	printf("%d %d\n", call(filled + 5 * PAGE), call(constants + 5 * PAGE));
	check("text", mprotect((void *)(uintptr_t)in_text, PAGE, ALL) == 0);
	write_code((unsigned char *)(uintptr_t)in_text, 4321);
	printf("%d %d\n", call((void *)(uintptr_t)in_text), after());
	check("hidden code", mprotect((void *)(uintptr_t)after, PAGE, PROT_READ) == 0);
	call_in_child("not executable any more", (void *)(uintptr_t)after);
	check("shown", mprotect((void *)(uintptr_t)after, PAGE, PROT_EXEC) == 0);
	printf("%d\n", call((void *)(uintptr_t)after));
	mark();
}
