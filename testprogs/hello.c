/*
 * hello: prints its arguments and its environment, each in quotes, so that empty strings, spaces
 * and very long or very many strings show when a stack image loses or joins some of them.
 */
#include <stdio.h>

int main(int argc, char **argv, char **envp)
{
	printf("hello! argc %d\n", argc);
	for (int i = 0; i < argc; i++)
		printf("argv[%d] \"%s\"\n", i, argv[i]);
	printf("argv[argc] is %s\n", argv[argc] ? "not NULL" : "NULL");

	int count = 0;

	for (; envp[count]; count++)
		printf("env \"%s\"\n", envp[count]);
	printf("%d environment variables\n", count);
	return 0;
}
