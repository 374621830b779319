/*
 * The engine `userfaultfd`: memory is registered for missing pages. With UFFD_FEATURE_SIGBUS a
 * thread that touches a missing page gets a signal, instead of waiting for a reader of the
 * descriptor (userfaultfd(2), Linux 4.14). KERNEL_UFFDIO_COPY puts a page in place, in one step for
 * all threads and without splitting a mapping. This works for anonymous memory only.
 *
 * UFFDIO_ZEROPAGE maps the kernel's shared page of zeros, which costs no memory, but costs a second
 * fault at the first write. That is right for pages that may never be touched.
 */
#include "common/page.h"
#include "common/userfaultfd.h"
#include "loader/resident/pager/engine.h"
#include "loader/resident/base/room.h"

#include <errno.h>
#include <signal.h>

int userfaultfd_descriptor;

static long userfaultfd_hide(uint64_t start, uint64_t length, int protection)
{
	(void)protection;
	return userfaultfd_register(userfaultfd_descriptor, start, length,
				    KERNEL_UFFD_REGISTER_MODE_MISSING);
}

/* copy_zeros() and map_zeros() return the number of bytes done or, if that is 0, -errno. */
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

/* In the child of a fork the descriptor is closed and no memory is registered. */
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

/* A page that is there already (-EEXIST) counts as done. */
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
 * Unregistering a range may split the mapping, so only large ranges are unregistered. Smaller
 * ranges get pages of zeros instead, which cost one more kernel fault when written.
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
