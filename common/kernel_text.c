#include "common/kernel_text.h"

#include <stdlib.h>
#include <string.h>

char *kernel_text(const char *path, char *text, size_t size)
{
	long length = kernel_read(path, text, size - 1);

	text[length > 0 ? length : 0] = '\0';
	return text;
}

uint64_t kernel_number(const char *path, uint64_t otherwise)
{
	char text[32], *end;
	uint64_t number = strtoul(kernel_text(path, text, sizeof(text)), &end, 10);

	return end != text ? number : otherwise;
}

uint64_t kernel_bytes(const char *text, const char *name)
{
	const char *found = strstr(text, name);

	return found != NULL ? strtoul(found + strlen(name), NULL, 10) * 1024 : 0;
}
