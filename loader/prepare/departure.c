/*
 * Prepares the departure: the program's stack and identity, and which parts of the loader are
 * unmapped.
 */
#include "loader/prepare/prepare.h"

#include "common/arch/bytes.h"
#include "common/host_heap.h"
#include "common/kernel_abi.h"
#include "common/memory_map.h"
#include "common/page.h"
#include "common/printable.h"
#include "common/process_stack.h"
#include "common/report.h"
#include "loader/prepare/departure_stub.h"
#include "loader/prepare/library_path.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Bytes below this function's frame that the loader's own stack may have used, with a margin. */
#define STACK_USED_BYTES (64 * 1024)

static const uint8_t *needed_end(const struct guest *guest)
{
	if (guest->is_traced || guest->options.order != NULL || guest->options.verify ||
	    guest->options.pause)
		return resident_area_end;
	return guest->hides_pages ? resident_guard_end : resident_launch_end;
}

/*
 * Maps the code from a file in memory, which is executable from the start. Used if memory must not
 * become executable later.
 */
static bool map_executable(uint64_t length)
{
	int file = (int)syscall(SYS_memfd_create, "resident", KERNEL_MFD_CLOEXEC);
	bool mapped = file >= 0 && write(file, resident_image, length) == (ssize_t)length &&
		      mmap(resident_area_text, length, PROT_READ | PROT_EXEC,
			   MAP_PRIVATE | MAP_FIXED, file, 0) != MAP_FAILED;

	if (file >= 0)
		close(file);
	return mapped;
}

static bool fill(const struct guest *guest, uint64_t length)
{
	if (guest->start.denies_gain) {
		errno = EFBIG;
		return memory_check_file(length) && map_executable(length);
	}
	/*
	 * Populating many pages costs less in one call than by one fault each; for a few pages it
	 * does not.
	 */
	if (length > PAGE_BYTES)
		madvise(resident_area_text, length, KERNEL_MADV_POPULATE_WRITE);
	memcpy(resident_area_text, resident_image, length);
	return mprotect(resident_area_text, (size_t)(resident_area_end - resident_area_text),
			PROT_READ | PROT_EXEC) == 0;
}

/*
 * Copies resident code to memory that does not belong to the loader's file. As long as any part of
 * an executable file is mapped, the kernel keeps it as /proc/self/exe.
 */
bool departure_fill_area(const struct guest *guest, struct launch *launch, struct error *error)
{
	uint64_t length = page_ceil((uint64_t)needed_end(guest)) - (uint64_t)resident_area_text;

	launch->left_out = resident_image + length;
	launch->left_out_to = (uint64_t)resident_area_text + length;
	launch->area = (struct address_range){(uint64_t)resident_area, (uint64_t)resident_area_end};

	if (!fill(guest, length))
		return error_set(error, EXIT_OURS,
				 "resident code cannot be made executable: %s; %s", strerror(errno),
				 errno == EFBIG ? error_file_remedy(errno)
						: ERROR_NO_EXECUTABLE_MEMORY);
	return true;
}

static void unmap_later(struct launch *launch, uint64_t start, uint64_t end)
{
	if (start < end)
		launch->unmap[launch->range_count++] = (struct address_range){start, end};
}

/*
 * Allocates a zeroed buffer for the contents of the program's stack. Its place is still in use as
 * the loader's own stack.
 */
static uint8_t *stack_buffer(struct launch *launch, uint64_t length, struct error *error)
{
	uint8_t *bytes = calloc(1, length);

	if (bytes != NULL)
		return bytes;
	bytes = memory_map(length, 0);
	if (bytes == NULL) {
		error_no_memory(error, "for a stack of %lu bytes", length);
		return NULL;
	}
	unmap_later(launch, (uint64_t)bytes, (uint64_t)bytes + page_ceil(length));
	return bytes;
}

