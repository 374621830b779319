/* bare PROGRAM [ARG]...: the least that makes a program run. It maps and jumps. */
#include "bench/rungs/rung.h"

_Noreturn void rung_main(uint64_t *stack)
{
	struct rung_program program;
	const uint64_t *end;

	if (stack[0] < 2)
		rung_fail(125);
	rung_map((const char *)stack[2], &program);
	*rung_auxv(stack, AT_PHDR) = program.segments[0].p_vaddr + program.elf->e_phoff;
	*rung_auxv(stack, AT_PHNUM) = program.elf->e_phnum;
	*rung_auxv(stack, AT_ENTRY) = program.elf->e_entry;
	/* Takes argv[0] away: all after it moves down by a word, and the stack stays aligned. */
	end = rung_auxv(stack, AT_NULL) + 1;
	stack[0]--;
	for (uint64_t *word = stack + 1; word + 1 < end; word++)
		word[0] = word[1];
	__asm__ volatile("mov	%0, %%rsp\n"
			 "	xor	%%edx, %%edx\n"
			 "	jmp	*%1\n"
			 :
			 : "r"(stack), "r"(program.elf->e_entry));
	__builtin_unreachable();
}
