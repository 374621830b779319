#include "loader/prepare/rewrite_prepare.h"

#if ARCH_REWRITES

#include "common/kernel_abi.h"
#include "common/memory_map.h"
#include "common/page.h"
#include "loader/prepare/room.h"
#include "loader/resident/arch/frame.h"
#include "loader/resident/pager/rewrite.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

/* A file with more sections is treated as if it had none. */
#define SECTIONS_MAX 64

/* Bytes of an instruction. */
#define INSTRUCTION_BYTES UINT64_C(4)

/* What the kernel has to permit: to change a page of the program's text, and to execute it then. */
static bool test_text(const struct guest *guest, const struct plan_mapping *mapping)
{
	int descriptor = guest->objects[PROGRAM].file.descriptor;
	volatile uint8_t *page = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_EXEC, MAP_PRIVATE,
				      descriptor, (off_t)mapping->file_offset);
	void *place = (void *)page;
	int saved;

	if (place == MAP_FAILED)
		return false;
	errno = 0;
	if (madvise(place, PAGE_BYTES, KERNEL_MADV_POPULATE_READ) == 0 &&
	    mprotect(place, PAGE_BYTES, PROT_READ | PROT_WRITE) == 0) {
		*page = *page;
		mprotect(place, PAGE_BYTES, PROT_READ | PROT_EXEC);
	}
	saved = errno;
	munmap(place, PAGE_BYTES);
	errno = saved;
	return errno == 0;
}

/*
 * The mapping of the vDSO: the whole file, at whose end the section headers are. Empty if there is
 * none.
 */
static struct rewrite_text find_vdso(const struct guest *guest)
{
	uint64_t place = process_start_auxv(&guest->start, AT_SYSINFO_EHDR);
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)place;

	if (place == 0)
		return (struct rewrite_text){.start = 0};
	return (struct rewrite_text){
	    .start = place,
	    .end = page_ceil(place + header->e_shoff + header->e_shnum * sizeof(Elf64_Shdr)),
	    .protection = PROT_READ | PROT_EXEC};
}

void rewrite_find_return(const struct guest *guest)
{
	struct rewrite_text vdso = find_vdso(guest);
	const uint32_t *code = (const uint32_t *)vdso.start;

	for (; code + 1 < (const uint32_t *)vdso.end; code++)
		if (code[0] == CALL_RETURN_NUMBER && code[1] == CALL_INSTRUCTION)
			resident_launch_return = (uint64_t)code;
}

/*
 * Kernels can seal the vDSO (CONFIG_MSEAL_SYSTEM_MAPPINGS). None changes the protection of a part
 * of it (special_mapping_split).
 */
static bool test_vdso(const struct guest *guest)
{
	struct rewrite_text vdso = find_vdso(guest);
	void *start = (void *)vdso.start;
	uint64_t length = vdso.end - vdso.start;

	return length == 0 || (mprotect(start, length, PROT_READ | PROT_WRITE) == 0 &&
			       mprotect(start, length, vdso.protection) == 0);
}

/* What keeps some of the program's calls from being rewritten; NULL: nothing does. */
static const char *obstacle_of(const struct guest *guest)
{
	const struct load_plan *plan = &guest->objects[PROGRAM].plan;
	unsigned texts = 0;

	if (madvise(NULL, 0, KERNEL_MADV_POPULATE_READ) != 0)
		return "that takes Linux 5.14";
	if (plan->executable_stack)
		return "its stack is executable";
	if (guest->start.denies_gain)
		return "memory may not become executable (PR_SET_MDWE)";
	if (options_place(&guest->options))
		return "its pages are placed";
	if (plan->count > PAGER_REGIONS_MAX)
		return "it has too many segments";
	for (unsigned i = 0; i < plan->count; i++) {
		const struct plan_mapping *mapping = &plan->mappings[i];

		if ((mapping->protection & PROT_EXEC) == 0)
			continue;
		if ((mapping->protection & PROT_WRITE) != 0)
			return "it has memory that is writable and executable";
		if (++texts == REWRITE_TEXTS_MAX)
			return "it has too many executable segments";
		if (!test_text(guest, mapping))
			return "its text cannot be changed";
	}
	return test_vdso(guest) ? NULL : "the vDSO cannot be changed";
}

