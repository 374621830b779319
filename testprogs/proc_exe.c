/*
 * proc_exe: where /proc/self/exe points. Programs find their own data through it, and execute it to
 * start themselves again, as this one does if it is given an argument.
 */
#include "guest.h"

#include <sys/auxv.h>

int main(int argc, char **argv)
{
	const char *file_name = (const char *)getauxval(AT_EXECFN);
	char target[4096];
	ssize_t length = readlink("/proc/self/exe", target, sizeof(target) - 1);
	struct stat by_link, by_name;

	if (argc > 1)
		return execl("/proc/self/exe", argv[0], (char *)NULL);
	target[length < 0 ? 0 : length] = '\0';
	printf("exe -> %s\n", target);
	check("it can be examined", stat("/proc/self/exe", &by_link) == 0);
	check("the file name can be examined", stat(file_name, &by_name) == 0);
	check("both are the same file",
	      by_link.st_ino == by_name.st_ino && by_link.st_dev == by_name.st_dev);
}
