/*
 * The engine `userfaultfd`: memory is registered for missing pages, and because of the feature
 * SIGBUS the thread that touches one gets a signal instead of waiting for somebody who reads
 * the descriptor (userfaultfd(2), Linux 4.14). A page is put in place by KERNEL_UFFDIO_COPY, in one
 * step for all threads and without splitting a mapping. For anonymous memory only.
 *
 * UFFDIO_ZEROPAGE maps the kernel's shared page of zeros, which costs no memory but a second fault
 * when it is written: right for pages that may never be touched.
 */
#include "loader/resident/pager/engine_userfaultfd.h"

#include "common/arch/x86_64/syscall.h"
#include "common/page.h"
#include "loader/resident/pager/engine.h"
#include "loader/resident/room.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>

int userfaultfd_descriptor;

static long control(uint64_t request, void *argument)
{
	return raw_syscall3(SYS_ioctl, (uint64_t)userfaultfd_descriptor, request,
			    (uint64_t)argument);
}

/*
 * Where it cannot have a number that the program may not use, the descriptor has one that shifts
 * none of the program's: a program that wants this very number gets it, and lazy paging ends.
 */
#define DESCRIPTOR_WANTED 255

/* The kernel's table of descriptors reaches up to the highest one. */
#define LIMIT_WORTH_PASSING 4096

static long duplicate(long descriptor, uint64_t least)
{
	return raw_syscall3(SYS_fcntl, (uint64_t)descriptor, F_DUPFD_CLOEXEC, least);
}

/* To the number at the program's limit, which may be passed for a moment up to the hard one. */
static long move_beyond_limit(long descriptor)
{
	struct rlimit limit, more;
	long moved;

	if (raw_syscall2(SYS_getrlimit, RLIMIT_NOFILE, (uint64_t)&limit) != 0 ||
	    limit.rlim_cur >= limit.rlim_max || limit.rlim_cur > LIMIT_WORTH_PASSING)
		return -EMFILE;
	more = (struct rlimit){limit.rlim_cur + 1, limit.rlim_max};
	if (raw_syscall2(SYS_setrlimit, RLIMIT_NOFILE, (uint64_t)&more) != 0)
		return -EMFILE;
	moved = duplicate(descriptor, limit.rlim_cur);
	raw_syscall2(SYS_setrlimit, RLIMIT_NOFILE, (uint64_t)&limit);
	return moved;
}

static long move_away(long descriptor)
{
	struct rlimit limit;
	long moved = move_beyond_limit(descriptor);

	if (moved < 0)
		moved = duplicate(descriptor, DESCRIPTOR_WANTED);
	if (moved < 0 && raw_syscall2(SYS_getrlimit, RLIMIT_NOFILE, (uint64_t)&limit) == 0)
		moved = duplicate(descriptor, limit.rlim_cur - 1);
	raw_syscall1(SYS_close, (uint64_t)descriptor);
	return moved;
}

static long userfaultfd_begin(void)
{
	struct kernel_uffd_api api = {
	    .api = KERNEL_UFFD_API,
	    .features = KERNEL_UFFD_FEATURE_SIGBUS,
	};
	long descriptor = raw_syscall1(SYS_userfaultfd, O_CLOEXEC | KERNEL_UFFD_USER_MODE_ONLY);
	long result;

	if (descriptor < 0)
		return descriptor;
	descriptor = move_away(descriptor);
	if (descriptor < 0)
		return descriptor;
	userfaultfd_descriptor = (int)descriptor;
	result = control(KERNEL_UFFDIO_API, &api);
	if (result == 0)
		return 0;
	raw_syscall1(SYS_close, (uint64_t)descriptor);
	userfaultfd_descriptor = -1;
	return result;
}

static long userfaultfd_hide(uint64_t start, uint64_t length, int protection)
{
	struct kernel_uffd_register range = {
	    .range = {.start = start, .length = length},
	    .mode = KERNEL_UFFD_REGISTER_MODE_MISSING,
	};

	(void)protection;
	return control(KERNEL_UFFDIO_REGISTER, &range);
}

/* Both return the number of bytes done or, if that is none, -errno. */
static long copy_zeros(uint64_t start, uint64_t length)
{
	struct kernel_uffd_copy copy = {
	    .to = start,
	    .from = (uint64_t)resident_zeros,
	    .length = length < ZEROS_BYTES ? length : ZEROS_BYTES,
	};
	long result = control(KERNEL_UFFDIO_COPY, &copy);

	return copy.done > 0 ? copy.done : result;
}

static long map_zeros(uint64_t start, uint64_t length)
{
	struct kernel_uffd_zeropage zeros = {.range = {.start = start, .length = length}};
	long result = control(KERNEL_UFFDIO_ZEROPAGE, &zeros);

	return zeros.done > 0 ? zeros.done : result;
}

/* In the child of a fork there is no descriptor, and nothing is registered. */
static long unregister(uint64_t start, uint64_t length)
{
	struct kernel_uffd_range range = {.start = start, .length = length};

	return userfaultfd_descriptor < 0 ? 0 : control(KERNEL_UFFDIO_UNREGISTER, &range);
}

static long let_go(uint64_t start, uint64_t length)
{
	return engine_in_halves(unregister, start, length);
}

/* A page that is there already (-EEXIST) is as good as a new one. */
static long put_in_place(uint64_t start, uint64_t length, bool copy)
{
	uint64_t end = start + length;

	while (start < end) {
		long done = copy ? copy_zeros(start, end - start) : map_zeros(start, end - start);

		if (done == -EEXIST)
			done = (long)PAGE_BYTES;
		if (done < 0 && done != -EAGAIN)
			return done;
		start += done > 0 ? (uint64_t)done : 0;
	}
	return 0;
}

/*
 * Each range that is let go may split the mapping, so only large ones are: page by page, a page of
 * zeros in place does the same, but for the kernel's fault when it is written.
 */
static long userfaultfd_reveal(uint64_t start, uint64_t length, int protection, enum bring bring)
{
	long result;

	if (bring == BRING_POPULATE || length < MANY_BYTES)
		return put_in_place(start, length, bring == BRING_POPULATE);
	result = let_go(start, length);
	if (result == 0)
		engine_bring(start, length, protection, bring);
	return result;
}

struct engine engine_userfaultfd(void)
{
	return (struct engine){
	    .name = "userfaultfd",
	    .begin = userfaultfd_begin,
	    .hide = userfaultfd_hide,
	    .reveal = userfaultfd_reveal,
	    .retire = let_go,
	    .splits_from = MANY_BYTES,
	    .reveals_again = true,
	    .copies = true,
	    .anonymous_only = true,
	    .is_noticed = true,
	    .signal = SIGBUS,
	    .code = BUS_ADRERR,
	};
}
