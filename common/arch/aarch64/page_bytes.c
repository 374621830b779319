/* What only the running kernel knows: its page size, and where addresses end. */
#include "common/arch/address_end.h"
#include "common/arch/machine.h"

#include <stddef.h>
#include <sys/auxv.h>

uint64_t machine_page_bytes, machine_address_end;

/* In a loader: the variable of resident code. Programs without resident code do not have it. */
extern uint64_t resident_launch_page_bytes __attribute__((weak));

/*
 * Runs before main() and before every other constructor. The stack begins at most 16 GiB below the
 * end of addresses (STACK_RND_MASK in arch/arm64/include/asm/elf.h), and no end is below 2^36.
 */
static __attribute__((constructor(101))) void ask_kernel(void)
{
	machine_page_bytes = getauxval(AT_PAGESZ);
	machine_address_end = address_end_above_stack();
	if (&resident_launch_page_bytes != NULL)
		resident_launch_page_bytes = machine_page_bytes;
}
