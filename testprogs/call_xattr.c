/*
 * call_xattr: extended attributes, with names, values and lists in constants and on untouched
 * pages. The errors are the same if the file system has no attributes.
 */
#include "guest.h"
#include "show.h"

#include <sys/xattr.h>

#define OWN_setxattrat 463
#define OWN_getxattrat 464

struct arguments {
	uint64_t value;
	uint32_t size, flags;
};

static char area[256 * PAGE] __attribute__((aligned(PAGE)));
static struct {
	char before[PAGE - 6], text[PAGE + 6];
} path __attribute__((aligned(PAGE))) = {.text = "/tmp/call_xattr.XXXXXX"};
static const char name[2 * PAGE]
    __attribute__((aligned(PAGE))) = {[PAGE - 4] = 'u', 's', 'e', 'r', '.', 'o', 'n', 'e'};
/* The middle is further from both ends than the pages that come with a touched one. */
static const char value[36 * PAGE]
    __attribute__((aligned(PAGE))) = {[18 * PAGE - 2] = 'v', 'a', 'l', 'u', 'e'};

int main(void)
{
	const char *own_path = path.text, *own_name = name + PAGE - 4;
	const char *own_value = value + 18 * PAGE - 2;
	char *got = area + 10 * PAGE - 2, *list = area + 20 * PAGE - 4;
	struct arguments *out = (struct arguments *)(area + 200 * PAGE - 8);
	struct arguments *in = (struct arguments *)(area + 190 * PAGE - 8);
	int file = mkstemp(path.text);

	must(file >= 0);
	show("setxattr", setxattr(own_path, own_name, own_value, 5, 0));
	show("getxattr", getxattr(own_path, own_name, got, 5000));
	printf("%s\n", got);
	show("size", getxattr(own_path, own_name, NULL, 0));
	show("too short", getxattr(own_path, own_name, area + 30 * PAGE - 1, 2));
	show("listxattr", listxattr(own_path, list, 5000));
	printf("%s\n", list);
	show("fsetxattr", fsetxattr(file, "user.two", area + 40 * PAGE - 600, 1000, 0));
	show("fgetxattr", fgetxattr(file, "user.two", area + 50 * PAGE - 1, 65536));
	show("flistxattr", flistxattr(file, area + 70 * PAGE - 2, 100));
	show("none", getxattr(own_path, "user.three", area + 80 * PAGE, 100));
	show("empty name", getxattr(own_path, area + 82 * PAGE, area + 83 * PAGE, 100));
	show("lremovexattr", lremovexattr(own_path, own_name));
	/* The structure holds the value's address, and the value lies lower in memory than the
	   structure. */
	*out = (struct arguments){(uintptr_t)own_value, 5, 0};
	show("setxattrat", syscall(OWN_setxattrat, AT_FDCWD, own_path, 0, own_name, out, 16L));
	*in = (struct arguments){(uintptr_t)area + 150 * PAGE - 3, 100, 0};
	show("getxattrat", syscall(OWN_getxattrat, AT_FDCWD, own_path, 0, own_name, in, 16L));
	printf("%s\n", area + 150 * PAGE - 3);
	show("unlink", unlink(own_path));
	mark();
}
