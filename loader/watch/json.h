/* Writing JSON (RFC 8259), an object at a time. Host code. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct json {
	FILE *file;
	const char *between; /* members: "," or ",\n  " */
	bool any;	     /* a member has been written already */
};

/*
 * Writes a string with its quotes, or null for NULL. Bytes that are not UTF-8 become U+FFFD: a path
 * may contain them, JSON may not.
 */
void json_string(FILE *file, const char *value);

/* Starts a member with the first `length` bytes of a name; the caller writes its value. */
void json_name(struct json *json, const char *name, size_t length);

/*
 * Adds members in the order of the text: `faults %ld signal %s` has the name of each, and how its
 * value is written:
 *
 *   %s        a string, or null for NULL
 *   %d, %ld   a number
 *   %lx       an address, as the string "0x401000": a JSON number need not hold 64 bits
 *   another word, as null or true, stands for itself
 */
void json_add(struct json *json, const char *members, ...) __attribute__((format(printf, 2, 3)));
