#include "tests/unit/leaving/machine.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TABLE_SIZE (1u << 23) /* a power of two, larger than the number of states */
#define NONE	   UINT32_MAX

/* States with the same hash count as the same. */
struct node {
	uint64_t hash;
	uint8_t *kept;	 /* the saved state; NULL after its moves have been made */
	uint32_t before; /* the state from which it was found */
	struct move move;
	bool ends;
};

/* A move that is not the program's choice. */
struct edge {
	uint32_t from, to;
};

struct search {
	struct node *nodes;
	struct edge *edges;
	uint32_t *table; /* 1 + index of a node, or 0 */
	uint32_t count, room, edge_count, edge_room;
};

static uint64_t hash_of(const uint8_t *bytes, unsigned length)
{
	uint64_t one = UINT64_C(0xcbf29ce484222325), other = length, words[2];

	memset((uint8_t *)bytes + length, 0, sizeof(words));
	for (unsigned i = 0; i < length; i += (unsigned)sizeof(words)) {
		memcpy(words, bytes + i, sizeof(words));
		one = (one ^ words[0]) * UINT64_C(0x9e3779b97f4a7c15);
		other = (other ^ words[1]) * UINT64_C(0xff51afd7ed558ccd);
		one ^= one >> 29;
		other ^= other >> 31;
	}
	return (one ^ (other << 32 | other >> 32)) * UINT64_C(0x9e3779b97f4a7c15);
}

static void *grow(void *array, uint32_t count, uint32_t *room, size_t size)
{
	if (count < *room)
		return array;
	*room = *room == 0 ? 1024 : 2 * *room;
	array = realloc(array, *room * size);
	if (array == NULL)
		abort();
	return array;
}

/* Returns the number of the machine's state, a new number if the state is new. */
static uint32_t add(struct search *search, uint32_t before, struct move move)
{
	static uint8_t kept[KEPT_MAX + 16];
	unsigned length = machine_keep(kept);
	uint64_t hash = hash_of(kept, length);
	uint32_t place = (uint32_t)(hash >> 32) & (TABLE_SIZE - 1);
	struct node *node;

	for (; search->table[place] != 0; place = (place + 1) & (TABLE_SIZE - 1))
		if (search->nodes[search->table[place] - 1].hash == hash)
			return search->table[place] - 1;
	search->nodes = grow(search->nodes, search->count, &search->room, sizeof(search->nodes[0]));
	node = &search->nodes[search->count];
	*node = (struct node){hash, malloc(length), before, move, rules_is_final()};
	if (node->kept == NULL)
		abort();
	memcpy(node->kept, kept, length);
	search->table[place] = ++search->count;
	return search->count - 1;
}

static void add_edge(struct search *search, uint32_t from, uint32_t to)
{
	search->edges =
	    grow(search->edges, search->edge_count, &search->edge_room, sizeof(search->edges[0]));
	search->edges[search->edge_count++] = (struct edge){from, to};
}

static void print_state(void)
{
	static const char *const processes[] = {"LAZY", "LEAVING", "NATIVE"};
	static const char *const states[] = {
#define STATE(name) #name,
#include "loader/resident/threads/states.def"
	};
	static const char *const signals[] = {"", ", request pending", ", fault pending",
					      ", signal pending"};
	static const char *const places[] = {"nowhere", "in the program", "sets a filter",
					     "in a call", "sleeps in a call"};

	fprintf(stderr, "    %-8s%s |", processes[resident_process.state],
		resident_process.lock != 0 ? ", locked" : "");
	for (unsigned i = 0; i < THREADS; i++) {
		const struct task *task = &machine.tasks[i];

		if (task->alive)
			fprintf(stderr, " %u: %s%s, %s;", i, states[machine_thread(i)->state],
				signals[task->pending],
				task->place == RUNS ? task->doing : places[task->place]);
	}
	fprintf(stderr, "\n");
}

