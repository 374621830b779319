#include "tests/unit/leaving_search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TABLE_SIZE (1u << 21) /* a power of two, larger than the number of states */
#define NONE	   UINT32_MAX

struct node {
	struct model model;
	uint32_t before; /* the state from which it was found */
	uint8_t thread;
	const char *words;
};

/* A step that the program's choices have no part in. */
struct edge {
	uint32_t from, to;
};

struct search {
	struct node *nodes;
	struct edge *edges;
	uint32_t *table; /* 1 + index of a node, or 0 */
	uint32_t count, room, edge_count, edge_room;
};

static uint32_t hash_of(const struct model *model)
{
	const uint8_t *bytes = (const uint8_t *)model;
	uint64_t hash = UINT64_C(0xcbf29ce484222325), word;

	for (size_t i = 0; i < sizeof(*model); i += sizeof(word)) {
		size_t left = sizeof(*model) - i;

		word = 0;
		memcpy(&word, bytes + i, left < sizeof(word) ? left : sizeof(word));
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	return (uint32_t)hash & (TABLE_SIZE - 1);
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

/* The state's number; a new one if it has not been seen. */
static uint32_t add(struct search *search, const struct model *model, uint32_t before,
		    const struct model_step *step)
{
	uint32_t place = hash_of(model);

	for (; search->table[place] != 0; place = (place + 1) & (TABLE_SIZE - 1))
		if (memcmp(&search->nodes[search->table[place] - 1].model, model, sizeof(*model)) ==
		    0)
			return search->table[place] - 1;
	search->nodes = grow(search->nodes, search->count, &search->room, sizeof(search->nodes[0]));
	search->nodes[search->count] = (struct node){
	    .model = *model,
	    .before = before,
	    .thread = step != NULL ? step->thread : 0,
	    .words = step != NULL ? step->words : "begins",
	};
	search->table[place] = ++search->count;
	return search->count - 1;
}

static void add_edge(struct search *search, uint32_t from, uint32_t to)
{
	search->edges =
	    grow(search->edges, search->edge_count, &search->edge_room, sizeof(search->edges[0]));
	search->edges[search->edge_count++] = (struct edge){from, to};
}

static void tell(const struct search *search, uint32_t last)
{
	const struct node *node = &search->nodes[last];

	if (node->before != NONE)
		tell(search, node->before);
	fprintf(stderr, "  thread %u %s\n", node->thread, node->words);
	model_print(&node->model);
}

static const char *expand(struct search *search, uint32_t from, enum model_mutation mutation,
			  uint32_t *last)
{
	struct model_step steps[MODEL_STEPS_MAX];
	struct model now = search->nodes[from].model;
	unsigned count = model_next(&now, mutation, steps);

	for (unsigned i = 0; i < count; i++) {
		const char *wrong = steps[i].wrong;

		*last = add(search, &steps[i].after, from, &steps[i]);
		if (!steps[i].is_event)
			add_edge(search, from, *last);
		if (wrong == NULL)
			wrong = model_wrong(&steps[i].after);
		if (wrong != NULL)
			return wrong;
	}
	return NULL;
}

/* The first state from which, whatever the program leaves undone, no final one is reached. */
static uint32_t find_stuck(const struct search *search)
{
	bool *ends = calloc(search->count, sizeof(*ends)), more = true;
	uint32_t stuck = 0;

	if (ends == NULL)
		abort();
	for (uint32_t i = 0; i < search->count; i++)
		ends[i] = model_is_final(&search->nodes[i].model);
	while (more) {
		more = false;
		for (uint32_t i = search->edge_count; i-- > 0;)
			if (!ends[search->edges[i].from] && ends[search->edges[i].to])
				ends[search->edges[i].from] = more = true;
	}
	while (stuck < search->count && ends[stuck])
		stuck++;
	free(ends);
	return stuck == search->count ? NONE : stuck;
}

struct search_result search_scenario(const struct model_scenario *scenario,
				     enum model_mutation mutation, bool tells)
{
	struct search search = {.table = calloc(TABLE_SIZE, sizeof(uint32_t))};
	struct model first = model_begin(scenario);
	const char *wrong = NULL;
	uint32_t last = 0;

	if (search.table == NULL)
		abort();
	add(&search, &first, NONE, NULL);
	for (uint32_t i = 0; i < search.count && wrong == NULL; i++)
		wrong = expand(&search, i, mutation, &last);
	if (wrong == NULL) {
		last = find_stuck(&search);
		if (last != NONE)
			wrong = "from here on some thread never gets where it may stay";
	}
	if (wrong != NULL && tells) {
		fprintf(stderr, "%s:\n", scenario->name);
		tell(&search, last);
		fprintf(stderr, "  wrong: %s\n", wrong);
	}
	free(search.nodes);
	free(search.edges);
	free(search.table);
	return (struct search_result){search.count, wrong};
}
