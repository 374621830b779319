/*
 * process_tids: clone and clone3 write process IDs for parent and child to untouched pages, each in
 * the memory of the right process.
 */
#include "guest.h"

static FRESH(volatile int word) parents[8], children[8];

struct arguments {
	uint64_t flags, pidfd, child, parent, signal, stack, bytes, tls;
};

static const struct arguments constant[3] = {[1] = {.signal = SIGCHLD}};

static int look(int which, int both)
{
	int self = (int)syscall(SYS_gettid);

	return (children[which].word == self) + 2 * (parents[which].word == self) +
	       4 * (both && parents[which].word == children[which].word);
}

static void finish(const char *what, long child, int which)
{
	if (child < 0) {
		printf("%s: %s\n", what, strerror(errno));
		return;
	}
	printf("%s: child %#x, parent's word %d, child's word %d\n", what, end_of((pid_t)child),
	       parents[which].word == child, children[which].word);
}

static void run(const char *what, uint64_t flags, int which, int with_new_call)
{
	const struct arguments arguments = {.flags = flags,
					    .child = (uintptr_t)&children[which].word,
					    .parent = (uintptr_t)&parents[which].word,
					    .signal = SIGCHLD};
	long child;

	if (with_new_call)
		child = syscall(SYS_clone3, &arguments, sizeof(arguments));
	else
		child = syscall(SYS_clone, flags | SIGCHLD, NULL, &parents[which].word,
				&children[which].word, NULL);
	if (child == 0)
		_exit(look(which, 1));
	finish(what, child, which);
}

int main(void)
{
	long child;

	for (int i = 0; i < 2; i++) {
		run("both", CLONE_PARENT_SETTID | CLONE_CHILD_SETTID, 4 * i, i);
		run("parent's", CLONE_PARENT_SETTID, 4 * i + 1, i);
		run("child's", CLONE_CHILD_SETTID, 4 * i + 2, i);
		run("child's, cleared", CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID, 4 * i + 3, i);
	}
	child = syscall(SYS_clone3, &constant[1], sizeof(constant[1]));
	if (child == 0)
		_exit(77);
	finish("constant", child, 0);
	finish("too short", syscall(SYS_clone3, &constant[1], 63), 0);
	finish("wild", syscall(SYS_clone3, (void *)0x10, 64), 0);
	finish("too long", syscall(SYS_clone3, &constant[1], 1 << 20), 0);
	mark();
}
