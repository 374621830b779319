#include "loader/profile/walk.h"

#include "common/kernel_abi.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The number of links that the kernel follows at most (MAXSYMLINKS). */
#define LINKS_MAX 40

/*
 * O_DIRECTORY is not used: it would mount what an automounter has at this name (follow_automount()
 * in fs/namei.c). An O_PATH descriptor is not an open file: a device or a FIFO does not notice it.
 */
#define STEP_FLAGS (O_PATH | O_NOFOLLOW | O_CLOEXEC)

struct walk {
	const struct walk_rules *rules;
	int at;		     /* descriptor of the current place; -1: none */
	char here[PATH_MAX]; /* path of the current place, without links; "" is the root */
	char rest[PATH_MAX]; /* the components that remain */
	unsigned links;
};

static bool fail(int reason)
{
	errno = reason;
	return false;
}

/* Enters an open place, unless opening it has failed. */
static bool go(struct walk *walk, int next)
{
	if (walk->at >= 0 && next >= 0)
		close(walk->at);
	if (next >= 0)
		walk->at = next;
	return next >= 0;
}

static bool may_enter(const struct walk *walk)
{
	const struct walk_rules *rules = walk->rules;

	if (rules->steps != NULL && (*rules->steps)-- == 0) {
		*rules->steps = 0;
		return fail(EPERM);
	}
	return rules->may_enter == NULL ||
	       rules->may_enter(rules->context, walk->here[0] != '\0' ? walk->here : "/") ||
	       fail(EPERM);
}

static bool go_to_root(struct walk *walk)
{
	walk->here[0] = '\0';
	return may_enter(walk) && go(walk, open("/", STEP_FLAGS));
}

static void drop_component(struct walk *walk)
{
	char *slash = strrchr(walk->here, '/');

	if (slash != NULL)
		*slash = '\0';
}

/* Moves the first remaining component to the end of `here`, and returns it; "" if there is none. */
static const char *take_component(struct walk *walk)
{
	size_t skipped = strspn(walk->rest, "/");
	size_t length = strcspn(walk->rest + skipped, "/"), at = strlen(walk->here);

	if (at + 1 + length >= sizeof(walk->here))
		return NULL;
	walk->here[at] = '/';
	memcpy(walk->here + at + 1, walk->rest + skipped, length);
	walk->here[at + 1 + length] = '\0';
	memmove(walk->rest, walk->rest + skipped + length,
		strlen(walk->rest + skipped + length) + 1);
	return walk->here + at + 1;
}

/* Puts the text of a link in front of the remaining components. */
static bool follow(struct walk *walk, int link, const struct stat *status)
{
	char text[PATH_MAX];
	ssize_t length;
	size_t rest = strlen(walk->rest);

	if (++walk->links > LINKS_MAX)
		return fail(ELOOP);
	if (walk->rules->may_follow != NULL && !walk->rules->may_follow(status))
		return fail(EPERM);
	length = readlinkat(link, "", text, sizeof(text));
	if (length <= 0)
		return false;
	if ((size_t)length + rest >= sizeof(walk->rest))
		return fail(ENAMETOOLONG);
	memmove(walk->rest + length, walk->rest, rest + 1);
	memcpy(walk->rest, text, (size_t)length);
	drop_component(walk);
	return text[0] != '/' || go_to_root(walk);
}

static bool enter(struct walk *walk, const char *name)
{
	struct stat status;
	int next;
	bool followed;

	if (!may_enter(walk))
		return false;
	next = openat(walk->at, name, STEP_FLAGS);
	if (next < 0 || fstat(next, &status) != 0 || !S_ISLNK(status.st_mode))
		return go(walk, next);
	followed = follow(walk, next, &status);
	close(next);
	return followed;
}

static bool step(struct walk *walk)
{
	const char *name = take_component(walk);

	if (name == NULL)
		return fail(ENAMETOOLONG);
	if (name[0] == '\0' || strcmp(name, ".") == 0) {
		drop_component(walk);
		return true;
	}
	if (strcmp(name, "..") != 0)
		return enter(walk, name);
	drop_component(walk);
	drop_component(walk);
	return go(walk, openat(walk->at, "..", STEP_FLAGS));
}

int walk_open(const char *path, const struct walk_rules *rules)
{
	struct walk walk = {.rules = rules, .at = -1};
	bool going;
	int reason;

	if (path[0] != '/' || strlen(path) >= sizeof(walk.rest)) {
		errno = path[0] != '/' ? EINVAL : ENAMETOOLONG;
		return -1;
	}
	strcpy(walk.rest, path);
	going = go_to_root(&walk);
	while (going && walk.rest[0] != '\0')
		going = step(&walk);
	if (going)
		return walk.at;
	reason = errno;
	if (walk.at >= 0)
		close(walk.at);
	errno = reason;
	return -1;
}

int walk_straight(const char *folder)
{
	static const struct kernel_open_how how = {
	    .flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC,
	    .resolve = KERNEL_RESOLVE_NO_SYMLINKS,
	};

	return (int)syscall(KERNEL_SYS_OPENAT2, AT_FDCWD, folder, &how, sizeof(how));
}
