/*
 * thread_stack_bounds: where a thread's stack is. For the first one the C library asks the kernel:
 * by /proc/self/maps, or by mremap of what is not there.
 *
 * No mark with userfaultfd: mremap() ends lazy paging, and musl asks mremap() where a stack ends.
 */
#include "guest.h"

#define STACK (64 * 1024)

static char stack[STACK] __attribute__((aligned(4096)));
static char pages[64 * 4096];

static void show(const char *who)
{
	char local = 0;
	pthread_attr_t attributes;
	void *start = NULL;
	size_t length = 0;
	int result = pthread_getattr_np(pthread_self(), &attributes);

	pthread_attr_getstack(&attributes, &start, &length);
	printf("%s: %d, inside %d, in the array %d, untouched %d\n", who, result,
	       (uintptr_t)&local - (uintptr_t)start < length, start == stack && length == STACK,
	       pages[20 * 4096]);
	pthread_attr_destroy(&attributes);
}

static void *run(void *pointer)
{
	show("thread");
	return pointer;
}

int main(void)
{
	pthread_attr_t attributes;
	pthread_t thread;

	show("first");
	pthread_attr_init(&attributes);
	pthread_create(&thread, &attributes, run, NULL);
	pthread_join(thread, NULL);
	pthread_attr_setstack(&attributes, stack, STACK);
	pthread_create(&thread, &attributes, run, NULL);
	pthread_join(thread, NULL);
	pages[30 * 4096] = 1;
	show("first");
	mark();
}
