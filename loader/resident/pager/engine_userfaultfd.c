/*
 * The engine `userfaultfd`: memory is registered for missing pages, and because of the feature
 * SIGBUS the thread that touches one gets a signal instead of waiting for somebody who reads
 * the descriptor (userfaultfd(2), Linux 4.14). A page is put in place by KERNEL_UFFDIO_COPY, in one
 * step for all threads and without splitting a mapping. For anonymous memory only.
 *
 * UFFDIO_ZEROPAGE maps the kernel's shared page of zeros, which costs no memory but a second fault
 * when it is written: right for pages that may never be touched.
 */
#include "common/page.h"
#include "common/userfaultfd.h"
#include "loader/resident/pager/engine.h"
#include "loader/resident/room.h"

#include <errno.h>
#include <signal.h>

int userfaultfd_descriptor;

static long userfaultfd_hide(uint64_t start, uint64_t length, int protection)
{
	(void)protection;
	return userfaultfd_register(userfaultfd_descriptor, start, length,
				    KERNEL_UFFD_REGISTER_MODE_MISSING);
}

/* Both return the number of bytes done or, if that is none, -errno. */
static long copy_zeros(uint64_t start, uint64_t length)
{
	struct kernel_uffd_copy copy = {
	    .to = start,
	    .from = (uint64_t)resident_zeros,
	    .length = length < ZEROS_BYTES ? length : ZEROS_BYTES,
	};
	long result = userfaultfd_control(userfaultfd_descriptor, KERNEL_UFFDIO_COPY, &copy);

	return copy.done > 0 ? copy.done : result;
}

static long map_zeros(uint64_t start, uint64_t length)
{
	struct kernel_uffd_zeropage zeros = {.range = {.start = start, .length = length}};
	long result = userfaultfd_control(userfaultfd_descriptor, KERNEL_UFFDIO_ZEROPAGE, &zeros);

	return zeros.done > 0 ? zeros.done : result;
}

/* In the child of a fork there is no descriptor, and nothing is registered. */
static long unregister(uint64_t start, uint64_t length)
{
	return userfaultfd_descriptor < 0
		   ? 0
		   : userfaultfd_unregister(userfaultfd_descriptor, start, length);
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
	    .hide = userfaultfd_hide,
	    .reveal = userfaultfd_reveal,
	    .retire = let_go,
	    .splits_from = MANY_BYTES,
	    .reveals_again = true,
	    .copies = true,
	    .anonymous_only = true,
	    .has_descriptor = true,
	    .signal = SIGBUS,
	    .code = BUS_ADRERR,
	};
}
