#include "loader/resident/calls/system_calls.h"

#include "loader/resident/arch/call.h"

/*
 * From 424 on, new calls have the same number on all processors. The numbers from GAP_START to 423
 * are unused.
 */
#define GAP_START	 CALL_NUMBERS_END
#define GAP_END		 424
#define INDEX_OF(number) ((number) < GAP_START ? (number) : (number) - (GAP_END - GAP_START))

static const struct system_call calls[] = {
#define SYSTEM_CALL(number, name, action, a, b, c, d, e, f)                                        \
	[INDEX_OF(number)] = {CALL_##action, ARGUMENT_##a, ARGUMENT_##b, ARGUMENT_##c,             \
			      ARGUMENT_##d,  ARGUMENT_##e, ARGUMENT_##f},
#include "loader/resident/calls/system_calls.def"
};

struct system_call system_call_of(uint64_t number)
{
	static const struct system_call unknown = {.action = CALL_RETIRE};

	if ((number >= GAP_START && number < GAP_END) ||
	    INDEX_OF(number) >= sizeof(calls) / sizeof(calls[0]))
		return unknown;
	return calls[INDEX_OF(number)];
}
