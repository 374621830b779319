/* What program headers are for (gABI chapter 5, and elf.h for the GNU types). */
#include "loader/watch/explain_segments.h"

#include <elf.h>
#include <stddef.h>

#ifndef PT_GNU_PROPERTY
#define PT_GNU_PROPERTY 0x6474e553
#endif

static const struct segment_type types[] = {
    {PT_NULL, "PT_NULL", "nothing"},
    {PT_LOAD, "PT_LOAD", "mapped"},
    {PT_DYNAMIC, "PT_DYNAMIC", "the program relocates itself by it"},
    {PT_INTERP, "PT_INTERP", "names the interpreter, which begins first"},
    {PT_NOTE, "PT_NOTE", "not needed to load"},
    {PT_PHDR, "PT_PHDR", "where these headers are: AT_PHDR"},
    {PT_TLS, "PT_TLS", "its libc makes thread-local storage of it"},
    {PT_GNU_EH_FRAME, "PT_GNU_EH_FRAME", "for unwinding, found by the program itself"},
    {PT_GNU_STACK, "PT_GNU_STACK", "whether the stack is executable"},
    {PT_GNU_RELRO, "PT_GNU_RELRO", "the program makes it read-only itself"},
    {PT_GNU_PROPERTY, "PT_GNU_PROPERTY", "not needed to load"},
    {0, "unknown", "passed over"},
};

/* The last row stands for all types that no other row has. */
const struct segment_type *segment_type(uint32_t type)
{
	size_t i = 0;

	while (i + 1 < sizeof(types) / sizeof(types[0]) && types[i].type != type)
		i++;
	return &types[i];
}
