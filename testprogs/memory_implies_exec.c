/*
 * memory_implies_exec: after personality(READ_IMPLIES_EXEC) new mappings are executable, but .bss
 * was there before: a page of it is touched, and then code in it does not run. memory_implies_exec
 * touch|call
 *
 * No mark: personality() ends lazy paging; how that is done is what it tests.
 */
#include "guest.h"
#include "gone.h"
#include "machine/machine.h"

#include <sys/personality.h>

static const CODE_WORD code[] = BREAK_AND_RETURN;

static char area[240 * PAGE] __attribute__((aligned(PAGE)));

/* Whether an instruction that returns runs there. */
static int runs(char *place)
{
	if (sigsetjmp(landing, 1) != 0)
		return 0;
	memcpy(place, &code[1], sizeof(code[1]));
	__builtin___clear_cache(place, place + sizeof(code[1]));
	((void (*)(void))place)();
	return 1;
}

int main(int argc, char **argv)
{
	int by_call = strcmp(WORD(1, "touch", "call"), "call") == 0;
	char *fresh;

	signal(SIGSEGV, on_fault);
	printf("personality %d\n", personality(READ_IMPLIES_EXEC) != -1);
	if (by_call)
		clock_gettime(CLOCK_MONOTONIC, (struct timespec *)(area + 20 * PAGE));
	if (by_call)
		syscall(SYS_times, area + 20 * PAGE);
	check(".bss runs", runs(area + 20 * PAGE));
	check(".bss after it runs", runs(area + 21 * PAGE));
	check(".bss far away runs", runs(area + 200 * PAGE));
	fresh = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	check("new memory runs", runs(fresh));
}
