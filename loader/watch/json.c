#include "loader/watch/json.h"

#include "common/printable.h"

#include <inttypes.h>
#include <string.h>

void json_string(FILE *file, const char *value)
{
	size_t length;

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

static void begin_member(struct json *json, const char *name)
{
	if (json->any)
		fputs(json->between, json->file);
	json->any = true;
	json_string(json->file, name);
	fputs(": ", json->file);
}

void json_text(struct json *json, const char *name, const char *value)
{
	begin_member(json, name);
	if (value == NULL)
		fputs("null", json->file);
	else
		json_string(json->file, value);
}

void json_number(struct json *json, const char *name, int64_t value)
{
	begin_member(json, name);
	fprintf(json->file, "%" PRId64, value);
}

void json_boolean(struct json *json, const char *name, bool value)
{
	begin_member(json, name);
	fputs(value ? "true" : "false", json->file);
}

void json_address(struct json *json, const char *name, uint64_t value)
{
	begin_member(json, name);
	fprintf(json->file, "\"0x%" PRIx64 "\"", value);
}