static bool prepare_stack(const struct guest *guest, struct launch *launch, struct error *error)
{
	static struct stack_image image; /* static: the launch reads it when this stack is gone */
	const struct load_plan *plan = &guest->objects[PROGRAM].plan;
	struct stack_request request = {
	    .argv = guest->options.program,
	    .envp = guest->start.envp,
	    .auxv = guest->start.auxv,
	    .auxv_count = guest->start.auxv_count,
	    .path = guest->path,
	    .platform = (const char *)process_start_auxv(&guest->start, AT_PLATFORM),
	    .random = (const uint8_t *)process_start_auxv(&guest->start, AT_RANDOM),
	    .top = guest->start.stack_top,
	    .random_gap = (guest->start.gap.end - guest->start.gap.start) & ~UINT64_C(15),
	    .zeros = guest->start.gap,
	    .entry = plan->entry,
	    .phdr_address = plan->phdr_address,
	    .phnum = plan->phnum,
	    .base = guest_has_interpreter(guest) ? guest->objects[INTERPRETER].plan.load_bias : 0,
	    .room = guest->options.library_path != NULL ? LIBRARY_PATH_ROOM : 0,
	};
	uint8_t *bytes;

	image = stack_image_measure(&request);
	bytes = stack_buffer(launch, image.length, error);
	if (bytes == NULL)
		return false;
	stack_image_write(&request, &image, bytes);
	launch->stack = &image;
	launch->stack_pointer = image.stack_pointer;
	launch->stack_bytes = bytes;
	return guest->options.library_path == NULL ||
	       library_path_prepare(guest, launch, bytes, error);
}

/*
 * Makes the whole stack executable for a PT_GNU_STACK with PF_X, as the kernel does
 * (setup_arg_pages).
 */
static bool protect_stack(const struct guest *guest, struct error *error)
{
	void *page = (void *)page_floor((uint64_t)__builtin_frame_address(0));

	if (guest->objects[PROGRAM].plan.executable_stack &&
	    mprotect(page, guest->start.stack_top - (uint64_t)page,
		     PROT_READ | PROT_WRITE | PROT_EXEC | PROT_GROWSDOWN) != 0)
		return error_set(error, EXIT_NOT_LOADABLE,
				 "wants an executable stack: %s; link it with -z noexecstack",
				 strerror(errno));
	return true;
}

/*
 * The program's signal mask. SIGSEGV is removed from it if the pager needs the signal: a blocked
 * SIGSEGV would kill the program.
 */
static uint64_t program_signal_mask(const struct guest *guest, bool can_intercept)
{
	uint64_t mask = guest->start.signal_mask;

	if (guest->hides_pages && !can_intercept && (mask & KERNEL_SIGNAL_BIT(SIGSEGV)) != 0) {
		report_detail("SIGSEGV was blocked; the program starts with it unblocked");
		mask &= ~KERNEL_SIGNAL_BIT(SIGSEGV);
	}
	return mask;
}

/*
 * Writes `LOADER: PROGRAM: `. snprintf is not used, because it would bring in two pages of the C
 * library.
 */
static void name_messages(const struct guest *guest, struct launch *launch)
{
	const char *parts[] = {guest->strategy->name, ": ", guest->name, ": "};
	uint64_t length = 0;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		length = bytes_append(launch->name, length, sizeof(launch->name) - 1, parts[i]);
	printable_make(launch->name, length);
}

bool departure_prepare(const struct guest *guest, bool can_intercept, struct launch *launch,
		       struct error *error)
{
	const struct object *program = &guest->objects[PROGRAM];
	uint64_t heap_start, heap_end;

	if (!protect_stack(guest, error) || !prepare_stack(guest, launch, error))
		return false;
	host_heap_extension(&heap_start, &heap_end);
	unmap_later(launch, heap_start, heap_end);
	launch->file = (struct address_range){guest->start.image, (uint64_t)resident_area};
	unmap_later(launch, (uint64_t)resident_area_end, guest->start.image_end);
	launch->loader = (struct address_range){guest->start.image, guest->start.image_end};
	launch->entry = guest_entry(guest);
	launch->stack_used = page_floor((uint64_t)__builtin_frame_address(0)) - STACK_USED_BYTES;
	launch->identity = program_mm_map(
	    &program->plan, launch->stack,
	    program_brk(&guest->start, &program->plan, guest_has_interpreter(guest)));
	launch->identity.exe_fd = (uint32_t)program->file.descriptor;
	launch->executable = program->file.descriptor;
	launch->executable_stays = program->file.locked;
	launch->asks_child = !guest->changes_executable && !guest->start.under_valgrind;
	launch->has_interpreter = guest_has_interpreter(guest);
	launch->heap =
	    (struct address_range){guest->start.brk_start, page_ceil(guest->start.brk_end)};
	launch->signal_mask = program_signal_mask(guest, can_intercept);
	launch->verbose = guest->options.verbose;
	launch->pauses = guest->options.pause;
	if (launch->verbose || launch->pauses || guest->needs_guard)
		name_messages(guest, launch);
	/*
	 * If gaining execution is denied, the program's text could not be made executable again
	 * after the stub is written.
	 */
	return !guest->strategy->leaves_nothing || guest->start.denies_gain ||
	       departure_stub_prepare(guest, launch, error);
}
