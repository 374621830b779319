/* Collects what disappears with a program's memory, while the memory is held. */
#include "loader/profile/seen.h"

#include "common/clock.h"
#include "common/memory_map.h"
#include "common/pagemap.h"
#include "loader/files/merge.h"
#include "loader/profile/profile_key.h"
#include "loader/profile/profile_place.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MAPPINGS_MAX 8192
#define RUNS_MAX     65536
#define PATHS_BYTES  (UINT64_C(1) << 20)

/* The most text that is read of maps. */
#define MAPS_BYTES (UINT64_C(1) << 20)

/* Processor time for the page tables of file mappings: enough for some GiB. */
#define WALK_NANOSECONDS UINT64_C(10000000)

/*
 * Processor time for one search of the program's memory. Page tables and freeing the memory take
 * additional time. After the program's end all stays below 5 ms, unless a loader watches.
 */
static const uint64_t look_nanoseconds[] = {
    [LOOK_BETWEEN] = 3000000,
    [LOOK_LAST] = 1500000,
    [LOOK_OF_WATCHING_LOADER] = 20000000,
};

/* Processor time after which the watcher looks a last time only. */
#define LOOKS_NANOSECONDS UINT64_C(60000000)

/* Bytes read at a time: they fit into a processor's cache. */
#define PIECE_BYTES (32 * 1024)

/*
 * Longer mappings are omitted before Linux 6.7, where the time grows with their length.
 * AddressSanitizer reserves 16 TiB.
 */
#define WALKED_FILE   (UINT64_C(1) << 30)
#define WALKED_MEMORY (UINT64_C(256) << 20)

/* "START-END rwxp OFFSET DEVICE INODE  PATH\n" (proc_pid_maps(5)) */
static bool read_mapping(char *line, struct seen_mapping *mapping)
{
	static const char deleted[] = " (deleted)";
	char permissions[5];
	int path = 0;
	size_t length;

	if (sscanf(line, "%lx-%lx %4s %lx %*s %*s %n", &mapping->start, &mapping->end, permissions,
		   &mapping->offset, &path) < 4 ||
	    path == 0)
		return false;
	line[strcspn(line, "\n")] = '\0';
	length = strlen(line + path);
	if (length >= sizeof(deleted) &&
	    strcmp(line + path + length + 1 - sizeof(deleted), deleted) == 0)
		return false;
	mapping->writable = permissions[1] == 'w';
	mapping->path = line[path] == '/' || line[path] == '\0' ? line + path : "[";
	if (strcmp(line + path, "[heap]") == 0)
		mapping->path = "";
	return true;
}

/*
 * Keeps the text of a path. Adjacent equal paths share it, so that they can be compared by address.
 * Returns NULL if there is no room.
 */
static const char *keep_path(struct seen *seen, const char *path)
{
	size_t size = strlen(path) + 1;
	char *kept = seen->paths + seen->paths_length;

	for (size_t i = seen->count; i > 0 && seen->count - i < 64; i--)
		if (strcmp(seen->mappings[i - 1].path, path) == 0)
			return seen->mappings[i - 1].path;
	if (size > PATHS_BYTES - seen->paths_length)
		return NULL;
	seen->paths_length += size;
	return memcpy(kept, path, size);
}

/*
 * Reads a line of maps. A line that is too long has a path that no profile accepts, and is omitted.
 */
static void take_line(struct seen *seen, char *line)
{
	struct seen_mapping *mapping = &seen->mappings[seen->count];

	if (seen->count == MAPPINGS_MAX || !read_mapping(line, mapping))
		return;
	mapping->path = keep_path(seen, mapping->path);
	if (mapping->path != NULL)
		seen->count++;
}

/* Reads maps. Returns false if there are no mappings any more; then the earlier results stay. */
static bool read_maps(struct seen *seen, int descriptor)
{
	char line[PROFILE_PATH_LENGTH + 128];
	FILE *maps = fdopen(dup(descriptor), "r");
	bool any = false, goes_on = false;
	size_t length = 0;

	if (maps == NULL)
		return false;
	rewind(maps);
	while (length < MAPS_BYTES && fgets(line, sizeof(line), maps) != NULL) {
		bool is_end = strchr(line, '\n') != NULL;

		length += strlen(line);
		if (!any)
			seen->count = seen->paths_length = 0;
		any = true;
		if (is_end && !goes_on)
			take_line(seen, line);
		goes_on = !is_end;
	}
	fclose(maps);
	return any;
}

/* State while the page tables are read. */
struct collecting {
	struct seen *seen;
	const struct held *held;
	uint64_t until;	     /* value of clock_used_ns() at which the time is over */
	uint64_t from, to;   /* the addresses to search */
	bool stops;	     /* the time is over */
	uint64_t stopped_at; /* the address at which the search stopped */
	char bytes[PIECE_BYTES];
};

/* Whether there is time left; if not, the search stops at this address. */
static bool has_time(struct collecting *collecting, uint64_t address)
{
	if (clock_used_ns() <= collecting->until)
		return true;
	collecting->stops = true;
	collecting->stopped_at = address;
	return false;
}