static void print_way(const struct search *search, uint32_t last)
{
	static const char *const events[] = {
	    [EVENT_NONE] = "goes on",
	    [EVENT_TOUCH] = "touches a hidden page",
	    [EVENT_CALL] = "makes a short call",
	    [EVENT_WAIT] = "makes a call that may wait",
	    [EVENT_WAKE] = "is woken",
	    [EVENT_END] = "makes a call that ends lazy paging",
	    [EVENT_JOIN] = "asks to wait until another thread wakes it",
	    [EVENT_FILTER] = "asks to install a filter for all threads",
	    [EVENT_MILD] = "asks to install a mild filter for all threads",
	    [EVENT_NATIVE] = "has left lazy paging and installs a filter",
	    [EVENT_EXIT] = "makes the call exit",
	    [EVENT_EXEC] = "makes the call execve",
	    [EVENT_CLONE] = "makes the call clone",
	    [EVENT_FORK] = "makes the call fork",
	    [EVENT_DEATH] = "is killed",
	    [EVENT_KILL] = "is killed",
	    [EVENT_SIGNAL] = "is sent a signal by another process",
	};
	struct move move = search->nodes[last].move;

	if (search->nodes[last].before != NONE) {
		print_way(search, search->nodes[last].before);
		fprintf(stderr, "  thread %u %s\n", move.task,
			move.way == WAY_SIGNAL ? "is given its signal" : events[move.event]);
		program_move(move);
	}
	print_state();
}

static const char *expand(struct search *search, uint32_t from, uint32_t *last)
{
	uint8_t *kept = search->nodes[from].kept;
	struct move moves[MOVES_MAX];
	unsigned count;

	machine_go_back(kept);
	count = program_moves(moves);
	for (unsigned i = 0; i < count; i++) {
		const char *wrong;

		machine_go_back(kept);
		program_move(moves[i]);
		wrong = machine_wrong_now();
		*last = add(search, from, moves[i]);
		if (moves[i].event == EVENT_NONE)
			add_edge(search, from, *last);
		if (wrong == NULL)
			wrong = rules_wrong();
		if (wrong != NULL)
			return wrong;
	}
	free(kept);
	search->nodes[from].kept = NULL;
	return NULL;
}

/* The first state from which no final state is reached without a choice of the program. */
static uint32_t find_stuck(const struct search *search)
{
	bool more = true;
	uint32_t stuck = 0;

	while (more) {
		more = false;
		for (uint32_t i = search->edge_count; i-- > 0;)
			if (!search->nodes[search->edges[i].from].ends &&
			    search->nodes[search->edges[i].to].ends)
				search->nodes[search->edges[i].from].ends = more = true;
	}
	while (stuck < search->count && search->nodes[stuck].ends)
		stuck++;
	return stuck == search->count ? NONE : stuck;
}

struct result search(const struct scenario *scenario, bool prints)
{
	struct search search = {.table = calloc(TABLE_SIZE, sizeof(uint32_t))};
	const char *wrong = NULL;
	uint32_t last = 0;

	if (search.table == NULL)
		abort();
	machine_prepare();
	machine_begin(scenario);
	add(&search, NONE, (struct move){.event = EVENT_NONE});
	for (uint32_t i = 0; i < search.count && wrong == NULL; i++)
		wrong = expand(&search, i, &last);
	if (wrong == NULL) {
		last = find_stuck(&search);
		if (last != NONE)
			wrong = "from here a thread never comes to a place where it may stay";
	}
	if (wrong != NULL && prints) {
		fprintf(stderr, "%s:\n", scenario->name);
		machine_begin(scenario);
		print_way(&search, last);
		fprintf(stderr, "  wrong: %s\n", wrong);
	}
	for (uint32_t i = 0; i < search.count; i++)
		free(search.nodes[i].kept);
	free(search.nodes);
	free(search.edges);
	free(search.table);
	return (struct result){search.count, wrong};
}
