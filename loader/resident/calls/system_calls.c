#include "loader/resident/calls/system_calls.h"

/* An entry is four bytes, because each page of resident code costs something at each start. */
#define ARGUMENT_SHIFT(i) (8 + 4 * (i))
#define ARGUMENT_MASK	  15U

_Static_assert(ARGUMENT_X <= ARGUMENT_MASK, "an argument's kind has four bits");

/* Since 424 all architectures number new calls alike; x86-64 has none between its own and these. */
#define GAP_START	 337
#define GAP_END		 424
#define INDEX_OF(number) ((number) < GAP_START ? (number) : (number) - (GAP_END - GAP_START))

static const uint32_t calls[] = {
#define CALL(number, name, action, a, b, c, d, e, f)                                               \
	[INDEX_OF(number)] =                                                                       \
	    CALL_##action | ARGUMENT_##a << ARGUMENT_SHIFT(0) |                                    \
	    ARGUMENT_##b << ARGUMENT_SHIFT(1) | ARGUMENT_##c << ARGUMENT_SHIFT(2) |                \
	    ARGUMENT_##d << ARGUMENT_SHIFT(3) | ARGUMENT_##e << ARGUMENT_SHIFT(4) |                \
	    (uint32_t)ARGUMENT_##f << ARGUMENT_SHIFT(5),
#include "loader/resident/calls/system_calls.def"
#undef CALL
};

struct system_call system_call_of(uint64_t number)
{
	struct system_call call = {.action = CALL_RETIRE};

	if ((number >= GAP_START && number < GAP_END) ||
	    INDEX_OF(number) >= sizeof(calls) / sizeof(calls[0]))
		return call;
	call.action = (uint8_t)calls[INDEX_OF(number)];
	for (unsigned i = 0; i < CALL_ARGUMENTS; i++)
		call.arguments[i] = (calls[INDEX_OF(number)] >> ARGUMENT_SHIFT(i)) & ARGUMENT_MASK;
	return call;
}
