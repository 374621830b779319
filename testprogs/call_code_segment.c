/*
 * call_code_segment: 32-bit code, reached by a far return, makes system calls of i386: getpid, and
 * a kill. The handler of that signal is 64-bit code, and sees the other code segment in its
 * context.
 *
 * No mark: calls of i386 end lazy paging; that they are made all the same is what it tests.
 */
#include "guest.h"

static volatile char untouched[240 * 4096];
static volatile int handled, segment;

static void on_signal(int number, siginfo_t *info, void *pointer)
{
	const ucontext_t *context = pointer;

	segment = (int)(context->uc_mcontext.gregs[REG_CSGSFS] & 0xffff);
	handled++;
}

/*
 * In: edi the number, esi, edx the first two arguments, r8 a stack below 4 GiB. The 32-bit part is
 * between switch_32 and switch_64; both far targets are filled in where the code is copied to.
 */
extern const char code[], code_to_32[], code_32[], code_to_64[], code_64[], code_end[];
__asm__(".pushsection .rodata\n"
	"code:	push %rbx\n"
	"	mov %rsp, %r9\n"
	"	mov %r8, %rsp\n"
	"	push $0x23\n"
	"	.byte 0x68\n" /* push imm32 */
	"code_to_32: .long 0\n"
	"	lretq\n"
	"	.code32\n"
	"code_32: mov %edi, %eax\n"
	"	mov %esi, %ebx\n"
	"	mov %edx, %ecx\n"
	"	int $0x80\n"
	"	.byte 0xea\n" /* ljmp imm16:imm32 */
	"code_to_64: .long 0\n"
	"	.word 0x33\n"
	"	.code64\n"
	"code_64: mov %r9, %rsp\n"
	"	pop %rbx\n"
	"	ret\n"
	"code_end: .popsection\n");

static char *low;

static int call_32(int number, int one, int two)
{
	register char *stack __asm__("r8") = low + 3 * 4096;
	int result;

	/* The red zone below the stack pointer belongs to the compiler: the call must not write
	   there. */
	__asm__ volatile("sub $128, %%rsp\n\tcall *%5\n\tadd $128, %%rsp"
			 : "=a"(result), "+D"(number), "+S"(one), "+d"(two), "+r"(stack)
			 : "r"(low)
			 : "rcx", "r9", "r10", "r11", "cc", "memory");
	return result;
}

static void place(const char *hole, const char *target)
{
	uint32_t address = (uint32_t)(uintptr_t)low + (uint32_t)(target - code);

	memcpy(low + (hole - code), &address, sizeof(address));
}

int main(void)
{
	low = mmap(NULL, 4 * 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	if (low == MAP_FAILED)
		skip("no executable memory below 4 GiB");
	memcpy(low, code, (size_t)(code_end - code));
	place(code_to_32, code_32);
	place(code_to_64, code_64);
	HANDLE_INFO(on_signal, 0, SIGUSR1);
	check("getpid", call_32(20, 0, 0) == getpid());
	fflush(stdout);
	printf("kill %d", call_32(37, getpid(), SIGUSR1));
	printf(", handled %d, in code segment 0x%x\n", handled, segment);
	printf("again: %d, untouched %d\n", call_32(20, 0, 0) == getpid(), untouched[20000]);
}
