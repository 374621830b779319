/*
 * Reading ahead. One submitter requests everything in order without waiting, so the device works
 * while the program is mapped and starts. In measurements that was faster than several threads.
 */
#include "loader/files/read_ahead.h"

#include "common/arch/syscall.h"
#include "common/kernel_abi.h"
#include "common/kernel_text.h"
#include "common/page.h"
#include "common/report.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* The device's limit for one request; the kernel drops what exceeds it. */
#define PIECE_BYTES (128 * 1024)

/*
 * The most bytes that a start requests, whatever the profile lists: each request costs some
 * microseconds.
 */
#define READ_AHEAD_MOST (UINT64_C(1) << 30)

/*
 * Number of bytes that are checked for being in memory: of the program; and of other files, the
 * first and the last.
 */
#define PROGRAM_PROBES 8
#define OTHER_PROBES   2

/* Missing data slows a start down; less than this is not checked in more detail. */
#define PROBE_BYTES (256 * 1024)

long blocks_read(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_inblock : 0;
}

/* Reads with waiting: data that was not in memory has been read from a device by then. */
static enum residency residency_by_waiting(int descriptor, uint64_t offset)
{
	long before = blocks_read();
	char byte;

	if (pread(descriptor, &byte, 1, (off_t)offset) < 0)
		return RESIDENCY_UNKNOWN;
	return blocks_read() == before ? RESIDENT : NOT_RESIDENT;
}

/*
 * Reads without waiting. cachestat(2) and mincore(2) show more, but only to the file's owner. This
 * read works for any user, costs half a microsecond, and starts reading a missing page, which is
 * wanted anyway. Some file systems lack such a read: overlayfs, on which the files of most
 * containers are.
 */
enum residency residency_of(int descriptor, uint64_t offset)
{
	char byte;
	struct iovec vector = {&byte, 1};

	if (syscall(SYS_preadv2, descriptor, &vector, 1, offset, 0, KERNEL_RWF_NOWAIT) >= 0)
		return RESIDENT;
	return errno == EAGAIN	     ? NOT_RESIDENT
	       : errno == EOPNOTSUPP ? residency_by_waiting(descriptor, offset)
				     : RESIDENCY_UNKNOWN;
}

/* Checks bytes at equal distances among the bytes of all ranges, including both ends. */
static bool is_cold(const struct known_file *file, int descriptor, uint64_t probes)
{
	uint64_t last = file_range_bytes(file) - 1, step = last / (probes - 1);
	uint64_t next = 0, passed = 0;

	step = step > PROBE_BYTES ? step : PROBE_BYTES;
	for (size_t i = 0; i < file->count; i++) {
		const struct file_range *range = &file->ranges[i];
		uint64_t length = range->end - range->start;

		/* The step is rounded down; the remainder comes before the last byte. */
		while (next < passed + length) {
			if (residency_of(descriptor, range->start + (next - passed)) ==
			    NOT_RESIDENT)
				return true;
			next = next < last && next + step + probes > last ? last : next + step;
		}
		passed += length;
	}
	return false;
}

uint64_t memory_usable(void)
{
	char text[512];
	uint64_t available =
	    kernel_bytes(kernel_text("/proc/meminfo", text, sizeof(text)), "MemAvailable:");

	return available != 0 ? available / 4 : 64 << 20;
}

/*
 * Whether the file is the profile's version, by its size. Its time may differ: a profile is made on
 * one machine and used on others, where the same file was unpacked at another time. A changed file
 * of the same size costs only a needless read.
 */
static bool is_version(const struct known_file *file, const struct stat *status)
{
	return S_ISREG(status->st_mode) && (uint64_t)status->st_size == file->size;
}

/* openat() is not used: musl's sets close-on-exec by an additional call. */
int file_open_unnoticed(int folder, const char *path, int more)
{
	uint64_t flags = (uint64_t)(O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | more);
	long descriptor =
	    raw_syscall6(SYS_openat, (uint64_t)folder, (uint64_t)path, flags | O_NOATIME, 0, 0, 0);

	if (descriptor == -EPERM)
		descriptor =
		    raw_syscall6(SYS_openat, (uint64_t)folder, (uint64_t)path, flags, 0, 0, 0);
	if (descriptor >= 0)
		return (int)descriptor;
	errno = (int)-descriptor;
	return -1;
}

