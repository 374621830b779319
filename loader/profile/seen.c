#include "loader/profile/seen.h"

#include "common/memory_map.h"
#include "common/page.h"
#include "common/pagemap.h"
#include "loader/profile/files/merge.h"
#include "loader/profile/profile_place.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MAPPINGS_MAX 16384

/* statfs(2): file systems that are memory, or no files, or on the other side of a network. */
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

	/* A line of the profile has a path, so no newline may be in one. */
	if (is_virtual(path) || strpbrk(path, "\n\\") != NULL)
		return -1;
	found = local_file_find(&seen->mounts, path, status);
	if (found < 0 || (fstatfs(found, system) == 0 && !is_left_alone(system)))
		return found;
	close(found);
	return -1;
}

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

/* Neighbours share the text of a path, so that equal ones are told by their address. */
static const char *keep_path(const struct seen *seen, const char *path)
{
	for (size_t i = seen->count; i > 0 && seen->count - i < 64; i--)
		if (strcmp(seen->mappings[i - 1].path, path) == 0)
			return seen->mappings[i - 1].path;
	return strdup(path);
}

static void read_maps(struct seen *seen, FILE *maps)
{
	char line[PROFILE_PATH_LENGTH + 128];

	while (seen->count < MAPPINGS_MAX && fgets(line, sizeof(line), maps) != NULL) {
		struct seen_mapping *mapping = &seen->mappings[seen->count];

		if (!read_mapping(line, mapping))
			continue;
		mapping->path = keep_path(seen, mapping->path);
		if (mapping->path != NULL)
			seen->count++;
	}
}

bool seen_begin(struct seen *seen)
{
	char name[64];
	FILE *maps;

	seen->mappings = memory_map(MAPPINGS_MAX * sizeof(*seen->mappings), MAP_NORESERVE);
	snprintf(name, sizeof(name), "/proc/%d/pagemap", seen->holder);
	seen->pagemap = open(name, O_RDONLY | O_CLOEXEC);
	snprintf(name, sizeof(name), "/proc/%d/maps", seen->holder);
	maps = fopen(name, "re");
	if (seen->mappings == NULL || seen->pagemap < 0 || maps == NULL ||
	    !files_make(&seen->files) || !local_mounts_read(&seen->mounts))
		return false;
	read_maps(seen, maps);
	fclose(maps);
	return seen->count > 0;
}

/* While the pages of one mapping are gone through. */
struct adding {
	struct seen *seen;
	const struct seen_mapping *mapping;
	uint64_t size;
};

static void add_page(uint64_t address, bool of_file, void *context)
{
	const struct adding *adding = context;
	uint64_t start = address - adding->mapping->start + adding->mapping->offset;
	uint64_t end = start + PAGE_BYTES < adding->size ? start + PAGE_BYTES : adding->size;

	(void)of_file;
	if (start < end)
		files_add_range(&adding->seen->files, (struct file_range){start, end, 1});
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
 * Adds a file with the pages of all its mappings. These follow each other in the order of their
 * offsets, as the segments of a program do. A mapping that goes back to a lower offset is left out.
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
		struct seen_mapping *mapping = &seen->mappings[i];
		struct adding adding = {seen, mapping, (uint64_t)status.st_size};

		if (strcmp(mapping->path, path) != 0)
			continue;
		if (mapping->offset >= reached)
			pagemap_for_each(seen->pagemap, mapping->start, mapping->end, add_page,
					 &adding);
		reached = mapping->offset;
	}
	files_end(&seen->files);
}

/*
 * The program first, then its interpreter, then the others with the highest addresses first: the
 * kernel goes downwards, so that is about the order in which they were mapped.
 */
void seen_add_mapped(struct seen *seen)
{
	if (seen->program != NULL)
		add_file(seen, seen->program);
	if (seen->interpreter != NULL)
		add_file(seen, seen->interpreter);
	for (size_t i = seen->count; i > 0; i--) {
		const char *path = seen->mappings[i - 1].path;

		/* Neighbours of the same file: see keep_path(). */
		if (path[0] == '/' && (i == seen->count || path != seen->mappings[i].path))
			add_file(seen, path);
	}
}
