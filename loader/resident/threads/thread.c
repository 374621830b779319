#include "loader/resident/threads/thread.h"

#include "common/arch/syscall.h"
#include "common/page.h"
#include "loader/resident/arch/frame.h"
#include "loader/resident/arch/gadget.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/uio.h>

struct threads resident_threads;
struct process resident_process;

struct thread *thread_here(void)
{
	uint64_t here = (uint64_t)__builtin_frame_address(0);
	unsigned count = __atomic_load_n(&resident_threads.chunk_count, __ATOMIC_ACQUIRE);

	for (unsigned i = 0; i < count; i++)
		if (here >= resident_threads.chunks[i].start &&
		    here < resident_threads.chunks[i].end)
			return thread_of_address(here);
	return NULL;
}

struct thread *threads_at(uint64_t block)
{
	unsigned count = __atomic_load_n(&resident_threads.chunk_count, __ATOMIC_ACQUIRE);

	for (unsigned i = 0; i < count; i++) {
		uint64_t start = resident_threads.chunks[i].start,
			 end = resident_threads.chunks[i].end;
		uint64_t blocks = (end - start) / resident_threads.block_bytes;

		if (block < blocks)
			return thread_of_address(start + block * resident_threads.block_bytes);
		block -= blocks;
	}
	return NULL;
}

struct kernel_stack thread_stack(const struct thread *thread)
{
	uint64_t block = (uint64_t)thread & ~(resident_threads.block_bytes - 1);

	return (struct kernel_stack){
	    .start = block,
	    .flags = KERNEL_SS_AUTODISARM,
	    .bytes = (uint64_t)thread - block,
	};
}

/*
 * A thread that led its group remains visible after the group's end, without memory, and after
 * execve. Then its memory is another program's, which usually has nothing mapped at this address.
 * kcmp shows both, but containers often deny it.
 */
bool thread_is_gone(int32_t id)
{
	uint64_t other = (uint64_t)id;
	char byte;
	struct iovec place = {&byte, sizeof(byte)};
	long result;

	if (raw_syscall3(SYS_tgkill, other, other, 0) != 0)
		return raw_syscall2(SYS_tkill, other, 0) == -ESRCH;
	result =
	    raw_syscall6(SYS_process_vm_readv, other, (uint64_t)&place, 1, (uint64_t)&place, 1, 0);
	return result == -ESRCH || result == -EFAULT ||
	       raw_syscall6(SYS_kcmp, (uint64_t)raw_syscall0(SYS_gettid), other, KERNEL_KCMP_VM, 0,
			    0, 0) > 0;
}

static uint64_t empty_page(const struct thread *thread)
{
	return thread_stack(thread).start + FRAME_EMPTY_PAGE * PAGE_BYTES;
}

/* Locked memory needs KERNEL_MADV_DONTNEED_LOCKED (Linux 5.18). */
void thread_empty_page(const struct thread *thread)
{
	uint64_t page = empty_page(thread);

	if (raw_syscall3(SYS_madvise, page, PAGE_BYTES, MADV_DONTNEED) != 0)
		raw_syscall3(SYS_madvise, page, PAGE_BYTES, KERNEL_MADV_DONTNEED_LOCKED);
}

struct kernel_context *thread_last_context(const struct thread *thread,
					   const struct kernel_context *context)
{
	return frame_last(empty_page(thread), context);
}

bool thread_has_returned(const struct thread *thread)
{
	uint8_t present = 1;

	raw_syscall3(SYS_mincore, empty_page(thread), PAGE_BYTES, (uint64_t)&present);
	return (present & 1) != 0;
}

long thread_intercept(struct thread *thread, bool on)
{
	thread->selector = on;
	if (CALL_SIGNAL == SIGILL)
		return 0;
	return raw_syscall6(SYS_prctl, KERNEL_PR_SET_SYSCALL_USER_DISPATCH,
			    on ? KERNEL_PR_SYS_DISPATCH_ON : KERNEL_PR_SYS_DISPATCH_OFF,
			    on ? (uint64_t)resident_text : 0,
			    on ? (uint64_t)(resident_text_end - resident_text) : 0,
			    on ? (uint64_t)&thread->selector : 0, 0);
}
