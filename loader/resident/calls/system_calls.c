#include "loader/resident/calls/system_calls.h"

static const struct system_call calls[] = {
#define CALL(number, name, action, a, b, c, d, e, f)                                               \
	[number] = {                                                                               \
	    CALL_##action,                                                                         \
	    {ARGUMENT_##a, ARGUMENT_##b, ARGUMENT_##c, ARGUMENT_##d, ARGUMENT_##e, ARGUMENT_##f}},
#include "loader/resident/calls/system_calls.def"
#undef CALL
};

struct system_call system_call_of(uint64_t number)
{
	struct system_call unknown = {.action = CALL_RETIRE};

	return number < sizeof(calls) / sizeof(calls[0]) ? calls[number] : unknown;
}
