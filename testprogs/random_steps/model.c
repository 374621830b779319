/* Shared by all models of the program's state: random numbers, and a counter of mistakes. */
#include "../guest.h"

#include "model.h"

static uint64_t state, checksum;
static const char *name;
static int step, wrong;

void random_begin(uint64_t seed)
{
	state = seed;
}

/* splitmix64 */
uint64_t random_below(uint64_t end)
{
	uint64_t value = state += UINT64_C(0x9e3779b97f4a7c15);

	value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
	return (value ^ value >> 31) % end;
}

bool random_one_in(uint64_t count)
{
	return random_below(count) == 0;
}

/* By write(), because stdio would allocate memory, which only the steps may do. */
void expect(const char *what, long found, long expected)
{
	char line[200];
	int length;

	checksum = (checksum ^ (uint64_t)found) * UINT64_C(0x100000001b3);
	if (found == expected)
		return;
	length = snprintf(line, sizeof(line), "step %d, %s, %s: %ld, not %ld\n", step, name, what,
			  found, expected);
	if (wrong++ < 20 && write(1, line, (size_t)length) < 0)
		_exit(2);
}

void expect_in(int number, const char *of)
{
	step = number;
	name = of;
}

int expect_wrong(void)
{
	return wrong;
}

uint64_t expect_checksum(void)
{
	return checksum;
}
