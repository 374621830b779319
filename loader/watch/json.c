#include "loader/watch/json.h"

#include "common/printable.h"

#include <stdarg.h>
#include <string.h>

void json_string(FILE *file, const char *value)
{
	size_t length;

	if (value == NULL) {
		fputs("null", file);
		return;
	}
	putc('"', file);
	for (; *value != '\0'; value += length > 0 ? length : 1) {
		length = utf8_length(value, strnlen(value, UTF8_BYTES_MAX));
		if (length == 0)
			fputs("\\ufffd", file);
		else if (*value == '"' || *value == '\\')
			fprintf(file, "\\%c", *value);
		else if ((unsigned char)*value < 0x20)
			fprintf(file, "\\u%04x", (unsigned)*value);
		else
			fwrite(value, 1, length, file);
	}
	putc('"', file);
}

void json_name(struct json *json, const char *name, size_t length)
{
	fprintf(json->file, "%s\"%.*s\": ", json->any ? json->between : "", (int)length, name);
	json->any = true;
}

void json_add(struct json *json, const char *members, ...)
{
	va_list values;

	va_start(values, members);
	for (const char *at = members; *at != '\0'; at += strspn(at, " ")) {
		json_name(json, at, strcspn(at, " "));
		at += strcspn(at, " ") + 1;
		if (strncmp(at, "%s", 2) == 0)
			json_string(json->file, va_arg(values, const char *));
		else if (strncmp(at, "%d", 2) == 0)
			fprintf(json->file, "%d", va_arg(values, int));
		else if (strncmp(at, "%ld", 3) == 0)
			fprintf(json->file, "%ld", va_arg(values, long));
		else if (strncmp(at, "%lx", 3) == 0)
			fprintf(json->file, "\"0x%lx\"", va_arg(values, long));
		else
			fwrite(at, 1, strcspn(at, " "), json->file);
		at += strcspn(at, " ");
	}
	va_end(values);
}
