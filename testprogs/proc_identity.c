/*
 * proc_identity: what ps and top show of a process: /proc/self/comm, cmdline and environ, compared
 * with what main was given.
 */
#include "guest.h"

#define CAPACITY (256 * 1024)

static size_t read_file(const char *path, char *text)
{
	int file = open(path, O_RDONLY);
	size_t length = 0;
	ssize_t got;

	while ((got = read(file, text + length, CAPACITY - length)) > 0)
		length += (size_t)got;
	close(file);
	return length;
}

static int is_joined(const char *text, size_t length, char **strings)
{
	const char *end = text + length;

	for (; *strings; strings++) {
		size_t size = strlen(*strings) + 1;

		if (size > (size_t)(end - text) || memcmp(text, *strings, size) != 0)
			return 0;
		text += size;
	}
	return text == end;
}

int main(int argc, char **argv, char **envp)
{
	char *text = malloc(CAPACITY);
	char name[17] = "";
	size_t length = read_file("/proc/self/comm", text);

	printf("comm %.*s", (int)length, text);
	prctl(PR_GET_NAME, name);
	printf("PR_GET_NAME %s\n", name);

	length = read_file("/proc/self/cmdline", text);
	printf("cmdline of %zu bytes\n", length);
	check("cmdline is argv", is_joined(text, length, argv));
	length = read_file("/proc/self/environ", text);
	printf("environ of %zu bytes\n", length);
	check("environ is envp", is_joined(text, length, envp));
	free(text);
}
