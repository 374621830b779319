#include "loader/profile/names.h"

#include "common/clock.h"
#include "common/memory_map.h"

#include <string.h>

/* At most this many names are kept. The table has twice as many entries. */
#define NAMES_MAX  8192
#define PLACES	   (2 * NAMES_MAX)
#define TEXT_BYTES (UINT64_C(1) << 20)

/* What is searched to measure the processor, and how long the usual one takes for it. */
#define SAMPLE_BYTES	   (2 * PROFILE_PATH_LENGTH)
#define SAMPLE_NANOSECONDS 8000

/* Whether a name has not been seen before. Its hash is then recorded. */
static bool is_new(struct names *names, const char *name, size_t length)
{
	uint64_t hash = profile_hash(HASH_START, name, length) | 1;
	size_t place;

	for (place = hash % PLACES; names->hashes[place] != 0; place = (place + 1) % PLACES)
		if (names->hashes[place] == hash)
			return false;
	if (names->count == NAMES_MAX || names->length + length + 1 > TEXT_BYTES)
		return false;
	names->hashes[place] = hash;
	return true;
}

/* A table, because it is consulted for every byte of every name. */
static bool name_bytes[256];

static bool is_of_name(char byte)
{
	return name_bytes[(uint8_t)byte];
}

static void fill_name_bytes(void)
{
	for (int byte = '!'; byte < 0x7f; byte++)
		name_bytes[byte] = strchr("\"'`<>|*?;\\", byte) == NULL;
}

bool names_make(struct names *names)
{
	fill_name_bytes();
	*names = (struct names){.count = 0};
	names->text = memory_map(TEXT_BYTES, MAP_NORESERVE);
	names->hashes = memory_map(PLACES * sizeof(*names->hashes), MAP_NORESERVE);
	return names->text != NULL && names->hashes != NULL;
}

/* Adds a name with at least one folder: "/a/b". */
static void take(struct names *names, const char *name, size_t length)
{
	if (length < 4 || length >= PROFILE_PATH_LENGTH || name[1] == '/' ||
	    memchr(name + 1, '/', length - 1) == NULL || !is_new(names, name, length))
		return;
	memcpy(names->text + names->length, name, length);
	names->length += length + 1;
	names->count++;
}

/* Adds the bytes that belong to a name which has started. Returns how many. */
static size_t go_on(struct names *names, const char *bytes, size_t length)
{
	size_t more = 0;

	while (more < length && is_of_name(bytes[more]))
		more++;
	if (names->kept_length + more >= sizeof(names->kept)) {
		names->kept_length = 0;
		return more;
	}
	memcpy(names->kept + names->kept_length, bytes, more);
	names->kept_length += more;
	if (more == length)
		return more;
	take(names, names->kept, names->kept_length);
	names->kept_length = 0;
	return more;
}

static void search(struct names *names, const char *bytes, const char *at, const char *end)
{
	const char *slash = at;

	while (slash < end && (slash = memchr(slash, '/', (size_t)(end - slash))) != NULL) {
		const char *after = slash + 1;
		bool begins = slash == bytes || !is_of_name(slash[-1]);

		while (after < end && is_of_name(*after))
			after++;
		if (begins && after < end) {
			take(names, slash, (size_t)(after - slash));
		} else if (begins && (size_t)(after - slash) < sizeof(names->kept)) {
			names->kept_length = (size_t)(after - slash);
			memcpy(names->kept, slash, names->kept_length);
		}
		slash = after;
	}
}

void names_search(struct names *names, uint64_t address, const char *bytes, size_t length)
{
	size_t done = 0;

	if (names->next != address)
		names->kept_length = 0;
	if (names->kept_length > 0)
		done = go_on(names, bytes, length);
	search(names, bytes, bytes + done, bytes + length);
	names->next = address + length;
}

unsigned names_slowness(struct names *names)
{
	char bytes[SAMPLE_BYTES];
	uint64_t shortest = UINT64_MAX, start;

	/* One name, too long to be taken: the work is to find its end. */
	memset(bytes, 'x', sizeof(bytes));
	bytes[0] = '/';
	/* The shortest of some, because another thread of the processor may slow one down. */
	for (int i = 0; i < 4; i++) {
		start = clock_used_ns();
		names_search(names, 0, bytes, sizeof(bytes));
		shortest = lower(shortest, clock_used_ns() - start);
	}
	return (unsigned)lower(higher(shortest / SAMPLE_NANOSECONDS, 1), 50);
}
