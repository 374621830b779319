/*
 * signal_context: what a handler changes in the saved context is so after it returns: the place
 * where execution goes on, registers, flags, vector registers, the mask.
 */
#include "guest.h"

static int mode;
static uint64_t seen_rip, seen_rax;
static int place_is_right;

static void on_signal(int number, siginfo_t *info, void *pointer)
{
	ucontext_t *context = pointer;
	greg_t *registers = context->uc_mcontext.gregs;

	seen_rip = (uint64_t)registers[REG_RIP];
	seen_rax = (uint64_t)registers[REG_RAX];
	place_is_right = (uint64_t)info->si_addr == seen_rip;
	if (number == SIGILL)
		registers[REG_RIP] += 2;
	if (mode == 0) {
		registers[REG_RAX] = 4242;
		registers[REG_R15] = -1;
	} else if (mode == 1) {
		registers[REG_EFL] |= 1;
	} else if (mode == 2) {
		context->uc_mcontext.fpregs->_xmm[5].element[2] = 77;
	} else if (mode == 3) {
		sigaddset(&context->uc_sigmask, SIGTERM);
		sigaddset(&context->uc_sigmask, SIGSEGV);
	} else if (mode == 4) {
		sigdelset(&context->uc_sigmask, SIGTERM);
	}
}

static void skip_instructions(void)
{
	uint64_t result, r15;
	uint32_t vector[4] = {1, 2, 3, 4};
	unsigned char carry;

	mode = 0;
	__asm__ volatile("mov $1, %%eax\n\tmov $1, %%r15d\n\tud2\n\tmov %%r15, %1"
			 : "=&a"(result), "=&r"(r15)
			 :
			 : "r15", "memory");
	printf("rax %lu, r15 %ld, seen %lu\n", result, (long)r15, seen_rax);
	check("si_addr is the instruction", place_is_right);
	mode = 1;
	__asm__ volatile("clc\n\tud2\n\tsetc %0" : "=r"(carry) : : "cc", "memory");
	printf("carry %d\n", carry);
	mode = 2;
	__asm__ volatile("movups %0, %%xmm5\n\tud2\n\tmovups %%xmm5, %0"
			 : "+m"(vector)
			 :
			 : "xmm5", "memory");
	printf("xmm5 %u %u %u %u\n", vector[0], vector[1], vector[2], vector[3]);
}

/* A signal that the process sends to itself comes when the system call has its result. */
static void change_result(void)
{
	uint64_t result, after;
	pid_t process = getpid();

	mode = 0;
	__asm__ volatile("syscall\n1:\tlea 1b(%%rip), %1"
			 : "=&a"(result), "=&r"(after)
			 : "0"(SYS_kill), "D"(process), "S"(SIGUSR1)
			 : "rcx", "r11", "r15", "memory");
	printf("result of kill %lu, seen in the handler %lu\n", result, seen_rax);
	check("interrupted after the system call", after == seen_rip);
}

int main(void)
{
	HANDLE_INFO(on_signal, 0, SIGILL, SIGUSR1);
	skip_instructions();
	change_result();
	mark();
	mode = 3;
	raise(SIGUSR1);
	printf("blocked: TERM %d, SEGV %d, USR1 %d\n", is_blocked(SIGTERM), is_blocked(SIGSEGV),
	       is_blocked(SIGUSR1));
	raise(SIGTERM);
	mode = 4;
	signal(SIGTERM, SIG_IGN);
	raise(SIGUSR1);
	printf("blocked: TERM %d, SEGV %d, USR1 %d\n", is_blocked(SIGTERM), is_blocked(SIGSEGV),
	       is_blocked(SIGUSR1));
}
