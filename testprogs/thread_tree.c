/*
 * thread_tree: threads that make threads that make threads, on stacks of fresh pages, of which each
 * reads what its ancestors left on theirs.
 */
#include "guest.h"

#define DEPTH 4
#define WIDTH 3
#define NODES 121
#define STACK (48 * 1024)

struct node {
	const struct node *parent;
	int number, depth;
	char unused[5000];
};

static char stacks[NODES][STACK] __attribute__((aligned(4096)));
static volatile int visited[NODES][1024];

static void *run(void *pointer)
{
	struct node self[WIDTH] = {0};
	const struct node *node = pointer;
	pthread_t threads[WIDTH];
	long sum = 0;

	for (const struct node *place = node; place; place = place->parent)
		sum += place->number;
	visited[node->number][0]++;
	for (int i = 0; i < WIDTH && node->depth < DEPTH; i++) {
		pthread_attr_t attributes;

		self[i] = (struct node){.parent = node,
					.number = node->number * WIDTH + i + 1,
					.depth = node->depth + 1};
		pthread_attr_init(&attributes);
		pthread_attr_setstack(&attributes, stacks[self[i].number], STACK);
		if (pthread_create(&threads[i], &attributes, run, &self[i]) != 0)
			return (void *)-1000000L;
	}
	for (int i = 0; i < WIDTH && node->depth < DEPTH; i++)
		sum += result_of(threads[i]);
	return (void *)sum;
}

int main(void)
{
	struct node root = {0};
	int count = 0;

	printf("sum %ld\n", (long)run(&root));
	for (int i = 0; i < NODES; i++)
		count += visited[i][0] + visited[i][1];
	printf("visited %d\n", count);
	mark();
}
