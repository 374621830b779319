/* Setting up the interception of system calls before the jump. */
#include "loader/prepare/guard_prepare.h"

#include "common/kernel_abi.h"
#include "common/page.h"
#include "loader/resident/calls/guard.h"
#include "loader/resident/launch.h"
#include "loader/resident/threads/thread.h"
#include "loader/watch/trace_reader.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What our handlers need on their stack, beside signal frames. */
#define HANDLER_STACK_BYTES 8192

/* Frames on it at a time: a system call, and a fault while its arguments are read. */
#define NESTED_FRAMES 2

/* The smallest frame that the kernel pushes, where it does not say (AT_MINSIGSTKSZ). */
#define SIGNAL_FRAME_BYTES 2048

/* The first thread's block, aligned to its size, and a page for a path behind it. */
static bool allocate_block(const struct guest *guest, struct error *error)
{
	uint64_t frame = process_start_auxv(&guest->start, AT_MINSIGSTKSZ);
	uint64_t needed, bytes = PAGE_BYTES;
	uint8_t *area;

	needed = NESTED_FRAMES * (frame != 0 ? frame : SIGNAL_FRAME_BYTES) + HANDLER_STACK_BYTES +
		 sizeof(struct thread);
	while (bytes < needed)
		bytes *= 2;
	area = mmap(NULL, 2 * bytes + PATH_BYTES, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (area == MAP_FAILED)
		return error_no_memory(error, "for a signal stack");
	resident_threads.block_bytes = bytes;
	resident_threads.chunks[0].start = ((uint64_t)area + bytes - 1) & ~(bytes - 1);
	resident_threads.chunks[0].end = resident_threads.chunks[0].start + bytes;
	resident_threads.chunk_count = 1;
	resident_launch.thread_area =
	    (struct address_range){(uint64_t)area, (uint64_t)area + 2 * bytes + PATH_BYTES};
	resident_launch.thread = thread_of_address(resident_threads.chunks[0].start);
	resident_guard.executable = (char *)area + 2 * bytes;
	return true;
}

/* Whether prctl(PR_SET_MM_MAP) would change /proc/self/exe for us. */
static bool may_change_executable(void)
{
	struct kernel_capability_header header = {.version = KERNEL_CAPABILITY_VERSION};
	struct kernel_capabilities sets[2] = {{0}};

	/* Where it fails nothing is set. */
	syscall(SYS_capget, &header, sets);
	return (sets[0].effective & (1U << KERNEL_CAP_SYS_ADMIN)) != 0 ||
	       (sets[1].effective & (1U << (KERNEL_CAP_CHECKPOINT_RESTORE - 32))) != 0;
}

/* Valgrind's own calls would be intercepted as well. */
static bool can_intercept(const struct guest *guest)
{
	errno = ENOTSUP;
	return !guest->start.under_valgrind &&
	       prctl(KERNEL_PR_SET_SYSCALL_USER_DISPATCH, KERNEL_PR_SYS_DISPATCH_OFF, 0, 0, 0) == 0;
}

/* --explain of a loader that leaves something says where a program was when it was killed. */
static bool wants_end(const struct guest *guest)
{
	return guest->options.explain != EXPLAIN_NOTHING && trace_is_wanted(guest);
}

bool guard_find_need(const struct guest *guest)
{
	for (unsigned i = 0; i < guest->plan.count; i++)
		if (guest->plan.mappings[i].presence == PRESENCE_HIDDEN)
			return true;
	return guest->options.guard != CHOOSE_NONE &&
	       (wants_end(guest) || !may_change_executable());
}

bool guard_prepare(const struct guest *guest, bool pages_hidden, struct error *error)
{
	bool wanted = guest->options.guard != CHOOSE_NONE;

	resident_launch.pages_hidden = pages_hidden;
	if (!guest->needs_guard)
		return true;
	resident_guard.limit = guest->options.retire;
	resident_guard.active = wanted && can_intercept(guest);
	resident_guard.stays = resident_guard.active && wants_end(guest);
	if (wanted && !resident_guard.active) {
		if (guest->options.guard == CHOOSE_REQUIRE)
			return error_set(error, EXIT_OURS,
					 "system calls cannot be intercepted: "
					 "prctl(PR_SET_SYSCALL_USER_DISPATCH): %s; use "
					 "all_at_once_loader, or Linux 5.11",
					 strerror(errno));
	}
	if (!pages_hidden && !resident_guard.active)
		return true;
	return allocate_block(guest, error);
}
