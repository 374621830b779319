/* Sets up the interception of system calls before the jump. */
#include "loader/prepare/prepare.h"

#include "common/arch/machine.h"
#include "common/arch/syscall.h"
#include "common/kernel_abi.h"
#include "common/page.h"
#include "loader/prepare/guard_prepare.h"
#include "loader/prepare/rewrite_prepare.h"
#include "loader/prepare/room.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Bytes that the loader's handlers need on their stack, in addition to signal frames. */
#define HANDLER_STACK_BYTES 8192

/*
 * Signal frames that are on that stack at a time: of a system call, and of a fault while its
 * arguments are read.
 */
#define NESTED_FRAMES 2

/* The smallest frame that the kernel pushes, if it does not report the size (AT_MINSIGSTKSZ). */
#define SIGNAL_FRAME_BYTES 2048

/*
 * Bytes in a thread's block: a power of two, at least 16 KiB. A thread that leaves has one frame on
 * its stack. It needs the block's two lowest pages for its last context (thread.h), so larger pages
 * make it longer.
 */
static uint64_t block_bytes(const struct guest *guest)
{
	uint64_t frame = process_start_auxv(&guest->start, AT_MINSIGSTKSZ), bytes = PAGE_BYTES;
	uint64_t needed = NESTED_FRAMES * (frame != 0 ? frame : SIGNAL_FRAME_BYTES) +
			  HANDLER_STACK_BYTES + sizeof(struct thread) + PAGE_BYTES - 4096;

	while (bytes < needed)
		bytes *= 2;
	return bytes;
}

bool guard_may_change_executable(void)
{
	struct kernel_capability_header header = {.version = KERNEL_CAPABILITY_VERSION};
	struct kernel_capabilities sets[2] = {{0}};

	/* If capget fails, the sets stay zero. */
	syscall(SYS_capget, &header, sets);
	return (sets[0].effective & (1U << KERNEL_CAP_SYS_ADMIN)) != 0 ||
	       (sets[1].effective & (1U << (KERNEL_CAP_CHECKPOINT_RESTORE - 32))) != 0;
}

/*
 * Whether the loader's handlers can run at all, on an alternate stack that is disarmed meanwhile.
 * qemu-user has no such stacks, and some versions of it pass the prctl below on to the kernel
 * without intercepting anything. There is no alternate stack before this test, and none afterwards.
 */
static bool stacks_disarm(void)
{
	static const stack_t none = {.ss_flags = SS_DISABLE};
	static const stack_t disarmed = {.ss_flags = SS_DISABLE | (int)KERNEL_SS_AUTODISARM};

	return sigaltstack(&disarmed, NULL) == 0 && sigaltstack(&none, NULL) == 0;
}

static bool can_dispatch(struct error *error)
{
	return prctl(KERNEL_PR_SET_SYSCALL_USER_DISPATCH, KERNEL_PR_SYS_DISPATCH_OFF, 0, 0, 0) ==
		   0 ||
	       error_set(error, EXIT_OURS,
			 "system calls cannot be intercepted: "
			 "PR_SET_SYSCALL_USER_DISPATCH: %s; %s, or --guard=none, which "
			 "still hides pages",
			 strerror(errno),
			 errno == EINVAL ? "use Linux 5.11" : "permit that prctl(2)");
}

bool guard_has_to_rewrite(void)
{
	struct error obstacle;

	return ARCH_REWRITES && !can_dispatch(&obstacle);
}

bool guard_can_intercept(const struct guest *guest, struct error *error)
{
	if (!ARCH_INTERCEPTS)
		return error_set(error, EXIT_OURS,
				 "on " MACHINE_NAME " system calls cannot be intercepted yet");
	if (guest->start.under_valgrind)
		return error_set(error, EXIT_OURS,
				 "Valgrind would take faults on hidden pages for errors of the "
				 "program");
	if (ARCH_REWRITES && guest->rewrites ? !rewrite_is_possible(guest, error)
					     : !can_dispatch(error))
		return false;
	return stacks_disarm() ||
	       error_set(error, EXIT_OURS,
			 "system calls cannot be intercepted: sigaltstack with SS_AUTODISARM: %s; "
			 "start the loader without an emulator",
			 strerror(errno));
}

