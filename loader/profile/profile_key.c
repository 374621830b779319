/* The key of a profile: identifies the program to which it belongs. */
#include "loader/profile/profile_key.h"

#include "common/arch/bytes.h"
#include "common/page.h"
#include "loader/guest/guest.h"
#include "loader/profile/interpreted.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Longer notes are not searched. */
#define NOTES_MAX 1024

#define SCRIPT_PART (sizeof(PROFILE_KEY_SCRIPT) + 16)

static size_t padded(size_t length)
{
	return (length + 3) & ~(size_t)3;
}

uint64_t profile_hash(uint64_t state, const void *bytes, size_t length)
{
	for (const uint8_t *p = bytes; length > 0; p++, length--)
		state = (state ^ *p) * UINT64_C(0x100000001b3);
	return state;
}

/* Go's linker writes a build-id of its own, and a GNU one that is in no segment. */
#define NT_GO_BUILD_ID 4

/*
 * Whether a note is the program's build-id. The first note of either kind is used: files with equal
 * contents have the same first note.
 */
static bool is_build_id(const Elf64_Nhdr *note, const uint8_t *name)
{
	return note->n_namesz == 4 &&
	       ((note->n_type == NT_GNU_BUILD_ID && memcmp(name, "GNU", 4) == 0) ||
		(note->n_type == NT_GO_BUILD_ID && memcmp(name, "Go\0", 4) == 0));
}

/* Writes the ID as hexadecimal digits. Go's is too long for a file name, so it is hashed. */
static void write_build_id(const uint8_t *id, size_t length, char *text, size_t size)
{
	static const char digits[] = "0123456789abcdef";

	if (2 * length >= size) {
		snprintf(text, size, "%016lx", profile_hash(HASH_START, id, length));
		return;
	}
	for (size_t i = 0; i < length; i++) {
		*text++ = digits[id[i] >> 4];
		*text++ = digits[id[i] & 15];
	}
	*text = '\0';
}

/* Looks for the build-id in a segment of notes (gABI, "Note Section"). */
static bool find_build_id(const uint8_t *notes, size_t length, char *text, size_t size)
{
	Elf64_Nhdr note;

	for (size_t at = 0; at + sizeof(note) <= length;) {
		size_t name = at + sizeof(note), value;

		memcpy(&note, notes + at, sizeof(note));
		value = name + padded(note.n_namesz);
		if (note.n_namesz > length || note.n_descsz > length ||
		    value + note.n_descsz > length)
			return false;
		if (is_build_id(&note, notes + name) && note.n_descsz > 0) {
			write_build_id(notes + value, note.n_descsz, text, size);
			return true;
		}
		at = value + padded(note.n_descsz);
	}
	return false;
}

static bool read_build_id(const struct object *object, char *text, size_t size)
{
	uint8_t notes[NOTES_MAX];

	for (unsigned i = 0; i < object->image.phnum; i++) {
		const Elf64_Phdr *segment = &object->image.segments[i];
		size_t length = segment->p_filesz < NOTES_MAX ? segment->p_filesz : NOTES_MAX;
		ssize_t got;

		if (segment->p_type != PT_NOTE || segment->p_offset > object->file.size)
			continue;
		got = pread(object->file.descriptor, notes, length, (off_t)segment->p_offset);
		if (got > 0 && find_build_id(notes, (size_t)got, text, size))
			return true;
	}
	return false;
}

/* Adds the bytes of a file at an offset to a hash, up to a page of them. */
static uint64_t hash_page(uint64_t state, int descriptor, uint64_t offset)
{
	uint8_t page[PAGE_BYTES_MAX];
	ssize_t got = pread(descriptor, page, PAGE_BYTES, (off_t)offset);

	return got > 0 ? profile_hash(state, page, (size_t)got) : state;
}

/*
 * Writes a key that distinguishes a file from others and from other versions: up to
 * PROFILE_KEY_PART bytes. It depends on the contents, not on the time, which archives, image layers
 * and package managers change. The first page has the headers; the last one has what a linker
 * writes at the end: symbols and section headers.
 */
static void write_key(const struct object *object, char *key)
{
	uint64_t size = object->file.size, state = HASH_START;

	memcpy(key, "build-id:", 10);
	if (read_build_id(object, key + 9, PROFILE_KEY_PART - 9))
		return;
	state = hash_page(state, object->file.descriptor, 0);
	state =
	    hash_page(state, object->file.descriptor, size > PAGE_BYTES ? size - PAGE_BYTES : 0);
	snprintf(key, PROFILE_KEY_PART, "file:%lx-%016lx", size, state);
}

/* Uses the script's path, so that a script keeps its profile when it is edited. */
static void write_script(const char *script, char *key)
{
	char *path = realpath(script, NULL);
	const char *name = path != NULL ? path : script;

	snprintf(key, SCRIPT_PART, PROFILE_KEY_SCRIPT "%016lx",
		 profile_hash(HASH_START, name, strlen(name)));
	free(path);
}

static void write_whole_key(const struct guest *guest, char key[PROFILE_KEY_LENGTH])
{
	write_key(&guest->objects[PROGRAM], key);
	key += strlen(key);
	if (guest_has_interpreter(guest)) {
		*key++ = '+';
		write_key(&guest->objects[INTERPRETER], key);
		key += strlen(key);
	}
	if (guest->profile_script != NULL)
		write_script(guest->profile_script, key);
}

bool profile_key_find(struct guest *guest, struct error *error)
{
	char key[PROFILE_KEY_LENGTH];

	if (guest->profile_key != NULL)
		return true;
	guest->profile_script =
	    guest->script != NULL
		? guest->script
		: interpreted(guest->objects[PROGRAM].file.path, guest->options.program);
	write_whole_key(guest, key);
	guest->profile_key = strdup(key);
	return guest->profile_key != NULL || error_no_memory(error, "for the key of a profile");
}

static size_t without_script(const char *key)
{
	const char *script = strstr(key, PROFILE_KEY_SCRIPT);

	return script != NULL ? (size_t)(script - key) : strlen(key);
}

bool profile_key_is_of_program(const char *key, const char *other)
{
	size_t length = without_script(key);

	return length == without_script(other) && memcmp(key, other, length) == 0;
}
