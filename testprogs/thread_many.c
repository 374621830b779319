/* thread_many: hundreds of threads, one after the other and many at once, on stacks of their own.
 */
#include "guest.h"
#include "threads.h"

#define ROUNDS	200
#define AT_ONCE 48
#define STACK	(64 * 1024)

static char stacks[AT_ONCE][STACK] __attribute__((aligned(4096)));
static long sums[AT_ONCE + ROUNDS];

static void *work(void *pointer)
{
	char local[20000];
	long me = (long)pointer;

	for (unsigned i = 0; i < sizeof(local); i += 512)
		local[i] = (char)(me + i);
	for (unsigned i = 0; i < sizeof(local); i += 512)
		sums[me] += ((volatile char *)local)[i] & 1;
	return (void *)(me * 2);
}

int main(void)
{
	pthread_attr_t attributes;
	pthread_t threads[AT_ONCE];
	long total = 0;

	for (long i = 0; i < ROUNDS; i++) {
		must(pthread_create(&threads[0], NULL, work, (void *)i) == 0);
		total += result_of(threads[0]);
	}
	pthread_attr_init(&attributes);
	for (long i = 0; i < AT_ONCE; i++) {
		pthread_attr_setstack(&attributes, stacks[i], STACK);
		must(pthread_create(&threads[i], &attributes, work, (void *)(ROUNDS + i)) == 0);
	}
	total += join_threads(AT_ONCE, threads);
	for (int i = 0; i < AT_ONCE + ROUNDS; i++)
		total += sums[i];
	printf("total %ld\n", total);
	mark();
}
