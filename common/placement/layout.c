#include "common/placement/layout.h"

#include "common/kernel_abi.h"
#include "common/page.h"
#include "common/pagemap.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* Entries read at a time: those of one page table. */
#define ENTRIES 512

/* Room for a path of PATH_MAX bytes and the fields before it. */
#define LINE_BYTES (4096 + 128)

struct reading {
	FILE *maps;
	int pagemap;
	const struct layout_visitor *visitor;
};

/* Finds which pages, at most those of one page table, are mapped as huge pages. */
static void find_huge(int pagemap, uint64_t start, uint64_t pages, bool *huge)
{
	struct kernel_page_region found[ENTRIES / 2];
	struct kernel_pm_scan scan = {
	    .start = start,
	    .end = start + pages * PAGE_BYTES,
	    .regions = (uint64_t)found,
	    .region_count = ENTRIES / 2,
	    .category_mask = KERNEL_PAGE_IS_HUGE,
	    .return_mask = KERNEL_PAGE_IS_HUGE,
	};
	long count = pagemap_scan(pagemap, &scan);

	memset(huge, 0, ENTRIES * sizeof(*huge));
	for (long i = 0; i < count; i++)
		for (uint64_t at = found[i].start; at < found[i].end; at += PAGE_BYTES)
			huge[(at - start) / PAGE_BYTES] = true;
}

static struct layout_page page_of(uint64_t entry, bool from_file, bool huge)
{
	struct layout_page page = {
	    .state = from_file ? LAYOUT_FILE : LAYOUT_NONE,
	    .huge = huge,
	};

	if (entry & KERNEL_PAGEMAP_PRESENT) {
		page.frame = entry & KERNEL_PAGEMAP_FRAME;
		page.state = page.frame != 0 ? LAYOUT_FRAME : LAYOUT_HIDDEN;
		page.shared = !(entry & KERNEL_PAGEMAP_EXCLUSIVE);
	} else if (entry & KERNEL_PAGEMAP_SWAPPED) {
		page.state = LAYOUT_SWAPPED;
	}
	return page;
}

/*
 * Visits the pages of at most one page table. Addresses in the kernel's half have no entries, and
 * no memory of the process.
 */
static void visit_table(const struct reading *reading, const struct layout_mapping *mapping,
			uint64_t start, uint64_t pages)
{
	uint64_t entries[ENTRIES] = {0};
	bool huge[ENTRIES], present = false;

	if (pagemap_read(reading->pagemap, start, entries, pages) < 0)
		memset(entries, 0, sizeof(entries));
	for (uint64_t i = 0; i < pages; i++)
		present |= (entries[i] & KERNEL_PAGEMAP_PRESENT) != 0;
	if (present)
		find_huge(reading->pagemap, start, pages, huge);
	for (uint64_t i = 0; i < pages; i++) {
		struct layout_page page =
		    page_of(entries[i], mapping->from_file, present && huge[i]);

		reading->visitor->page(&page, reading->visitor->context);
	}
}

static void visit_mapping(const struct reading *reading, const struct layout_mapping *mapping)
{
	uint64_t bytes = ENTRIES * PAGE_BYTES, next;

	reading->visitor->mapping(mapping, reading->visitor->context);
	for (uint64_t at = mapping->start; at < mapping->end; at = next) {
		next = (at & ~(bytes - 1)) + bytes;
		next = next < mapping->end ? next : mapping->end;
		visit_table(reading, mapping, at, (next - at) / PAGE_BYTES);
	}
}

/* START-END PERMISSIONS OFFSET DEVICE INODE NAME */
static void visit_line(const struct reading *reading, char *line, uint64_t start, uint64_t end)
{
	struct layout_mapping mapping = {.name = ""};
	char protection[5] = "";
	uint64_t inode;
	int name = 0;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %*s %*s %" SCNu64 " %n", &mapping.start,
		   &mapping.end, protection, &inode, &name) < 4)
		return;
	if (name > 0)
		mapping.name = line + name;
	mapping.from_file = inode != 0;
	mapping.is_writable = protection[1] == 'w';
	mapping.is_private = protection[3] == 'p';
	mapping.start = mapping.start > start ? mapping.start : start;
	mapping.end = mapping.end < end ? mapping.end : end;
	if (mapping.start < mapping.end)
		visit_mapping(reading, &mapping);
}

static bool open_files(int process, struct reading *reading, struct error *error)
{
	char path[64], who[32] = "self";
	int reason;

	if (process != 0)
		snprintf(who, sizeof(who), "%d", process);
	snprintf(path, sizeof(path), "/proc/%s/maps", who);
	reading->maps = fopen(path, "re");
	snprintf(path, sizeof(path), "/proc/%s/pagemap", who);
	reading->pagemap = reading->maps != NULL ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (reading->pagemap >= 0)
		return true;
	reason = errno;
	if (reading->maps != NULL)
		fclose(reading->maps);
	if (reason == ENOENT && process == 0)
		return error_set(error, EXIT_OURS, "there is no layout without /proc; mount it");
	if (reason == ENOENT)
		return error_set(error, EXIT_OURS,
				 "there is no process %d; give the number of one that runs",
				 process);
	return error_set(error, EXIT_OURS, "the pages of process %s may not be read: %s; %s", who,
			 strerror(reason),
			 reason == EMFILE ? error_file_remedy(reason)
					  : "ask as its owner, or as root");
}

void layout_read_files(FILE *maps, int pagemap, uint64_t start, uint64_t end,
		       const struct layout_visitor *visitor)
{
	const struct reading reading = {maps, pagemap, visitor};
	char line[LINE_BYTES];

	while (fgets(line, sizeof(line), maps) != NULL)
		visit_line(&reading, line, start, end);
}

bool layout_read(int process, uint64_t start, uint64_t end, const struct layout_visitor *visitor,
		 struct error *error)
{
	struct reading reading;

	if (!open_files(process, &reading, error))
		return false;
	layout_read_files(reading.maps, reading.pagemap, start, end, visitor);
	fclose(reading.maps);
	close(reading.pagemap);
	return true;
}
