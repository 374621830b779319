/* signal_stack: the alternate signal stack at entry. Exec drops it. */
#include <signal.h>
#include <stdio.h>

#include "mark.h"

int main(void)
{
	stack_t stack = {0};

	if (sigaltstack(NULL, &stack) != 0)
		perror("sigaltstack");
	printf("alternate stack at %p, size %zu, flags %#x\n", stack.ss_sp, stack.ss_size,
	       (unsigned)stack.ss_flags);
	mark();
}
