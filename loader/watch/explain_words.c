#include "loader/watch/explain.h"

#include "loader/watch/trace_words.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *explain_style(enum style wanted)
{
	static const char sequences[][8] = {"\033[0m", "\033[1m", "\033[31m", "\033[32m",
					    "\033[2m"};
	static int allowed = -1; /* static, so that this is determined once */

	if (allowed < 0) {
		const char *no_color = getenv("NO_COLOR");

		allowed = (no_color == NULL || *no_color == '\0') && isatty(STDERR_FILENO);
	}
	return allowed ? sequences[wanted] : "";
}

const char *explain_place(const struct guest *guest, uint64_t address, char *text)
{
	const char *section = section_word(guest, address);
	char symbol[SYMBOL_BYTES];

	if (strcmp(symbol_words(guest, address, symbol), NO_SYMBOL) == 0)
		snprintf(symbol, sizeof(symbol), "0x%lx", address);
	snprintf(text, PLACE_BYTES, "%s%s%s", symbol, section != NULL ? " in " : "",
		 section != NULL ? section : "");
	return text;
}

const char *explain_address(const struct guest *guest, uint64_t address, char *text)
{
	char symbol[SYMBOL_BYTES], place[PLACE_BYTES];

	if (strcmp(symbol_words(guest, address, symbol), NO_SYMBOL) == 0)
		return explain_place(guest, address, text);
	snprintf(text, PLACE_BYTES, "0x%lx, %s", address, explain_place(guest, address, place));
	return text;
}

/* From gABI, chapter 5, and for the GNU types from elf.h. */
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

/* The last row is for all types without a row of their own. */
const struct segment_type *segment_type(uint32_t type)
{
	size_t i = 0;

	while (i + 1 < sizeof(types) / sizeof(types[0]) && types[i].type != type)
		i++;
	return &types[i];
}
