/* Text for --order: a copy in memory, with breakpoints where functions start. */
#include "loader/prepare/prepare.h"

#include "common/arch/breakpoint.h"
#include "common/kernel_abi.h"
#include "loader/resident/base/order.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool write_all(int file, const uint8_t *bytes, uint64_t length)
{
	for (uint64_t done = 0; done < length;) {
		ssize_t written = write(file, bytes + done, length - done);

		if (written <= 0)
			return false;
		done += (uint64_t)written;
	}
	return true;
}

/* Writes the text to a file: from where it is mapped, or from that of a library. */
static bool write_text(int file, const struct order_text *text)
{
	const int library = resident_order.library;
	void *mapped;
	bool good;

	if (library == 0)
		return write_all(file, (const uint8_t *)text->start, text->length);
	mapped = mmap(NULL, text->length, PROT_READ, MAP_PRIVATE, library, (off_t)text->offset);
	if (mapped == MAP_FAILED)
		return false;
	good = write_all(file, mapped, text->length);
	munmap(mapped, text->length);
	return good;
}

/* Writes breakpoints to the alias, and keeps the original bytes. */
static void put_breakpoints(const struct order_text *text, BREAKPOINT_WORD *originals)
{
	const uint32_t *starts = resident_order.starts;
	uint8_t *alias = (uint8_t *)text->alias;

	for (uint32_t i = text->first; i < text->first + text->count; i++) {
		BREAKPOINT_WORD *place = (BREAKPOINT_WORD *)(alias + starts[i]);

		originals[i] = *place;
		*place = BREAKPOINT;
		breakpoint_changed(place);
	}
}

/* The descriptor is closed again: only two mappings of the file stay. */
static bool copy_text(struct order_text *text)
{
	uint64_t length = text->length;
	int file = (int)syscall(SYS_memfd_create, "order", KERNEL_MFD_CLOEXEC);
	void *alias = MAP_FAILED, *place = MAP_FAILED;

	if (file >= 0 && write_text(file, text))
		alias = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (alias != MAP_FAILED) {
		text->alias = (uint64_t)alias;
		put_breakpoints(text, (BREAKPOINT_WORD *)resident_order.originals);
		place = mmap((void *)text->start, length, text->protection,
			     MAP_PRIVATE | (text->start != 0 ? MAP_FIXED : 0), file, 0);
		text->copy = text->start != 0 ? 0 : (uint64_t)place;
	}
	if (file >= 0)
		close(file);
	return place != MAP_FAILED;
}

bool order_prepare(const struct guest *guest, struct error *error)
{
	struct order *order = &resident_order;

	if (guest->options.order == NULL)
		return true;
	for (unsigned i = 0; i < order->text_count; i++) {
		struct order_text *text = &order->texts[i];

		if (!memory_check_file(text->length))
			return error_set(error, EXIT_OURS,
					 "--order copies its text, which is longer than a file may "
					 "be; raise the limit (ulimit -f)");
		if (!copy_text(text))
			return error_set(error, EXIT_OURS,
					 "--order cannot copy its text: %s; allow memfd_create(2) "
					 "and give it memory",
					 strerror(errno));
	}
	if (order->library != 0)
		close(order->library);
	order->process = getpid();
	order->active = true;
	return true;
}
