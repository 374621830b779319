/*
 * scribble HOW SEED: a program that writes over memory of a loader's, and ends with status 7.
 *
 *   words   random numbers over the words before the events of a trace
 *   events  events of random kinds that seem finished, with random texts
 *   all     random numbers over all writable memory that has no name; a system call of the
 * program's may then be the last thing that its thread does
 */
#include "common/arch/syscall.h"
#include "loader/resident/base/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#define AREAS	   64
#define MADE	   20000
#define MOST_BYTES (UINT64_C(1) << 20)

static struct area {
	uint64_t start, end;
} areas[AREAS];
static unsigned count;
static struct trace *ring;
static uint64_t state;
static volatile char hidden[512 * 4096];

static uint64_t next(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static void find(void)
{
	char line[512], permissions[8], name[256];
	FILE *maps = fopen("/proc/self/maps", "re");
	struct area area;

	while (maps != NULL && fgets(line, sizeof(line), maps) != NULL) {
		name[0] = '\0';
		if (sscanf(line, "%lx-%lx %7s %*s %*s %*s %255s", &area.start, &area.end,
			   permissions, name) < 3)
			continue;
		if (permissions[3] == 's' && area.end - area.start >= sizeof(*ring))
			ring = (struct trace *)area.start;
		if (name[0] == '\0' && permissions[1] == 'w' && count < AREAS)
			areas[count++] = area;
	}
	if (maps != NULL)
		fclose(maps);
}

static void fill(void *start, uint64_t bytes)
{
	for (uint64_t *at = start; at < (uint64_t *)((char *)start + bytes); at++)
		*at = next();
}

static void make_events(void)
{
	uint64_t first = ring->begun;

	for (uint64_t turn = first; turn < first + MADE; turn++) {
		struct trace_event *event = &ring->events[turn % TRACE_EVENTS];

		fill(event, sizeof(*event));
		event->kind = (uint32_t)(next() % (TRACE_KINDS + 2));
		if (next() % 2 != 0)
			event->detail = (int32_t)(next() % 400) - 5;
		for (unsigned i = 0; i < TRACE_TEXTS && next() % 2 != 0; i++)
			event->text_bytes[i] = (uint8_t)(next() % (TRACE_TEXT_BYTES + 2));
		event->turn = turn + 1;
	}
	__atomic_store_n(&ring->begun, first + MADE, __ATOMIC_SEQ_CST);
}

/* Where the system call is the last thing, whatever has been written over. */
static _Noreturn void end(void)
{
	for (;;)
		raw_syscall1(SYS_exit_group, 7);
}

int main(int argc, char **argv)
{
	const char *how = argc > 2 ? argv[1] : "";

	state = UINT64_C(88172645463325252) + (argc > 2 ? strtoul(argv[2], NULL, 0) : 0);
	find();
	for (unsigned i = 0; i < sizeof(hidden); i += 3 * 4096)
		hidden[i] = 1;
	if (strcmp(how, "words") == 0 && ring != NULL)
		fill(ring, offsetof(struct trace, events));
	else if (strcmp(how, "events") == 0 && ring != NULL)
		make_events();
	else if (strcmp(how, "all") == 0)
		for (unsigned i = 0; i < count; i++)
			fill((void *)areas[i].start, areas[i].end - areas[i].start < MOST_BYTES
							 ? areas[i].end - areas[i].start
							 : MOST_BYTES);
	end();
}
