/* What a profile belongs to. */
#ifndef LOADER_PROFILE_PROFILE_KEY_H
#define LOADER_PROFILE_PROFILE_KEY_H

#include <stddef.h>
#include <stdint.h>

struct guest;

/* FNV-1a, 64 bits (Fowler, Noll and Vo): what the bytes add to the hash of those before them. */
#define HASH_START UINT64_C(0xcbf29ce484222325)

uint64_t profile_hash(uint64_t state, const void *bytes, size_t length);

/* For one file, and for a program with its interpreter. */
#define PROFILE_KEY_PART   96
#define PROFILE_KEY_LENGTH (2 * PROFILE_KEY_PART)

/*
 * What a profile belongs to: "build-id:..." where the program has one (PT_NOTE, NT_GNU_BUILD_ID),
 * else "file:..." of its size, time and headers; and after a "+" the same of its interpreter.
 */
void profile_key(const struct guest *guest, char key[PROFILE_KEY_LENGTH]);

#endif
