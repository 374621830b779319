#include "loader/resident/arch/emulation.h"

/*
 * The kernel emulates misaligned loads and stores. They raise the same signal as aligned ones, and
 * nothing has to be recognized.
 */
bool emulation_is_instruction(uint64_t place)
{
	(void)place;
	return false;
}
