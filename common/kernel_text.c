#include "common/kernel_text.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *kernel_text(const char *path, char *text, size_t size)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = file >= 0 ? read(file, text, size - 1) : 0;

	if (file >= 0)
		close(file);
	text[length > 0 ? length : 0] = '\0';
	return text;
}

uint64_t kernel_number(const char *path, uint64_t otherwise)
{
	char text[32], *end;
	uint64_t number = strtoul(kernel_text(path, text, sizeof(text)), &end, 10);

	return end != text ? number : otherwise;
}

uint64_t kernel_meminfo(const char *text, const char *name)
{
	const char *found = strstr(text, name);

	return found != NULL ? strtoul(found + strlen(name), NULL, 10) * 1024 : 0;
}
