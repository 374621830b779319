#include "loader/resident/base/order.h"

#include "common/arch/breakpoint.h"
#include "common/arch/bytes.h"
#include "common/arch/syscall.h"
#include "common/page.h"

#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>

struct order resident_order;

/* The text that contains an address, or NULL. */
static const struct order_text *find_text(uint64_t address)
{
	const struct order *order = &resident_order;

	for (unsigned i = 0; i < order->text_count; i++)
		if (address >= order->texts[i].start && address < order->texts[i].end)
			return &order->texts[i];
	return NULL;
}

uint32_t order_find_function(const struct order_text *text, uint64_t address)
{
	const uint32_t *starts = resident_order.starts;
	uint32_t low = text->first, high = low + text->count;
	uint64_t wanted = address - text->start;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (starts[middle] == wanted)
			return middle;
		if (starts[middle] < wanted)
			low = middle + 1;
		else
			high = middle;
	}
	return UINT32_MAX;
}

/* If a thread is killed between the two steps, a rank stays unused. */
void order_note(uint32_t function)
{
	struct order_ranks *shared = resident_order.shared;
	uint32_t none = 0, *rank = &shared->ranks[function];

	if (__atomic_load_n(rank, __ATOMIC_RELAXED) == 0)
		__atomic_compare_exchange_n(rank, &none,
					    __atomic_add_fetch(&shared->last, 1, __ATOMIC_RELAXED),
					    false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/*
 * Restores the first instruction of a function. If a debugger has written to the page, this process
 * has a private copy of the page, which the alias does not reach. Then that copy is written.
 */
static void put_back(const struct order_text *text, uint64_t address, BREAKPOINT_WORD original)
{
	volatile BREAKPOINT_WORD *place = (volatile BREAKPOINT_WORD *)address;
	uint64_t page = page_floor(address);

	*(volatile BREAKPOINT_WORD *)(text->alias + (address - text->start)) = original;
	breakpoint_changed((const void *)address);
	if (*place == original)
		return;
	raw_syscall3(SYS_mprotect, page, PAGE_BYTES, PROT_READ | PROT_WRITE);
	*place = original;
	breakpoint_changed((const void *)address);
	raw_syscall3(SYS_mprotect, page, PAGE_BYTES, (uint64_t)text->protection);
}

bool order_serve(const siginfo_t *info, struct kernel_registers *registers)
{
	uint64_t address = registers_place(registers) - BREAKPOINT_BEHIND;
	const struct order_text *text = find_text(address);
	bool raised = info->si_code == BREAKPOINT_CODE;
	uint32_t function;

	if (text == NULL)
		return raised && order_serve_copy(address, registers);
	function = order_find_function(text, address);
	/* The kernel drops the signal of a breakpoint if a SIGTRAP that was sent is pending. */
	if (function == UINT32_MAX || (!raised && *(const BREAKPOINT_WORD *)address != BREAKPOINT))
		return false;
	order_note(function);
	if (resident_order.originals[function] == BREAKPOINT)
		return false;
	put_back(text, address, resident_order.originals[function]);
	registers_set_place(registers, address);
	return raised;
}

/*
 * Restores the first instructions of all functions of a text. `to`: the writable alias, or a copy
 * of the text.
 */
static void put_all_back(const struct order_text *text, uint64_t to)
{
	const struct order *order = &resident_order;

	for (uint32_t i = text->first; i < text->first + text->count; i++)
		*(volatile BREAKPOINT_WORD *)(to + order->starts[i]) = order->originals[i];
}

/*
 * Makes a copy of a text without breakpoints and moves it over the text: other threads find either
 * one. If there is no memory for that, all processes lose their breakpoints.
 */
static void restore_text(const struct order_text *text)
{
	uint64_t length = text->end - text->start, copy;

	copy = (uint64_t)raw_syscall6(SYS_mmap, 0, length, PROT_READ | PROT_WRITE,
				      MAP_PRIVATE | MAP_ANONYMOUS, UINT64_MAX, 0);
	if (copy % PAGE_BYTES == 0) {
		bytes_copy((void *)copy, (const void *)text->start, length);
		put_all_back(text, copy);
	}
	if (copy % PAGE_BYTES != 0 ||
	    raw_syscall3(SYS_mprotect, copy, length, (uint64_t)text->protection) != 0 ||
	    raw_syscall6(SYS_mremap, copy, length, length, MREMAP_MAYMOVE | MREMAP_FIXED,
			 text->start, 0) != (long)text->start)
		put_all_back(text, text->alias);
}

void order_end(uint32_t reason, long call)
{
	struct order *order = &resident_order;

	if (!__atomic_exchange_n(&order->active, false, __ATOMIC_ACQ_REL))
		return;
	if (order->shared->ended == 0) {
		order->shared->call = call;
		order->shared->ended = reason;
	}
	for (unsigned i = 0; i < order->text_count; i++)
		if (order->texts[i].end != 0)
			restore_text(&order->texts[i]);
}

/* The library's text that is this part of an open file; NULL if there is none left to map. */
static struct order_text *find_library(uint64_t descriptor, uint64_t offset, uint64_t length)
{
	struct order *order = &resident_order;
	struct stat file;

	if (raw_syscall2(SYS_fstat, descriptor, (uint64_t)&file) != 0)
		return NULL;
	for (unsigned i = 0; i < order->text_count; i++) {
		struct order_text *text = &order->texts[i];

		if (text->copy != 0 && text->inode == file.st_ino && text->device == file.st_dev &&
		    text->offset == offset && text->length <= length && text->end == 0)
			return text;
	}
	return NULL;
}

static long map_library(struct order_text *text, const struct call *call)
{
	uint64_t length = text->length;
	long place =
	    raw_syscall6(SYS_mmap, call->arguments[0], call->arguments[1], call->arguments[2],
			 call->arguments[3], call->arguments[4], call->arguments[5]);

	if (place > 0 && raw_syscall6(SYS_mremap, text->copy, length, length,
				      MREMAP_MAYMOVE | MREMAP_FIXED, (uint64_t)place, 0) == place) {
		text->start = (uint64_t)place;
		__atomic_store_n(&text->end, (uint64_t)place + length, __ATOMIC_RELEASE);
	}
	return place;
}

bool order_makes(const struct call *call, long *result)
{
	uint64_t protection = PROT_READ | PROT_EXEC, flags = call->arguments[3];
	struct order_text *text = NULL;

	if (call->number == SYS_mmap && call->arguments[2] == protection &&
	    (flags & (MAP_PRIVATE | MAP_ANONYMOUS)) == MAP_PRIVATE)
		text = find_library(call->arguments[4], call->arguments[5],
				    page_ceil(call->arguments[1]));
	if (text != NULL)
		*result = map_library(text, call);
	return text != NULL;
}

bool order_changes(const struct call *call)
{
	const struct order *order = &resident_order;
	uint64_t start = call->arguments[0], end = start + call->arguments[1];
	uint64_t number = call->number;

	if (number != SYS_mprotect && number != SYS_pkey_mprotect && number != SYS_munmap &&
	    number != SYS_mremap && (number != SYS_mmap || (call->arguments[3] & MAP_FIXED) == 0))
		return false;
	for (unsigned i = 0; i < order->text_count; i++)
		if (start < order->texts[i].end && order->texts[i].start < end)
			return true;
	return false;
}
