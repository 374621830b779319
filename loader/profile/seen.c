#include "loader/profile/seen.h"

#include "common/clock.h"
#include "loader/files/merge.h"

#include <string.h>
#include <unistd.h>

/* Processor time for looking up the mapped files. */
#define MAPPED_NANOSECONDS UINT64_C(40000000)

/* statfs(2): file systems that are memory, contain no real files, or are on a network. */
static const uint32_t left_alone[] = {
    0x01021994 /* tmpfs */,   0x858458f6 /* ramfs */, 0x958458f6 /* hugetlbfs */,
    0x00009fa0 /* proc */,    0x62656572 /* sysfs */, 0x0027e0eb /* cgroup */,
    0x63677270 /* cgroup2 */, 0x00006969 /* NFS */,   0x0000517b /* SMB */,
    0xff534d42 /* CIFS */,    0xfe534d42 /* SMB2 */,  0x65735546 /* FUSE */,
    0x00000187 /* autofs */,  0x00c36400 /* Ceph */,  0x5346414f /* AFS */,
    0x73757245 /* Coda */,    0x01021997 /* 9P */,    0x09041934 /* anonymous inodes */,
};

/* Names that mean something else to each process, or at each start. */
static bool is_virtual(const char *path)
{
	return strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/dev/", 5) == 0 ||
	       strncmp(path, "/sys/", 5) == 0;
}

static bool is_left_alone(const struct statfs *system)
{
	for (size_t i = 0; i < sizeof(left_alone) / sizeof(left_alone[0]); i++)
		if ((uint32_t)system->f_type == left_alone[i])
			return true;
	return false;
}

int seen_find_wanted(struct seen *seen, const char *path, struct stat *status,
		     struct statfs *system)
{
	int found;

	/* A line of the profile contains the path, so the path must not contain a newline. */
	if (is_virtual(path) || strpbrk(path, "\n\\") != NULL)
		return -1;
	found = local_file_find(&seen->mounts, path, status);
	if (found < 0 || (fstatfs(found, system) == 0 && !is_left_alone(system)))
		return found;
	close(found);
	return -1;
}

/* Adds the bytes of a file that a run of pages covers, as far as the run is in this mapping. */
static void add_run(struct seen *seen, const struct seen_mapping *mapping,
		    const struct seen_run *run, uint64_t size)
{
	uint64_t first = run->start > mapping->start ? run->start : mapping->start;
	uint64_t last = run->end < mapping->end ? run->end : mapping->end;
	uint64_t start = first - mapping->start + mapping->offset;
	uint64_t end = last - mapping->start + mapping->offset;

	if (end > size)
		end = size;
	if (start < end)
		files_add_range(&seen->files, (struct file_range){start, end, 1});
}

/* The first run that ends after an address. */
static size_t run_after(const struct seen *seen, uint64_t address)
{
	size_t from = 0, to = seen->run_count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (seen->runs[middle].end > address)
			to = middle;
		else
			from = middle + 1;
	}
	return from;
}

static void add_mapping(struct seen *seen, const struct seen_mapping *mapping, uint64_t size)
{
	for (size_t i = run_after(seen, mapping->start);
	     i < seen->run_count && seen->runs[i].start < mapping->end; i++)
		add_run(seen, mapping, &seen->runs[i], size);
}

static enum file_role role_of(const struct seen *seen, const char *path)
{
	if (seen->program != NULL && strcmp(seen->program, path) == 0)
		return FILE_PROGRAM;
	if (seen->interpreter != NULL && strcmp(seen->interpreter, path) == 0)
		return FILE_INTERPRETER;
	return FILE_MAPPED;
}

bool seen_add_file(struct seen *seen, enum file_role role, const char *path,
		   const struct stat *status)
{
	const struct known_file file = {
	    .role = role,
	    .size = (uint64_t)status->st_size,
	    .seconds = (uint64_t)status->st_mtim.tv_sec,
	    .nanoseconds = (uint64_t)status->st_mtim.tv_nsec,
	    .build_id = "-",
	    .path = path,
	    .device = status->st_dev,
	    .inode = status->st_ino,
	};

	for (size_t i = 0; i < seen->files.count; i++)
		if (seen->files.files[i].device == file.device &&
		    seen->files.files[i].inode == file.inode)
			return false;
	return files_add(&seen->files, &file);
}

/*
 * Adds a file with the pages of all its mappings. These are in the order of their offsets, as the
 * segments of a program are. A mapping that goes back to a lower offset is omitted.
 */
static void add_file(struct seen *seen, const char *path)
{
	struct statfs system;
	struct stat status;
	uint64_t reached = 0;
	int found = seen_find_wanted(seen, path, &status, &system);

	if (found < 0)
		return;
	close(found);
	if (!seen_add_file(seen, role_of(seen, path), path, &status))
		return;
	for (size_t i = 0; i < seen->count; i++) {
		const struct seen_mapping *mapping = &seen->mappings[i];

		if (strcmp(mapping->path, path) != 0)
			continue;
		if (mapping->offset >= reached)
			add_mapping(seen, mapping, (uint64_t)status.st_size);
		reached = mapping->offset;
	}
	files_end(&seen->files);
}

/*
 * Adds the program first, then its interpreter, then the others from the highest address down: the
 * kernel allocates downward, so that is about the order in which they were mapped.
 */
bool seen_add_mapped(struct seen *seen)
{
	uint64_t until = clock_used_ns() + MAPPED_NANOSECONDS * seen->patience;

	if (!local_mounts_read(&seen->mounts))
		return false;
	if (seen->program != NULL)
		add_file(seen, seen->program);
	if (seen->interpreter != NULL)
		add_file(seen, seen->interpreter);
	for (size_t i = seen->count; i > 0 && clock_used_ns() < until; i--) {
		const char *path = seen->mappings[i - 1].path;

		/* Adjacent mappings of the same file share the path's text: see keep_path(). */
		if (path[0] == '/' && (i == seen->count || path != seen->mappings[i].path))
			add_file(seen, path);
	}
	return true;
}
