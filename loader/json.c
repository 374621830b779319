#include "loader/json.h"

#include <inttypes.h>

/* How many bytes a character takes (RFC 3629, section 4); 0: this is no UTF-8. */
static size_t utf8_length(const char *text)
{
	const unsigned char *byte = (const unsigned char *)text;
	size_t length = byte[0] < 0x80 ? 1 : byte[0] < 0xe0 ? 2 : byte[0] < 0xf0 ? 3 : 4;

	if (length > 1 && (byte[0] < 0xc2 || byte[0] > 0xf4))
		return 0;
	for (size_t i = 1; i < length; i++)
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
	/* Longer than necessary, half of a UTF-16 pair, above U+10FFFF. */
	if ((byte[0] == 0xe0 && byte[1] < 0xa0) || (byte[0] == 0xed && byte[1] > 0x9f) ||
	    (byte[0] == 0xf0 && byte[1] < 0x90) || (byte[0] == 0xf4 && byte[1] > 0x8f))
		return 0;
	return length;
}

static void write_string(FILE *file, const char *value)
{
	size_t length;

	putc('"', file);
	for (; *value != '\0'; value += length > 0 ? length : 1) {
		length = utf8_length(value);
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
	write_string(json->file, name);
	fputs(": ", json->file);
}

void json_text(struct json *json, const char *name, const char *value)
{
	begin_member(json, name);
	if (value == NULL)
		fputs("null", json->file);
	else
		write_string(json->file, value);
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