static bool add_run(uint64_t start, uint64_t end, bool of_file, void *context)
{
	struct collecting *collecting = context;
	struct seen *seen = collecting->seen;
	struct seen_run *last = seen->runs + seen->run_count;

	(void)of_file;
	if (seen->run_count > 0 && last[-1].end == start)
		last[-1].end = end;
	else if (seen->run_count < RUNS_MAX)
		seen->runs[seen->run_count++] = (struct seen_run){start, end};
	return has_time(collecting, end);
}

/*
 * Searches a run. File pages that the program has not written contain only names from the file
 * itself, and are skipped.
 */
static bool search_run(uint64_t start, uint64_t end, bool of_file, void *context)
{
	struct collecting *collecting = context;
	uint64_t length;

	start = higher(start, collecting->from);
	end = lower(end, collecting->to);
	for (; !of_file && start < end && has_time(collecting, start); start += length) {
		length = lower(end - start, sizeof(collecting->bytes));
		if (held_read(collecting->held, start, collecting->bytes, length))
			names_search(&collecting->seen->names, start, collecting->bytes, length);
	}
	return has_time(collecting, start);
}

typedef bool is_searched(const struct seen_mapping *mapping);

static bool is_of_file(const struct seen_mapping *mapping)
{
	return mapping->path[0] == '/';
}

static bool may_have_names(const struct seen_mapping *mapping)
{
	return mapping->writable && mapping->path[0] != '[';
}

/* Reads the page tables of the selected mappings. For long ones see WALKED_FILE. */
static void walk(struct collecting *collecting, is_searched *wanted, uint64_t walked,
		 pagemap_run *each)
{
	const struct seen *seen = collecting->seen;
	int pagemap = collecting->held->pagemap;
	bool scans = pagemap_scans(pagemap);

	for (size_t i = 0; i < seen->count && !collecting->stops; i++) {
		const struct seen_mapping *mapping = &seen->mappings[i];

		if (wanted(mapping) && (scans || mapping->end - mapping->start <= walked))
			pagemap_for_each_run(pagemap, mapping->start, mapping->end, each,
					     collecting);
	}
}

/* Allocates memory at the first look: the loader's own memory becomes the program's. */
static bool make_room(struct seen *seen)
{
	if (seen->files.files != NULL)
		return true;
	seen->mappings = memory_map(MAPPINGS_MAX * sizeof(*seen->mappings), MAP_NORESERVE);
	seen->runs = memory_map(RUNS_MAX * sizeof(*seen->runs), MAP_NORESERVE);
	seen->paths = memory_map(PATHS_BYTES, MAP_NORESERVE);
	if (seen->mappings == NULL || seen->runs == NULL || seen->paths == NULL ||
	    !names_make(&seen->names) || !files_make(&seen->files))
		return false;
	seen->patience *= names_slowness(&seen->names);
	return true;
}

/*
 * Whether the process still runs the loader, of which this process is a copy. Then the names in its
 * memory are those that the loader has read in the profile. Later the program may have a mapping at
 * the same address, but of another file.
 */
static bool is_loader(const struct seen *seen)
{
	uint64_t here = (uint64_t)is_loader;
	char loader[PROFILE_PATH_LENGTH] = "";

	for (size_t i = 0; i < seen->count; i++) {
		const struct seen_mapping *mapping = &seen->mappings[i];

		if (mapping->start <= here && here < mapping->end)
			return readlink("/proc/self/exe", loader, sizeof(loader) - 1) > 0 &&
			       strcmp(mapping->path, loader) == 0;
	}
	return false;
}

static void set_time(struct collecting *collecting, uint64_t most)
{
	collecting->until = clock_used_ns() + most * collecting->seen->patience;
	collecting->stops = false;
}

/* Searches memory in the order of addresses, from where the last look stopped. */
static void search(struct collecting *collecting)
{
	struct seen *seen = collecting->seen;

	collecting->from = seen->next;
	collecting->to = UINT64_MAX;
	walk(collecting, may_have_names, WALKED_MEMORY, search_run);
	collecting->from = 0;
	collecting->to = seen->next;
	if (seen->next > 0)
		walk(collecting, may_have_names, WALKED_MEMORY, search_run);
	seen->next = collecting->stops ? collecting->stopped_at : 0;
}

void seen_look(struct seen *seen, const struct held *held, enum look which)
{
	static struct collecting collecting; /* static, because it is large for a stack */

	collecting.seen = seen;
	collecting.held = held;
	if (!make_room(seen) ||
	    (which == LOOK_BETWEEN && clock_used_ns() > LOOKS_NANOSECONDS * seen->patience) ||
	    (!read_maps(seen, held->maps) && !read_maps(seen, held->caller_maps)) ||
	    is_loader(seen))
		return;
	seen->run_count = 0;
	set_time(&collecting, WALK_NANOSECONDS);
	walk(&collecting, is_of_file, WALKED_FILE, add_run);
	set_time(&collecting, look_nanoseconds[which]);
	search(&collecting);
}
