#include "loader/resident/threads/blocks.h"

#include "common/arch/syscall.h"
#include "loader/resident/threads/lock.h"
#include "loader/resident/threads/shared.h"
#include "loader/resident/threads/states.h"

#include <stddef.h>
#include <sys/mman.h>

#define CHUNK_BLOCKS 4 /* blocks in the second chunk; each later chunk has twice as many */

/*
 * A thread cannot free the stack that it exits on. So its block stays GONE until the kernel no
 * longer knows a thread with its ID.
 */
static bool is_free(const struct thread *thread)
{
	uint32_t state = shared_read(thread->state);

	return state == THREAD_FREE || (state == THREAD_GONE && shared_read(thread->named) &&
					thread_is_gone(shared_read(thread->id)));
}

static struct thread *find_free_locked(void)
{
	struct thread *thread;

	for (uint64_t i = 0; (thread = threads_at(i)) != NULL; i++)
		if (is_free(thread))
			break;
	return thread;
}

/* Maps one block more than needed, so that the blocks can be aligned. */
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

struct thread *blocks_take(void)
{
	struct thread *thread;

	lock_take(&resident_threads.lock);
	thread = find_free_locked();
	if (thread == NULL) {
		add_chunk_locked();
		thread = find_free_locked();
	}
	if (thread != NULL)
		state_new(thread);
	lock_release(&resident_threads.lock);
	return thread;
}

void blocks_keep(const struct thread *thread)
{
	struct thread *other;

	for (uint64_t i = 0; (other = threads_at(i)) != NULL; i++)
		if (other != thread && shared_read(other->state) != THREAD_FREE &&
		    thread_stack(other).start != (uint64_t)thread->process)
			state_free(other);
}
