/*
 * signal_registers: general registers and flags are unchanged after a handler, which interrupts an
 * instruction or a system call. So is what stands below the stack pointer: on x86-64 always, for it
 * is the red zone; elsewhere over a system call without a handler.
 */
#include "guest.h"

#include "machine/all_registers.h"
#include "machine/machine.h"

/* Stored to and read from pages that were not touched before. */
uint64_t given[32] __attribute__((aligned(4096)));
struct {
	uint64_t before[1024];
	uint64_t registers[31], flags;
	uint64_t red_zone[16];
	uint64_t after[1024];
} kept;

void trap_with_registers(void);
void call_with_registers(void);

FUNCTION(trap_with_registers, TRAPS);
FUNCTION(call_with_registers, CALLS);

static void on_signal(int number, siginfo_t *info, void *context)
{
	if (number == SIGILL)
		SAVED_PLACE(context) += ILLEGAL_BYTES;
#if defined(__x86_64__)
	uint64_t flags;

	__asm__ volatile("pushfq\n\tpopq %0" : "=r"(flags));
	check("direction flag clear in the handler", (flags & 0x400) == 0);
	check("saved flags", (SAVED(context).gregs[REG_EFL] & 0x401) == 0x401);
#endif
	change_registers();
}

/* Of a call, the register that has its result is not compared. */
static void show(const char *what, int is_call, int has_zone)
{
	long result = (long)kept.registers[RESULT];
	int zone = 1;

	for (uint64_t i = 1; i <= 16; i++)
		zone = zone && kept.red_zone[i - 1] == i * 1111;
	if (is_call)
		kept.registers[RESULT] = given[RESULT];
	printf("%s\n", what);
	check("registers", memcmp(given, kept.registers, REGISTERS * 8) == 0);
	check("flags", kept.flags == FLAGS);
	check("red zone", zone || !has_zone);
	printf("result %ld\n", is_call ? result : 0);
	memset(&kept, 0, sizeof(kept));
}

int main(void)
{
	HANDLE_INFO(on_signal, 0, SIGILL, SIGUSR1);
	for (int i = 0; i < REGISTERS; i++)
		given[i] = 0x0101010101010101UL * (uint64_t)(i + 1);
	trap_with_registers();
	show("instruction", 0, HAS_RED_ZONE);
	given[FIRST] = (uint64_t)getpid();
	given[SECOND] = SIGUSR1;
	given[NUMBER] = SYS_kill;
	call_with_registers();
	show("system call with signal", 1, HAS_RED_ZONE);
	given[NUMBER] = SYS_getppid;
	call_with_registers();
	kept.registers[RESULT] = kept.registers[RESULT] == (uint64_t)getppid();
	show("system call", 1, 1);
	mark();
}
