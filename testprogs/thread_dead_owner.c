/*
 * thread_dead_owner: a thread, or a process by exit or execve, ends while it holds the second of
 * two robust locks that are in its list. The word of the first was never touched; the kernel passes
 * it, and marks the second's.
 *
 * No mark: that the thread ends is what ends lazy paging.
 */
#include "guest.h"

#define OFFSET (20 * PAGE) /* of a lock's word from its entry in the list */
#define DIED   0x40000000u /* FUTEX_OWNER_DIED */

/* linux/futex.h, which musl does not bring. */
struct entry {
	struct entry *next;
};
static struct {
	struct entry list;
	long offset;
	struct entry *pending;
} head __attribute__((aligned(PAGE)));

static volatile int id;
static unsigned char memory[64 * PAGE] __attribute__((aligned(PAGE)));

static struct entry *entry_at(size_t page)
{
	return (struct entry *)(memory + page * PAGE);
}

static uint32_t *word_of(struct entry *entry)
{
	return (uint32_t *)((unsigned char *)entry + OFFSET);
}

static void take(struct entry *first, struct entry *second)
{
	head.list.next = first;
	head.offset = OFFSET;
	first->next = second;
	second->next = &head.list;
	id = (int)syscall(SYS_gettid);
	*word_of(second) = (uint32_t)id;
	syscall(SYS_set_robust_list, &head, sizeof(head));
}

static void *owner(void *unused)
{
	take(entry_at(1), entry_at(9));
	syscall(SYS_exit, 0);
	return unused;
}

/* Tried before the thread, with which lazy paging ends in this process. */
static void try_process(const char *how, char *program)
{
	void *shared =
	    mmap(NULL, 2UL * OFFSET, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	char *arguments[] = {program, (char *)how, NULL};

	if (fork() == 0) {
		take(entry_at(1), shared);
		if (program != NULL)
			execv(program, arguments);
		_exit(0);
	}
	wait(NULL);
	check(how, (*word_of(shared) & DIED) != 0);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc > 1)
		return 0;
	try_process("exit", NULL);
	try_process("execve", argv[0]);
	pthread_create(&thread, NULL, owner, NULL);
	/* Not pthread_join: musl's waits for a step that this thread skips. */
	while (id == 0 || syscall(SYS_tkill, id, 0) == 0)
		sched_yield();
	check("the second is marked", (*word_of(entry_at(9)) & DIED) != 0);
	check("the first is not", *word_of(entry_at(1)) == 0);
}
