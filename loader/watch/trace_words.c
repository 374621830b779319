#include "loader/watch/trace_words.h"

#include "loader/predict/predict.h"

#include <stdio.h>
#include <string.h>

/*
 * The words are in arrays of characters: arrays of pointers would be relocated at every start of a
 * loader, watched or not. A word made from a number is in a static `text`, so that callers need no
 * buffer.
 */

const char *trace_kind_word(enum trace_kind kind)
{
	static const char words[TRACE_KINDS][12] = {
#define KIND(name, word, asked_by) word,
#include "loader/resident/base/trace_kinds.def"
	};

	return words[kind];
}

/* In the order of enum trace_access. */
static const char accesses[][8] = {"read", "write", "execute", "access"};

static const char reasons[][64] = {
#define REASON(name, text) text,
#include "loader/predict/reasons.def"
#undef REASON
};

const char *retire_reason_words(enum retire_reason reason)
{
	static const char words[][24] = {
	    [RETIRE_CALLS] = "system calls",
	    [RETIRE_CALL] = "one system call",
	    [RETIRE_SIGNAL] = "a signal that waits",
	    [RETIRE_FAILURE] = "failure",
	};

	return reason == RETIRE_NOT ? NULL : words[reason];
}

const char *retire_words(enum retire_reason reason, long call)
{
	static char text[48]; /* static: the caller prints the text at once */

	if (reason != RETIRE_CALL)
		return retire_reason_words(reason);
	snprintf(text, sizeof(text), "%s, %s", retire_reason_words(reason), system_call_word(call));
	return text;
}

const char *system_call_word(long number)
{
	static const char words[][24] = {
#define SYSTEM_CALL(number, name, action, a, b, c, d, e, f) [number] = #name,
#include "loader/resident/calls/system_calls.def"
	};
	static char text[24]; /* static: the caller prints the text at once */

	if (number >= 0 && number < (long)(sizeof(words) / sizeof(words[0])) &&
	    words[number][0] != '\0')
		return words[number];
	snprintf(text, sizeof(text), "%ld", number);
	return text;
}

const char *signal_word(int number)
{
	static const char words[][8] = {
	    "",	      "HUP",  "INT",	"QUIT", "ILL",	 "TRAP", "ABRT", "BUS",
	    "FPE",    "KILL", "USR1",	"SEGV", "USR2",	 "PIPE", "ALRM", "TERM",
	    "STKFLT", "CHLD", "CONT",	"STOP", "TSTP",	 "TTIN", "TTOU", "URG",
	    "XCPU",   "XFSZ", "VTALRM", "PROF", "WINCH", "IO",	 "PWR",	 "SYS",
	};
	static char text[24]; /* static: the caller prints the text at once */

	if (number > 0 && number < (int)(sizeof(words) / sizeof(words[0])))
		snprintf(text, sizeof(text), "SIG%s", words[number]);
	else
		snprintf(text, sizeof(text), "SIGRTMIN+%d", number - 32);
	return text;
}

const char *trace_detail_words(const struct trace_event *event)
{
	switch (event->kind) {
	case TRACE_FAULT:
	case TRACE_FATAL:
		return accesses[event->detail];
	case TRACE_REVEAL:
	case TRACE_POPULATE:
	case TRACE_HUGE:
		return reasons[event->detail];
	case TRACE_CALL:
		return system_call_word(event->detail);
	case TRACE_SIGNAL:
		return signal_word(event->detail);
	case TRACE_RETIRE:
		return retire_words((enum retire_reason)event->detail, (long)event->arguments[0]);
	default:
		return "";
	}
}

bool trace_detail_is_possible(const struct trace_event *event)
{
	unsigned detail = (unsigned)event->detail;

	switch (event->kind) {
	case TRACE_FAULT:
	case TRACE_FATAL:
		return detail < sizeof(accesses) / sizeof(accesses[0]);
	case TRACE_REVEAL:
	case TRACE_POPULATE:
	case TRACE_HUGE:
		return detail < sizeof(reasons) / sizeof(reasons[0]);
	case TRACE_RETIRE:
		return detail > RETIRE_NOT && detail <= RETIRE_FAILURE;
	default:
		return true;
	}
}

/* Room for `+0x`, 16 digits and a NUL: a C++ name may be longer than any line. */
#define OFFSET_BYTES 20

const char *symbol_words(const struct guest *guest, uint64_t address, char *text)
{
	const struct object *object = guest_object_at(guest, address);
	uint64_t linked = address - object->plan.load_bias;
	const struct elf_name *symbol = elf_names_find(&object->symbols.symbols, linked);

	if (symbol == NULL)
		return strcpy(text, NO_SYMBOL);
	snprintf(text, SYMBOL_BYTES, "%.*s+0x%lx", SYMBOL_BYTES - OFFSET_BYTES, symbol->name,
		 linked - symbol->start);
	return text;
}

const char *section_word(const struct guest *guest, uint64_t address)
{
	const struct object *object = guest_object_at(guest, address);
	const struct elf_name *section =
	    elf_names_find(&object->symbols.sections, address - object->plan.load_bias);

	return section != NULL ? section->name : NULL;
}
