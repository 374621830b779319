#include "loader/resident/pager/pages.h"

#include "common/arch/bytes.h"
#include "common/arch/machine.h"
#include "common/arch/syscall.h"
#include "common/kernel_text.h"
#include "common/page.h"
#include "loader/resident/pager/engine.h"
#include "loader/resident/pager/revealed.h"
#include "loader/resident/threads/lock.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>

/* How much of /proc/self/maps and /proc/self/pagemap is read at a time. */
#define BUFFER_BYTES 1024

static _Noreturn void fail(uint64_t address, const char *what)
{
	char line[128];
	uint64_t length = bytes_append(line, 0, sizeof(line), "verify: page 0x");

	for (int shift = 44; shift >= 0; shift -= 4)
		line[length++] = "0123456789abcdef"[(address >> shift) & 15];
	length = bytes_append(line, length, sizeof(line), what);
	raw_syscall3(SYS_write, 2, (uint64_t)line, length);
	for (;;)
		raw_syscall1(SYS_exit_group, 125);
}

/* Reads one file, a byte at a time. */
struct reader {
	long file;
	long length, next;
	char buffer[BUFFER_BYTES];
};

static int next_byte(struct reader *reader)
{
	if (reader->next == reader->length) {
		reader->length = raw_syscall3(SYS_read, (uint64_t)reader->file,
					      (uint64_t)reader->buffer, sizeof(reader->buffer));
		reader->next = 0;
		if (reader->length <= 0)
			return -1;
	}
	return (unsigned char)reader->buffer[reader->next++];
}

static uint64_t read_hex(struct reader *reader, int *last)
{
	uint64_t value = 0;

	for (;;) {
		int byte = *last = next_byte(reader);

		if (byte >= '0' && byte <= '9')
			value = 16 * value + (uint64_t)(byte - '0');
		else if (byte >= 'a' && byte <= 'f')
			value = 16 * value + (uint64_t)(byte - 'a' + 10);
		else
			return value;
	}
}

/*
 * Reads a line of /proc/self/maps: the range, and the letters rwx as PROT_*. Returns false at the
 * end of the file.
 */
static bool read_mapping(struct reader *reader, uint64_t *start, uint64_t *end, int *protection)
{
	int byte;

	*start = read_hex(reader, &byte);
	if (byte < 0)
		return false;
	*end = read_hex(reader, &byte);
	*protection = next_byte(reader) == 'r' ? PROT_READ : 0;
	*protection |= next_byte(reader) == 'w' ? PROT_WRITE : 0;
	*protection |= next_byte(reader) == 'x' ? PROT_EXEC : 0;
	do
		byte = next_byte(reader);
	while (byte >= 0 && byte != '\n');
	return true;
}

/* The protection, in letters, of a mapping that holds a hidden page. */
static int hidden_protection(const struct pager *pager, const struct pager_region *region,
			     uint64_t page)
{
	const struct engine *engine = region->engine;
	bool denies = engine->signal == SIGSEGV && engine->code == SEGV_ACCERR;

	if (denies || revealed_is_closed(pager, region, page))
		return PROT_NONE;
	return region->protection & ~MACHINE_TEXT_PROTECTION;
}

static void check_mapping(const struct pager *pager, const struct pager_region *region,
			  uint64_t start, uint64_t end, int protection)
{
	uint64_t from = start > region->start ? start : region->start;
	uint64_t to = end < region->end ? end : region->end;

	for (uint64_t address = from; address < to; address += PAGE_BYTES) {
		uint64_t page = (address - region->start) / PAGE_BYTES;

		if (!revealed_includes(pager, region, page) &&
		    protection != hidden_protection(pager, region, page))
			fail(address, " is hidden, but not according to /proc/self/maps\n");
	}
}

static void check_maps(const struct pager *pager)
{
	struct reader reader = {
	    .file = kernel_open("/proc/self/maps", O_RDONLY | O_CLOEXEC),
	};
	uint64_t start, end;
	int protection;

	if (reader.file < 0)
		fail(0, ": /proc/self/maps cannot be read; mount /proc, or leave out --verify\n");
	while (read_mapping(&reader, &start, &end, &protection))
		for (unsigned i = 0; i < pager->count; i++)
			check_mapping(pager, &pager->regions[i], start, end, protection);
	raw_syscall1(SYS_close, (uint64_t)reader.file);
}

static void check_markers(const struct pager *pager, const struct pager_region *region, long file)
{
	uint64_t entries[BUFFER_BYTES / 8];
	uint64_t address = region->start;

	while (address < region->end) {
		long got = raw_syscall6(SYS_pread64, (uint64_t)file, (uint64_t)entries,
					sizeof(entries), address / PAGE_BYTES * 8, 0, 0);

		if (got < 8)
			fail(address, ": /proc/self/pagemap cannot be read; mount /proc, or leave "
				      "out --verify\n");
		for (long i = 0; i < got / 8 && address < region->end; i++, address += PAGE_BYTES) {
			uint64_t page = (address - region->start) / PAGE_BYTES;

			if (((entries[i] & KERNEL_PAGEMAP_GUARD) == 0) !=
			    (revealed_includes(pager, region, page) ||
			     revealed_is_closed(pager, region, page)))
				fail(address, " is hidden or not, but not as its marker says\n");
		}
	}
}

/*
 * A kernel that does not show markers in pagemap would fail the first check, of pages that are
 * certainly hidden.
 */
static void check_all_markers(const struct pager *pager)
{
	long file = kernel_open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);

	for (unsigned i = 0; i < pager->count; i++)
		if (pager->regions[i].hidden > 0 && pager->regions[i].engine->code == SEGV_MAPERR)
			check_markers(pager, &pager->regions[i], file);
	raw_syscall1(SYS_close, (uint64_t)file);
}

void verify_pages_locked(const struct pager *pager)
{
	if (pager->retired != RETIRE_NOT)
		return;
	check_maps(pager);
	check_all_markers(pager);
}

void verify_pages(void)
{
	lock_take(&resident_pager.lock);
	verify_pages_locked(&resident_pager);
	lock_release(&resident_pager.lock);
}
