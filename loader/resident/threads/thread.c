#include "loader/resident/threads/thread.h"

#include "common/arch/x86_64/bytes.h"
#include "common/arch/x86_64/syscall.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/threads/lock.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>

#define CHUNK_BLOCKS 4 /* of the second chunk; each later one is twice as large */

struct threads resident_threads;
struct process resident_process;

static uint64_t block_of_thread(const struct thread *thread)
{
	return (uint64_t)thread & ~(resident_threads.block_bytes - 1);
}

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

/*
 * A thread cannot free the stack it exits on. So its block stays marked until the kernel knows no
 * such thread any more.
 */
static bool is_free(const struct thread *thread)
{
	if (!thread->used)
		return true;
	return thread->exiting && raw_syscall3(SYS_tgkill, (uint64_t)raw_syscall0(SYS_getpid),
					       (uint64_t)thread->id, 0) == -ESRCH;
}

static struct thread *find_free_locked(void)
{
	for (unsigned i = 0; i < resident_threads.chunk_count; i++)
		for (uint64_t block = resident_threads.chunks[i].start;
		     block < resident_threads.chunks[i].end; block += resident_threads.block_bytes)
			if (is_free(thread_of_address(block)))
				return thread_of_address(block);
	return NULL;
}

/* Maps one block more than needed, so that aligned ones fit in. */
static void add_chunk_locked(void)
{
	unsigned count = resident_threads.chunk_count;
	uint64_t block = resident_threads.block_bytes;
	uint64_t length = block * ((uint64_t)CHUNK_BLOCKS << count);
	long area;

	if (count == THREAD_CHUNKS_MAX)
		return;
	area = raw_syscall6(SYS_mmap, 0, length + block, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, (uint64_t)-1, 0);
	if (area < 0 && area >= -4095)
		return;
	resident_threads.chunks[count].start = ((uint64_t)area + block - 1) & ~(block - 1);
	resident_threads.chunks[count].end = resident_threads.chunks[count].start + length;
	__atomic_store_n(&resident_threads.chunk_count, count + 1, __ATOMIC_RELEASE);
}

struct thread *thread_new(void)
{
	struct thread *thread;

	lock_take(&resident_threads.lock);
	thread = find_free_locked();
	if (thread == NULL) {
		add_chunk_locked();
		thread = find_free_locked();
	}
	if (thread != NULL) {
		bytes_clear(thread, sizeof(*thread));
		thread->used = true;
	}
	lock_release(&resident_threads.lock);
	return thread;
}

void threads_visit(void (*visit)(struct thread *thread, void *context), void *context)
{
	unsigned count = __atomic_load_n(&resident_threads.chunk_count, __ATOMIC_ACQUIRE);

	for (unsigned i = 0; i < count; i++)
		for (uint64_t block = resident_threads.chunks[i].start;
		     block < resident_threads.chunks[i].end; block += resident_threads.block_bytes)
			if (thread_of_address(block)->used)
				visit(thread_of_address(block), context);
}

struct search {
	int32_t id;
	struct thread *found;
};

static void compare_id(struct thread *thread, void *context)
{
	struct search *search = context;

	if (thread->guarded && thread->id == search->id)
		search->found = thread;
}

struct thread *thread_by_id(int32_t id)
{
	struct search search = {.id = id};

	threads_visit(compare_id, &search);
	return search.found;
}

static void free_other(struct thread *thread, void *context)
{
	const struct thread *kept = context;

	if (thread != kept && block_of_thread(thread) != (uint64_t)kept->process)
		thread_free(thread);
}

void threads_keep(struct thread *thread)
{
	threads_visit(free_other, thread);
}

void thread_free(struct thread *thread)
{
	__atomic_store_n(&thread->used, false, __ATOMIC_RELEASE);
}

struct kernel_stack thread_stack(const struct thread *thread)
{
	uint64_t block = block_of_thread(thread);

	return (struct kernel_stack){
	    .start = block,
	    .flags = KERNEL_SS_AUTODISARM,
	    .bytes = (uint64_t)thread - block,
	};
}

long thread_guard(struct thread *thread)
{
	long result;

	thread->selector = 1;
	result =
	    raw_syscall6(SYS_prctl, KERNEL_PR_SET_SYSCALL_USER_DISPATCH, KERNEL_PR_SYS_DISPATCH_ON,
			 (uint64_t)resident_text, (uint64_t)(resident_text_end - resident_text),
			 (uint64_t)&thread->selector, 0);
	thread->guarded = result == 0;
	return result;
}
