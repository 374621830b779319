/* What program headers are for (gABI chapter 5, and elf.h for the GNU types). */
#include "loader/watch/explain_segments.h"

#include <elf.h>
#include <stddef.h>

#ifndef PT_GNU_PROPERTY
#define PT_GNU_PROPERTY 0x6474e553
#endif

static const struct {
	uint32_t type;
	char name[16], use[48]; /* no pointers: those would be relocated at every start */
} types[] = {
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
};

static size_t find(uint32_t type)
{
	size_t i = 0;

	while (i < sizeof(types) / sizeof(types[0]) && types[i].type != type)
		i++;
	return i;
}

const char *segment_type_name(uint32_t type)
{
	size_t i = find(type);

	return i < sizeof(types) / sizeof(types[0]) ? types[i].name : "unknown";
}

const char *segment_type_use(uint32_t type)
{
	size_t i = find(type);

	return i < sizeof(types) / sizeof(types[0]) ? types[i].use : "passed over";
}