bool rewrite_is_possible(const struct guest *guest, struct error *error)
{
	const char *obstacle;

	if (guest_has_interpreter(guest))
		return error_set(error, EXIT_OURS, "%s", REWRITE_NEEDS_STATIC);
	obstacle = obstacle_of(guest);
	return obstacle == NULL ||
	       error_set(error, EXIT_OURS,
			 "system calls cannot be intercepted on " MACHINE_NAME ": %s", obstacle);
}

/* Reads the file's section headers. Returns their number; 0: there are none, or too many. */
static unsigned read_sections(int descriptor, Elf64_Shdr *sections)
{
	Elf64_Ehdr header;
	size_t bytes;

	if (pread(descriptor, &header, sizeof(header), 0) != sizeof(header) ||
	    header.e_shentsize != sizeof(*sections) || header.e_shnum > SECTIONS_MAX)
		return 0;
	bytes = header.e_shnum * sizeof(*sections);
	return pread(descriptor, sections, bytes, (off_t)header.e_shoff) == (ssize_t)bytes
		   ? header.e_shnum
		   : 0;
}

/*
 * The part of a mapping with instructions. Linkers put constants into the same segment, so the
 * file's sections are believed if the program begins in one of them.
 */
static struct rewrite_text find_text(const struct plan_mapping *mapping,
				     const struct load_plan *plan, const Elf64_Shdr *sections,
				     unsigned count)
{
	struct rewrite_text all = {.start = mapping->address,
				   .end = mapping_end(mapping),
				   .protection = mapping->protection};
	struct rewrite_text text = {all.end, all.start, all.protection, true, NULL};

	for (unsigned i = 0; i < count; i++) {
		uint64_t start = plan->load_bias + sections[i].sh_addr;
		uint64_t end = start + sections[i].sh_size;

		if ((sections[i].sh_flags & SHF_EXECINSTR) == 0 || start < all.start ||
		    end > all.end || end <= start)
			continue;
		text.start = lower(text.start, start & ~(INSTRUCTION_BYTES - 1));
		text.end = higher(text.end, end);
	}
	return plan->entry >= text.start && plan->entry < text.end ? text : all;
}

static bool add_text(struct rewrite *rewrite, struct rewrite_text text, struct error *error)
{
	uint64_t bits = (text.end - text.start) / INSTRUCTION_BYTES;

	text.rewritten = memory_map(bits / 8 + sizeof(uint64_t), MAP_NORESERVE);
	rewrite->texts[rewrite->count++] = text;
	return text.rewritten != NULL || error_no_memory(error, "for the records of its text");
}

bool rewrite_prepare(const struct guest *guest, struct error *error)
{
	const struct object *program = &guest->objects[PROGRAM];
	Elf64_Shdr sections[SECTIONS_MAX];
	unsigned count = read_sections(program->file.descriptor, sections);
	struct rewrite *rewrite = room_take(sizeof(*rewrite));
	void *page = memory_map(PAGE_BYTES, 0);

	if (rewrite == NULL || page == NULL)
		return error_no_memory(error, "to intercept system calls");
	rewrite->return_page = (uint64_t)page;
	for (unsigned i = 0; i < program->plan.count; i++) {
		const struct plan_mapping *mapping = &program->plan.mappings[i];

		if ((mapping->protection & PROT_EXEC) != 0 &&
		    !add_text(rewrite, find_text(mapping, &program->plan, sections, count), error))
			return false;
	}
	resident_launch_rewrite = rewrite;
	return add_text(rewrite, find_vdso(guest), error);
}
#endif
