/*
 * signal_null_check: as a virtual machine does: null pointers are found by SIGSEGV, whose handler
 * leaves by siglongjmp, thousands of times, with a look at code and address.
 */
#include "guest.h"

#define ROUNDS 3000

struct object {
	long fields[8];
	struct object *next;
};

/* An object a page, a null pointer after every third one. */
static union {
	struct object object;
	char page[4096];
} objects[ROUNDS / 10];

static sigjmp_buf landing;
static volatile uintptr_t address;
static volatile int code;

static void on_fault(int number, siginfo_t *info, void *context)
{
	address = (uintptr_t)info->si_addr;
	code = info->si_code;
	siglongjmp(landing, number);
}

static long follow(struct object *object, int field, volatile long *nulls)
{
	if (sigsetjmp(landing, 1) != 0) {
		if (code == SEGV_MAPERR && address == (uintptr_t)field * sizeof(long))
			++*nulls;
		return -1;
	}
	if (field % 2 == 1)
		((volatile struct object *)object->next)->fields[field]++;
	return ((volatile struct object *)object->next)->fields[field];
}

int main(void)
{
	const int count = sizeof(objects) / sizeof(objects[0]);
	volatile long nulls = 0;
	long sum = 0;

	HANDLE_INFO(on_fault, 0, SIGSEGV);
	for (int i = 0; i < count; i++)
		if (i % 3 != 0)
			objects[i].object.next = &objects[(i * 7 + 1) % count].object;
	for (int i = 0; i < ROUNDS; i++)
		sum += follow(&objects[i % count].object, i % 8, &nulls);
	printf("sum %ld, nulls %ld\n", sum, nulls);
	mark();
}
