/* The key of a profile: identifies the program to which it belongs. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct guest;

/* FNV-1a, 64 bits (Fowler, Noll and Vo): adds bytes to the hash of the bytes before them. */
#define HASH_START UINT64_C(0xcbf29ce484222325)

uint64_t profile_hash(uint64_t state, const void *bytes, size_t length);

/* Lengths of a key: for one file; and for a program with its interpreter and its script. */
#define PROFILE_KEY_PART   96
#define PROFILE_KEY_SCRIPT "+script:"
#define PROFILE_KEY_LENGTH (2 * PROFILE_KEY_PART + sizeof(PROFILE_KEY_SCRIPT) + 16)

/*
 * Sets guest->profile_script to the script that execve was given, or that the interpreter gets as
 * an argument; and guest->profile_key to the key: "build-id:..." if the program has one (PT_NOTE,
 * NT_GNU_BUILD_ID), else "file:..." with its size and a hash of its first and last pages. After a
 * "+" follows the same for its interpreter, and "+script:..." with the script's path. A second call
 * reads no file. Fails without memory.
 */
bool profile_key_find(struct guest *guest, struct error *error);

/* Whether both keys belong to the same program, whatever script it runs. */
bool profile_key_is_of_program(const char *key, const char *other);
