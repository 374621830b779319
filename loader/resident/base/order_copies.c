#include "common/arch/breakpoint.h"
#include "common/arch/bytes.h"
#include "common/arch/syscall.h"
#include "common/page.h"
#include "loader/resident/arch/call.h"
#include "loader/resident/base/order.h"

#include <sys/mman.h>
#include <sys/uio.h>

/* So many bytes next to a breakpoint make a copy: fewer may be the same by chance. */
#define COPY_BYTES 16

/*
 * How many bytes next to a copy, in one direction, are the same as in the text. Counts up to the
 * first other byte or the end of the page. A breakpoint may stand for any byte, and does not count.
 */
static uint64_t same_bytes(const struct order_text *text, uint64_t copy, uint64_t of, uint64_t step)
{
	uint64_t page = page_floor(copy), count = 0;

	for (;;) {
		BREAKPOINT_WORD here, there;

		copy += step;
		of += step;
		if (page_floor(copy) != page || of < text->start || of >= text->end)
			return count;
		here = *(const volatile BREAKPOINT_WORD *)copy;
		there = *(const volatile BREAKPOINT_WORD *)of;
		if (here != there && here != BREAKPOINT && there != BREAKPOINT)
			return count;
		if (here == there && here != BREAKPOINT)
			count += sizeof(here);
	}
}

static uint64_t compare(const struct order_text *text, uint64_t copy, uint64_t of)
{
	return same_bytes(text, copy, of, sizeof(BREAKPOINT_WORD)) +
	       same_bytes(text, copy, of, -(uint64_t)sizeof(BREAKPOINT_WORD));
}

/* The function of a text that is most like what is at an address; UINT32_MAX: none is. */
static uint32_t find_in_text(const struct order_text *text, uint64_t copy, uint64_t *most)
{
	const struct order *order = &resident_order;
	uint32_t found = UINT32_MAX;

	for (uint32_t i = text->first; i < text->first + text->count; i++) {
		uint64_t same = compare(text, copy, text->start + order->starts[i]);

		if (same <= *most || order->originals[i] == BREAKPOINT)
			continue;
		*most = same;
		found = i;
	}
	return found;
}

/*
 * The function whose first byte was copied to an address. Tries the distance of the last copy
 * first: text is copied in large pieces, and comparing all functions takes milliseconds.
 */
static uint32_t find_copied(uint64_t copy)
{
	struct order *order = &resident_order;
	uint64_t most = COPY_BYTES, of = copy - order->copy_distance;
	uint32_t found = UINT32_MAX;

	for (unsigned i = 0; i < order->text_count; i++) {
		const struct order_text *text = &order->texts[i];

		if (of < text->start || of >= text->end)
			continue;
		found = order_find_function(text, of);
		if (found != UINT32_MAX && compare(text, copy, of) >= COPY_BYTES)
			return found;
	}
	found = UINT32_MAX;
	for (unsigned i = 0; i < order->text_count; i++) {
		const struct order_text *text = &order->texts[i];
		uint32_t better = find_in_text(text, copy, &most);

		if (better == UINT32_MAX)
			continue;
		found = better;
		order->copy_distance = copy - (text->start + order->starts[better]);
	}
	return found;
}

/*
 * Writes an instruction to a page that is executed. If the page is not writable, a page with that
 * instruction takes its place in one step, so other threads can execute it meanwhile.
 */
static bool write_word(uint64_t address, BREAKPOINT_WORD word)
{
	struct iovec from = {.iov_base = &word, .iov_len = sizeof(word)},
		     to = {.iov_base = (void *)address, .iov_len = sizeof(word)};
	uint64_t page = page_floor(address), made;

	if (raw_syscall6(SYS_process_vm_writev, (uint64_t)raw_syscall0(SYS_getpid), (uint64_t)&from,
			 1, (uint64_t)&to, 1, 0) == sizeof(word)) {
		breakpoint_changed((const void *)address);
		return true;
	}
	made = (uint64_t)raw_syscall6(SYS_mmap, 0, PAGE_BYTES, PROT_READ | PROT_WRITE,
				      MAP_PRIVATE | MAP_ANONYMOUS, UINT64_MAX, 0);
	if (made % PAGE_BYTES != 0)
		return false;
	bytes_copy((void *)made, (const void *)page, PAGE_BYTES);
	*(volatile BREAKPOINT_WORD *)(made + (address - page)) = word;
	if (raw_syscall3(SYS_mprotect, made, PAGE_BYTES, PROT_READ | PROT_EXEC) == 0 &&
	    raw_syscall6(SYS_mremap, made, PAGE_BYTES, PAGE_BYTES, MREMAP_MAYMOVE | MREMAP_FIXED,
			 page, 0) == (long)page)
		return true;
	raw_syscall2(SYS_munmap, made, PAGE_BYTES);
	return false;
}

bool order_serve_copy(uint64_t address, struct kernel_registers *registers)
{
	uint32_t function = find_copied(address);

	if (function == UINT32_MAX || !write_word(address, resident_order.originals[function]))
		return false;
	order_note(function);
	registers_set_place(registers, address);
	return true;
}
