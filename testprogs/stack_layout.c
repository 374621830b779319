/*
 * stack_layout: what the kernel puts above the auxiliary vector: the platform string and random
 * bytes, then the strings of argv and envp in that order without gaps, then the file name and eight
 * zero bytes. Programs that write their title over argv rely on this.
 */
#include <elf.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

#include "check.h"

/* The address after the last of the strings; NULL when they are not one after another. */
static char *end_of_strings(char **strings, char *start)
{
	for (; *strings; strings++) {
		if (*strings != start)
			return NULL;
		start += strlen(start) + 1;
	}
	return start;
}

int main(int argc, char **argv, char **envp)
{
	long *count = (long *)argv - 1;
	char *end_of_argv = end_of_strings(argv, argv[0]);
	char *end_of_envp = end_of_strings(envp, end_of_argv);
	char *file_name = (char *)getauxval(AT_EXECFN);
	const char *random = (const char *)getauxval(AT_RANDOM);
	const char *platform = (const char *)getauxval(AT_PLATFORM);
	char **end = envp;

	while (*end)
		end++;

	const Elf64_auxv_t *auxv = (const Elf64_auxv_t *)(end + 1);

	while (auxv->a_type != AT_NULL)
		auxv++;
	check("argc is the word below argv", *count == argc);
	check("argc is at a multiple of 16", (uintptr_t)count % 16 == 0);
	check("envp follows argv", envp == argv + argc + 1);
	check("argv strings are contiguous", end_of_argv != NULL);
	check("envp strings follow them, contiguous", end_of_envp != NULL);
	check("the file name follows them", file_name == end_of_envp);
	check("random bytes lie between auxv and argv[0]",
	      random > (const char *)auxv && random + 16 <= argv[0]);
	check("platform string lies between auxv and argv[0]",
	      platform > (const char *)auxv && platform < argv[0]);

	char *top = file_name + strlen(file_name) + 1;

	printf("%d bytes from the file name to the end of its page\n",
	       (int)(-(uintptr_t)top % 4096));
}
