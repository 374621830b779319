/* What only the running kernel knows: where addresses end. */
#include "common/arch/address_end.h"
#include "common/arch/machine.h"

uint64_t machine_address_end;

/*
 * Runs before main() and before every other constructor. The stack begins at most 1 GiB below the
 * end of addresses (STACK_RND_MASK in arch/riscv/include/asm/elf.h), and no end is below 2^38.
 */
static __attribute__((constructor(101))) void ask_kernel(void)
{
	machine_address_end = address_end_above_stack();
}
