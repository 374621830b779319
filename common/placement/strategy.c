#include "common/placement/strategy.h"

#include "common/similar.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names in the order of enum strategy_kind. */
#define NAMES(NAME) NAME("none") NAME("exact") NAME("modulo") NAME("coloring") NAME("bin-hopping")
#define ROW(name)   name,
#define WORD(name)  " " name

/* An array of arrays needs no relocation at each start. */
static const char names[][12] = {NAMES(ROW)};

/* Reads a number at *text, and moves *text past it. */
static bool read_number(const char **text, uint64_t *number)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	*number = strtoull(*text, &end, 10);
	*text = end;
	return true;
}

/* Reads [:BASE[,RESULT]] or a part of it, up to the end of the text. */
static bool read_numbers(const char *text, struct frame_strategy *strategy, bool *has_result)
{
	*has_result = false;
	if (*text == '\0')
		return true;
	if (*text++ != ':' || !read_number(&text, &strategy->base))
		return false;
	if (*text == ',') {
		text++;
		*has_result = true;
		if (!read_number(&text, &strategy->result))
			return false;
	}
	return *text == '\0' && strategy->base >= 1 && strategy->base <= STRATEGY_BASE_MAX &&
	       strategy->result < strategy->base;
}

static bool read_parameters(const char *text, struct frame_strategy *strategy)
{
	bool has_result;

	switch (strategy->kind) {
	case STRATEGY_NONE:
		return *text == '\0';
	case STRATEGY_EXACT:
		strategy->file = text + 1;
		return text[0] == ':' && text[1] != '\0';
	case STRATEGY_MODULO:
		return read_numbers(text, strategy, &has_result) && has_result;
	case STRATEGY_COLORING:
		return read_numbers(text, strategy, &has_result) && !has_result;
	case STRATEGY_BIN_HOPPING:
		return read_numbers(text, strategy, &has_result);
	}
	return false;
}

bool strategy_parse(const char *option, const char *text, uint64_t bins,
		    struct frame_strategy *strategy, struct error *error)
{
	size_t length = strcspn(text, ":");
	int kind = similar_choose(error, option, text, length, NAMES(WORD));

	if (kind < 0)
		return false;
	*strategy = (struct frame_strategy){.kind = (enum strategy_kind)kind};
	if (kind == STRATEGY_COLORING || kind == STRATEGY_BIN_HOPPING)
		strategy->base = bins;
	return read_parameters(text + length, strategy) ||
	       error_set(error, EXIT_OURS,
			 "%s=%.64s: name none, exact:FILE, modulo:BASE,RESULT, coloring:BINS or "
			 "bin-hopping:BINS,START; BASE and BINS are at most %" PRIu64
			 ", RESULT and START below them",
			 option, text, STRATEGY_BASE_MAX);
}

const char *strategy_text(const struct frame_strategy *strategy, char *text, size_t bytes)
{
	const char *name = names[strategy->kind];

	if (strategy->kind == STRATEGY_NONE || strategy->kind == STRATEGY_EXACT)
		snprintf(text, bytes, "%s", name);
	else if (strategy->kind == STRATEGY_COLORING)
		snprintf(text, bytes, "%s:%" PRIu64, name, strategy->base);
	else
		snprintf(text, bytes, "%s:%" PRIu64 ",%" PRIu64, name, strategy->base,
			 strategy->result);
	return text;
}
