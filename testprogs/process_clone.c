/*
 * process_clone: raw clone of a process: with the parent's stack, with a stack on untouched pages,
 * with the parent's memory, and with process IDs stored in .bss.
 *
 * No mark on arm64: a child that shares the memory ends lazy paging.
 */
#include "guest.h"

enum { STACK = 16 * PAGE };

static char stacks[4][STACK] __attribute__((aligned(16)));
static struct {
	APART pid_t parent;
	APART pid_t child;
	APART int status;
	APART char end;
} words[2];
static volatile int written[6][2 * PAGE / sizeof(int)];

static int in_child(void *argument)
{
	volatile char large[6 * PAGE];
	int number = (int)(intptr_t)argument;

	for (size_t i = 0; i < sizeof(large); i += 512)
		large[i] = (char)i;
	written[number][PAGE / sizeof(int)] = 5 + number + large[1024];
	return 40 + number;
}

static void finish(const char *what, pid_t pid, int number)
{
	int *status = &words[number % 2].status;

	check(what, pid > 0 && waitpid(pid, status, 0) == pid);
	printf("status %#x, written %d\n", (unsigned)*status, written[number][PAGE / sizeof(int)]);
	*status = 0;
}

/* As fork does: the child continues on the parent's stack. */
static void with_words(int number)
{
	pid_t pid = (pid_t)syscall(SYS_clone, CLONE_PARENT_SETTID | CLONE_CHILD_SETTID | SIGCHLD,
				   NULL, &words[number].parent, &words[number].child, 0);

	if (pid == 0) {
		if (words[number].child != (pid_t)syscall(SYS_gettid))
			_exit(1);
		_exit(in_child((void *)(intptr_t)number));
	}
	check("the parent's word", words[number].parent == pid);
	check("the child's is not shared", words[number].child == 0);
	finish("with words", pid, number);
}

static void refused(void)
{
	errno = 0;
	check("refused", syscall(SYS_clone, CLONE_SIGHAND | SIGCHLD, NULL, NULL, NULL, 0) == -1 &&
			     errno == EINVAL);
}

static void with_stack(const char *what, int number, int flags)
{
	void *top = stacks[number - 2] + STACK;
	pid_t pid = clone(in_child, top, flags | SIGCHLD, (void *)(intptr_t)number);

	finish(what, pid, number);
}

int main(void)
{
	with_words(0);
	with_words(1);
	refused();
	with_stack("a stack", 2, 0);
	with_stack("the parent's memory", 3, CLONE_VM);
	with_stack("the parent's memory, waiting", 4, CLONE_VM | CLONE_VFORK);
	with_stack("the parent's files", 5, CLONE_FILES | CLONE_FS);
	for (int number = 2; number < 6; number++)
		with_stack("once more", number,
			   CLONE_VM | (number % 2 ? CLONE_FILES : CLONE_VFORK));
	check("nothing to wait for", wait(&words[1].status) == -1 && errno == ECHILD);
	mark();
}
