/* Which file systems are local, and walking to a file over these alone. */
#include "loader/profile/local_file.h"
#include "loader/profile/walk.h"
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static bool parse(const char *text, struct local_mounts *mounts)
{
	FILE *file = fmemopen((char *)text, strlen(text), "r");
	bool good;

	assert_non_null(file);
	good = local_mounts_parse(file, mounts);
	fclose(file);
	return good;
}

TEST(mounts_that_are_not_known_to_be_local_are_barred)
{
	struct local_mounts mounts;

	assert_true(parse("27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
			  "28 27 0:25 / /tmp rw shared:2 master:1 - tmpfs none rw\n"
			  "30 27 0:40 / /home/a\\040b\\134c rw shared:3 - fuse.sshfs a@b: rw\n"
			  "31 27 0:41 /export /net rw - nfs4 server:/export rw\n"
			  "32 27 0:42 / /auto rw - autofs systemd-1 rw\n"
			  "33 27 0:42 / /new rw - newfs none rw\n"
			  "34 27 0:43 / /- rw - - - rw\n",
			  &mounts));
	assert_int_equal(mounts.count, 5);
	assert_true(local_mounts_permit(&mounts, "/"));
	assert_true(local_mounts_permit(&mounts, "/tmp"));
	assert_true(local_mounts_permit(&mounts, "/network"));
	assert_true(local_mounts_permit(&mounts, "/home/a"));
	assert_false(local_mounts_permit(&mounts, "/home/a b\\c"));
	assert_false(local_mounts_permit(&mounts, "/net"));
	assert_false(local_mounts_permit(&mounts, "/auto"));
	assert_false(local_mounts_permit(&mounts, "/new"));
	assert_false(local_mounts_permit(&mounts, "/-"));
	local_mounts_free(&mounts);
}

TEST(lines_that_are_not_understood_permit_nothing)
{
	static const char *const texts[] = {
	    "27\n",
	    "27 1 254:0 / / rw,relatime\n",
	    "27 1 254:0 / / rw,relatime -\n",
	};
	struct local_mounts mounts;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_false(parse(texts[i], &mounts));
		local_mounts_free(&mounts);
	}
}

static char folder[] = "/tmp/walk.XXXXXX";

/* `path` below the folder, as it was last asked for. */
static const char *below(const char *path)
{
	static char text[4096];

	snprintf(text, sizeof(text), "%s/%s", folder, path);
	return text;
}

static bool may_enter(const void *context, const char *path)
{
	return strcmp(path, context) != 0;
}

static bool may_follow(const struct stat *link)
{
	return link->st_size != 4;
}

/* Whether a walk leads to the file `inner/file`. */
static bool leads(const char *path, const struct walk_rules *rules)
{
	struct stat expected, found;
	int descriptor = walk_open(below(path), rules);
	bool same;

	if (descriptor < 0)
		return false;
	same = fstat(descriptor, &found) == 0 && stat(below("inner/file"), &expected) == 0 &&
	       found.st_ino == expected.st_ino && found.st_dev == expected.st_dev;
	close(descriptor);
	return same;
}

TEST(a_walk_leads_where_the_kernel_goes)
{
	const struct walk_rules rules = {.may_enter = NULL};

	assert_true(leads("inner/file", &rules));
	assert_true(leads(".//inner/../inner/./file", &rules));
	assert_true(leads("link/file", &rules));
	assert_true(leads("inner/back/absolute", &rules));
	assert_false(leads("../../../../..", &rules));
	assert_false(leads("inner/file/x", &rules));
	assert_false(leads("loop", &rules));
	assert_int_equal(errno, ELOOP);
	assert_false(leads("none", &rules));
	assert_int_equal(errno, ENOENT);
	assert_int_equal(walk_open("relative", &rules), -1);
	assert_false(leads("long", &rules));
	assert_int_equal(errno, ENAMETOOLONG);
}

TEST(a_walk_enters_and_follows_only_what_it_may)
{
	char path[4096];
	const struct walk_rules enters = {.context = path, .may_enter = may_enter};
	const struct walk_rules follows = {.may_follow = may_follow};
	unsigned steps = 8;
	const struct walk_rules counted = {.steps = &steps};

	strcpy(path, below("inner"));
	assert_true(leads("inner/file", &follows));
	assert_false(leads("inner/file", &enters));
	assert_int_equal(errno, EPERM);
	assert_false(leads("link/file", &enters));
	assert_true(leads("link/file", &follows));
	assert_false(leads("inner/back/absolute", &enters));
	assert_false(leads("four/file", &follows));
	assert_int_equal(errno, EPERM);
	/* The root and four components. */
	assert_true(leads("inner/file", &counted));
	assert_int_equal(steps, 3);
	assert_false(leads("inner/file", &counted));
	assert_false(leads("inner/file", &counted));
	assert_int_equal(steps, 0);
}

TEST(what_is_found_is_what_is_opened)
{
	struct local_mounts mounts;
	struct stat status;
	char byte;
	int found, file, inner = open(below("inner"), O_RDONLY | O_DIRECTORY);

	assert_true(parse("27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n", &mounts));
	found = local_file_find(&mounts, below("link/file"), &status);
	assert_true(found >= 0);
	assert_int_equal(status.st_size, 1);
	assert_int_equal(renameat(inner, "file", inner, "moved"), 0);
	file = local_file_open(found);
	assert_int_equal(renameat(inner, "moved", inner, "file"), 0);
	assert_int_equal(read(file, &byte, 1), 1);
	close(file);
	close(found);
	close(inner);
	assert_int_equal(local_file_find(&mounts, below("inner"), &status), -1);
	assert_int_equal(local_file_find(&mounts, below("inner/fifo"), &status), -1);
	mounts.steps = 2;
	assert_int_equal(local_file_find(&mounts, below("inner/file"), &status), -1);
	local_mounts_free(&mounts);
}

int before_tests(void **state)
{
	char text[4096];
	int file;

	(void)state;
	if (mkdtemp(folder) == NULL || mkdir(below("inner"), 0700) != 0)
		return -1;
	file = open(below("inner/file"), O_WRONLY | O_CREAT, 0600);
	if (file < 0 || write(file, "x", 1) != 1 || close(file) != 0)
		return -1;
	/* A link to itself, which becomes longer each time. */
	memset(text, '/', sizeof(text));
	text[0] = '.';
	strcpy(text + sizeof(text) - 8, "long/./");
	if (symlink(text, below("long")) != 0)
		return -1;
	strcpy(text, below("inner/file"));
	return symlink("./inner", below("link")) + symlink("loop", below("loop")) +
	       symlink("./.", below("inner/back")) + symlink(text, below("inner/absolute")) +
	       symlink("link", below("four")) + mkfifo(below("inner/fifo"), 0600);
}

int after_tests(void **state)
{
	static const char *const names[] = {"inner/file", "inner/back", "inner/absolute",
					    "inner/fifo", "link",	"loop",
					    "four",	  "long"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unlink(below(names[i]));
	rmdir(below("inner"));
	return rmdir(folder);
}
