#include "loader/resident/arch/emulation.h"

/* As emulation_is_call(): no emulated instruction writes to memory (arch/arm64/kernel/traps.c). */
bool emulation_is_instruction(uint64_t place)
{
	(void)place;
	return false;
}