/* Whether --explain reports which access killed the program: only a handler can see it. */
static bool wants_end(const struct guest *guest)
{
	return guest->options.explain != EXPLAIN_NOTHING && guest->is_traced;
}

bool guard_find_need(const struct guest *guest)
{
	return guest->hides_pages || guest->options.order != NULL ||
	       (guest->options.guard != CHOOSE_NONE &&
		(wants_end(guest) || !guest->changes_executable));
}

/* Whether calls can be intercepted where no page is hidden. */
static bool can_stand_alone(const struct guest *guest, struct error *error)
{
	if (guest->rewrites)
		return error_set(error, EXIT_OURS,
				 "system calls cannot be intercepted on " MACHINE_NAME
				 " where no page is hidden; leave out %s",
				 guest->options.order != NULL ? "--order" : "--guard=require");
	return guard_can_intercept(guest, error);
}

bool guard_prepare(const struct guest *guest, struct guard *guard, struct error *error)
{
	guard->pages_hidden = guest->hides_pages;
	if (!guest->needs_guard)
		return true;
	guard->limit = guest->options.retire;
	/* If pages are hidden, presence_choose() has called guard_can_intercept() already. */
	guard->active = guest->options.guard != CHOOSE_NONE &&
			(guest->hides_pages || can_stand_alone(guest, error));
	if (ARCH_REWRITES && guard->active)
		rewrite_find_return(guest);
	guard->reports = guard->active && wants_end(guest);
	return guard->active ||
	       (guest->options.guard != CHOOSE_REQUIRE && guest->options.order == NULL);
}

/*
 * Whether rt_sigreturn restores a frame's alternate stack before its registers, as on some
 * processors since Linux 6.12. It then checks the handler's own stack pointer, so that a handler on
 * this stack cannot set another one. Before 6.12 it checks the stack pointer that the handler
 * returns to. Only the release number shows which.
 */
static bool takes_stack_first(void)
{
	struct utsname system;
	const char *text = system.release;
	unsigned numbers[2] = {0};

	system.release[0] = '\0';
	/* Uses no function of a C library: each is on a page that a start has not touched. */
	raw_syscall1(SYS_uname, (uint64_t)&system);
	for (int i = 0; i < 2; i++, text += *text == '.')
		while (*text >= '0' && *text <= '9')
			numbers[i] = numbers[i] * 10 + (unsigned)(*text++ - '0');
	return numbers[0] > 6 || (numbers[0] == 6 && numbers[1] >= 12);
}

bool guard_prepare_thread(const struct guest *guest, struct guard *guard, struct threads *threads,
			  struct launch_thread *first, struct error *error)
{
	uint64_t bytes = block_bytes(guest);
	uint64_t length = 2 * bytes + PATH_BYTES;
	uint8_t *area;

	if (!guest->hides_pages && !guard->active)
		return true;
	area = room_take(length);
	if (area == NULL)
		return error_no_memory(error, "for a signal stack");
	threads->stack_first = ARCH_STACK_FIRST && takes_stack_first();
	threads->managed = guest->rewrites ? MANAGED_REWRITING : MANAGED_PAGES;
	if (guest->options.order != NULL)
		threads->managed |= KERNEL_SIGNAL_BIT(SIGTRAP);
	threads->block_bytes = bytes;
	threads->chunks[0].start = ((uint64_t)area + bytes - 1) & ~(bytes - 1);
	threads->chunks[0].end = threads->chunks[0].start + bytes;
	threads->chunk_count = 1;
	first->thread = thread_of_address(threads->chunks[0].start);
	if (!room_has(area))
		first->area = (struct address_range){(uint64_t)area, (uint64_t)area + length};
	guard->executable = (char *)area + 2 * bytes;
	return true;
}
