/* jump: from the pager into the program. Step 4. */
#include "jump.h"
#include "say.h"

/*
 * TODO, step 4, in inline assembly. At the first instruction of the program the stack pointer
 * points to the new stack, and every other general register is 0. Use a jump, not a call: the
 * program never returns.
 */
noreturn void jump(uintptr_t entry, void *stack)
{
	(void)entry;
	(void)stack;
	missing(4, "jump() in jump.c", "5-jump.md");
}
