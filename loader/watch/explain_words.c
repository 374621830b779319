#include "loader/watch/explain_words.h"

#include "loader/watch/trace_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *explain_style(enum style wanted)
{
	static const char sequences[][8] = {"\033[0m", "\033[1m", "\033[31m", "\033[32m",
					    "\033[2m"};
	static int allowed = -1; /* static, so that the answer is asked for once */

	if (allowed < 0) {
		const char *no_color = getenv("NO_COLOR");

		allowed = (no_color == NULL || *no_color == '\0') && isatty(STDERR_FILENO);
	}
	return allowed ? sequences[wanted] : "";
}

#define SECTION_BYTES 128

/* ` in .text`, or "" where no section is known. */
static const char *in_section(const struct guest *guest, uint64_t address, char *text)
{
	const char *section = section_word(guest, address);

	snprintf(text, SECTION_BYTES, "%s%s", section != NULL ? " in " : "",
		 section != NULL ? section : "");
	return text;
}

const char *explain_place(const struct guest *guest, uint64_t address, char *text)
{
	char symbol[256], section[SECTION_BYTES];

	symbol_words(guest, address, symbol, sizeof(symbol));
	if (strcmp(symbol, "-") == 0)
		snprintf(symbol, sizeof(symbol), "0x%lx", address);
	snprintf(text, PLACE_BYTES, "%s%s", symbol, in_section(guest, address, section));
	return text;
}

const char *explain_address(const struct guest *guest, uint64_t address, char *text)
{
	char symbol[256], section[SECTION_BYTES];
	bool has_symbol;

	symbol_words(guest, address, symbol, sizeof(symbol));
	has_symbol = strcmp(symbol, "-") != 0;
	snprintf(text, PLACE_BYTES, "0x%lx%s%s%s", address, has_symbol ? ", " : "",
		 has_symbol ? symbol : "", in_section(guest, address, section));
	return text;
}