int read_ahead_open(const struct known_file *file)
{
	struct stat status;
	int descriptor;

	/*
	 * Checked before opening: opening a device may have effects, and opening a FIFO may wait.
	 */
	if (stat(file->path, &status) != 0) {
		report_detail("not read ahead: %.512s: %s", file->path, strerror(errno));
		return -1;
	}
	if (!is_version(file, &status)) {
		report_detail("not read ahead: %.512s has changed", file->path);
		return -1;
	}
	descriptor = file_open_unnoticed(AT_FDCWD, file->path, 0);
	if (descriptor < 0) {
		report_detail("not read ahead: %.512s: %s", file->path, strerror(errno));
	} else if (fstat(descriptor, &status) != 0 || !is_version(file, &status)) {
		close(descriptor);
		descriptor = -1;
	}
	return descriptor;
}

static int already_open(const struct known_file *file, const struct opened_files *opened)
{
	return file->role == FILE_PROGRAM	? opened->program
	       : file->role == FILE_INTERPRETER ? opened->interpreter
						: -1;
}

static bool other_is_cold(const struct known_file *file)
{
	int descriptor = read_ahead_open(file);
	bool cold = descriptor >= 0 && is_cold(file, descriptor, OTHER_PROBES);

	if (descriptor >= 0)
		close(descriptor);
	return cold;
}

/*
 * Checks a sample in memory that stands for everything: the program. If that is less than half of
 * all bytes, also the largest file and the last one. Opening a file costs 2.5 us.
 */
static bool seems_cold(const struct known_files *files, const struct opened_files *opened)
{
	const struct known_file *largest = NULL, *last = NULL;
	uint64_t most = 0, asked = 0, others = 0;

	for (size_t i = 0; i < files->count; i++) {
		const struct known_file *file = &files->files[i];
		uint64_t bytes = file_range_bytes(file);

		if (file->role == FILE_PROGRAM && opened->program >= 0) {
			if (is_cold(file, opened->program, PROGRAM_PROBES))
				return true;
			asked = bytes;
		} else if (already_open(file, opened) < 0) {
			others += bytes;
			largest = bytes > most ? file : largest;
			most = bytes > most ? bytes : most;
			last = file;
		}
	}
	return asked < others &&
	       (other_is_cold(largest) || (last != largest && other_is_cold(last)));
}

static void ask(const struct file_range *range, int descriptor, uint64_t size,
		struct read_ahead *result)
{
	uint64_t end = range->end < size ? range->end : size;

	for (uint64_t at = range->start; at < end && result->bytes < result->bytes_most;
	     at += PIECE_BYTES) {
		uint64_t length = end - at < PIECE_BYTES ? end - at : PIECE_BYTES;

		if (readahead(descriptor, (off_t)at, length) != 0)
			return;
		result->bytes += length;
		result->requests++;
	}
}

static void ask_file(const struct known_file *file, const struct opened_files *opened,
		     struct read_ahead *result)
{
	int given = already_open(file, opened);
	int descriptor = given >= 0 ? given : read_ahead_open(file);

	if (descriptor < 0) {
		result->skipped++;
		return;
	}
	result->used++;
	for (size_t i = 0; i < file->count; i++)
		ask(&file->ranges[i], descriptor, file->size, result);
	if (given < 0)
		close(descriptor);
}

struct read_ahead read_ahead(const struct known_files *files, const struct opened_files *opened,
			     bool always)
{
	struct read_ahead result = {.was_cold = false};
	long blocks;

	if (files->count == 0)
		return result;
	blocks = blocks_read();
	result.was_cold = seems_cold(files, opened) || blocks_read() > blocks;
	if (!result.was_cold && !always)
		return result;
	result.bytes_most = lower(memory_usable(), READ_AHEAD_MOST);
	for (size_t i = 0; i < files->count; i++)
		ask_file(&files->files[i], opened, &result);
	if (result.bytes >= result.bytes_most)
		report_detail("read ahead no more than %lu MiB: a quarter of the memory that is "
			      "available, and 1 GiB at most",
			      result.bytes_most >> 20);
	return result;
}
