/* Writing JSON (RFC 8259), an object at a time. Host code. */
#ifndef LOADER_JSON_H
#define LOADER_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
	FILE *file;
	const char *between; /* members: "," or ",\n  " */
	bool any;	     /* a member has been written */
};

/* A string with its quotes, as the members below have them. */
void json_string(FILE *file, const char *value);

/* Members, in the order in which they are written. Bytes that are no UTF-8 become U+FFFD: a path
 * may have them, JSON may not. A NULL is null. */
void json_text(struct json *json, const char *name, const char *value);
void json_number(struct json *json, const char *name, int64_t value);
void json_boolean(struct json *json, const char *name, bool value);

/* As a string, "0x401000": a JSON number need not hold 64 bits. */
void json_address(struct json *json, const char *name, uint64_t value);

#endif
