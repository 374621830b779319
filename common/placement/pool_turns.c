#include "common/placement/pool_turns.h"

/* Kinds of pieces: single pages, and pages of 2 MiB. */
#define KINDS 2

/*
 * A processor is visited for at least 16 MiB of each kind: its lists hold tens of MiB, and return
 * the last freed pages first.
 */
#define PIECES_LEAST 8

void turns_begin(struct pool_turns *turns, uint64_t pieces)
{
	uint64_t most = pieces / ((uint64_t)KINDS * PIECES_LEAST);
	int current = sched_getcpu();
	unsigned long here = (unsigned long)current, at = here;

	*turns = (struct pool_turns){.pieces = pieces};
	if (current < 0 || here >= CPU_SETSIZE ||
	    sched_getaffinity(0, sizeof(turns->allowed), &turns->allowed) != 0)
		return;
	do {
		if (CPU_ISSET(at, &turns->allowed))
			turns->processors[turns->count++] = at;
		at = (at + 1) % CPU_SETSIZE;
	} while (at != here && turns->count < most && turns->count < TURNS_PROCESSORS);
}

/* If a processor may no longer be used, its frames cannot be obtained. */
static void move_to(unsigned long processor)
{
	cpu_set_t only;

	CPU_ZERO(&only);
	CPU_SET(processor, &only);
	sched_setaffinity(0, sizeof(only), &only);
}

bool turns_take(struct pool_turns *turns, uint64_t piece)
{
	unsigned count = turns->count > 0 ? turns->count : 1;
	unsigned turn = (unsigned)(piece * KINDS * count / turns->pieces);

	if (turn != turns->turn && turns->count > 1)
		move_to(turns->processors[turn % count]);
	turns->turn = turn;
	return turn >= count;
}

void turns_end(const struct pool_turns *turns)
{
	if (turns->count > 1)
		sched_setaffinity(0, sizeof(turns->allowed), &turns->allowed);
}
