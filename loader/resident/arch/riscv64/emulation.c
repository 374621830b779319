#include "loader/resident/arch/emulation.h"

/*
 * Misaligned loads and stores may be emulated. For the firmware's emulation, the kernel reports the
 * page that is missing, as for an aligned access. For its own it reports SIGBUS, without a place
 * that could be looked at (docs/quirks.md).
 */
bool emulation_is_instruction(uint64_t place)
{
	(void)place;
	return false;
}
