/*
 * signal_error_codes: the error code, trap number, address and old mask in signal contexts, of
 * faults and of signals that were sent, after first touches of pages.
 */
#include "guest.h"

static char area[240 * 4096] __attribute__((aligned(4096)));
static char *nothing;

static void on_signal(int number, siginfo_t *info, void *pointer)
{
	greg_t *registers = ((ucontext_t *)pointer)->uc_mcontext.gregs;
	long address = registers[REG_CR2] - (long)nothing;

	printf("  signal %d: trap %lld, error %lld, old mask 0x%llx, address %s\n", number,
	       registers[REG_TRAPNO], registers[REG_ERR], registers[REG_OLDMASK],
	       registers[REG_CR2] == 0		? "0"
	       : address >= 0 && address < 4096 ? "of the fault"
						: "of something else");
	fflush(stdout);
	if (info->si_code > 0 && number == SIGSEGV)
		registers[REG_RIP] += 3; /* mov %dl, disp8(%rax) and such */
	if (number == SIGILL)
		registers[REG_RIP] += 2;
}

static void send(const char *what, int number)
{
	puts(what);
	fflush(stdout);
	kill(getpid(), number);
}

static void fault_with_mask(int blocked)
{
	sigset_t mask = SET_OF(SIGTERM, blocked);

	sigprocmask(SIG_SETMASK, &mask, NULL);
	send("with a mask", SIGUSR1);
	puts("a write");
	fflush(stdout);
	__asm__ volatile("movb $7, (%0)" : : "a"(nothing) : "memory");
	send("after it", SIGUSR1);
	area[(20 + blocked) * 4096] = 1;
	send("and a touch", SIGUSR1);
	puts("an address that is none");
	fflush(stdout);
	__asm__ volatile("movb $7, (%0)" : : "a"(1L << 62) : "memory");
	__asm__ volatile("ud2");
	__asm__ volatile("int3");
	area[(60 + blocked) * 4096] = 1;
	send("after those", SIGUSR1);
}

int main(void)
{
	static const int numbers[] = {SIGUSR1, SIGSEGV, SIGBUS, SIGSYS, SIGILL, SIGTRAP};

	nothing = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (unsigned i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		HANDLE_INFO(on_signal, 0, numbers[i]);
	send("sent", SIGUSR1);
	area[10 * 4096] = 1;
	send("after a touch", SIGUSR1);
	send("after a touch", SIGSEGV);
	send("after a touch", SIGBUS);
	send("after a touch", SIGSYS);
	fault_with_mask(SIGHUP);
	mark();
	fault_with_mask(SIGBUS);
	check("touched", area[10 * 4096] == 1);
}
