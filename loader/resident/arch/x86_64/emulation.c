#include "loader/resident/arch/emulation.h"

#include "loader/resident/arch/gadget.h"

#define INSTRUCTION_BYTES_MAX 15

/* Prefixes of an instruction (SDM 2.1.1, 2.2.1): segments, REX, sizes, repetition. */
static bool is_prefix(uint8_t byte)
{
	return (byte & 0xe7) == 0x26 || (byte & 0xf0) == 0x40 || (byte & 0xfc) == 0x64 ||
	       (byte & 0xfe) == 0xf2;
}

/*
 * Whether sgdt, sidt, sldt, str or smsw is at a place: 0f 00 or 0f 01. The processor refuses these
 * instructions (arch/x86/kernel/umip.c).
 */
bool emulation_is_instruction(uint64_t place)
{
	uint8_t code[2] = {0};

	for (unsigned i = 0; i < INSTRUCTION_BYTES_MAX; i++, place++) {
		if (gadget_copy(code, (const void *)place, sizeof(code)) != 0)
			return false;
		if (!is_prefix(code[0]))
			break;
	}
	return code[0] == 0x0f && code[1] <= 1;
}
