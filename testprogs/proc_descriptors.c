/*
 * proc_descriptors: the open descriptors of the guest `descriptors`, but as /proc/self/fd lists
 * them, where descriptors of any number would show.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static int by_number(const void *left, const void *right)
{
	return *(const int *)left - *(const int *)right;
}

int main(void)
{
	int numbers[1024], count = 0;
	DIR *directory = opendir("/proc/self/fd");
	const struct dirent *entry;

	if (!directory) {
		perror("/proc/self/fd");
		return 1;
	}
	while ((entry = readdir(directory)) && count < 1024)
		if (entry->d_name[0] != '.' && atoi(entry->d_name) != dirfd(directory))
			numbers[count++] = atoi(entry->d_name);
	closedir(directory);
	qsort(numbers, (size_t)count, sizeof(numbers[0]), by_number);
	for (int i = 0; i < count; i++)
		printf("descriptor %d\n", numbers[i]);
}
