/*
 * What the ELF parser, the checks and the load plan make of any bytes at all, for libFuzzer (make
 * fuzz). A file that is accepted must have been read as it is, and its plan must keep what
 * load_plan.h promises; a file that is not must be refused with one sentence. The input is the
 * file; its last eight bytes also choose where a position-independent program goes.
 */
#include "common/elf_image.h"
#include "common/load_plan.h"
#include "common/page.h"
#include "tests/fuzz/fuzz.h"

#include <elf.h>
#include <sys/mman.h>
#include <sys/types.h>

#define DESCRIPTOR 1000 /* of the file that there is only in here */

static struct {
	const uint8_t *bytes;
	uint64_t length;
	uint64_t choice; /* the last eight bytes: decides what the file does not */
} file;

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
ssize_t __wrap_pread(int descriptor, void *buffer, size_t length, off_t offset);

/* The linker puts this in the place of pread(2): no system call, and short reads. */
ssize_t __wrap_pread(int descriptor, void *buffer, size_t length, off_t offset)
{
	uint64_t start = (uint64_t)offset;

	check(descriptor == DESCRIPTOR && offset >= 0 && length > 0);
	if (start >= file.length)
		return 0;
	if (length > file.length - start)
		length = file.length - start;
	if (length > 100 && (file.choice & 2))
		length = 100;
	memcpy(buffer, file.bytes + start, length);
	return (ssize_t)length;
}

/* Bytes of the file, all of which must be there. */
static void take(void *to, uint64_t offset, size_t length)
{
	check(offset <= file.length && length <= file.length - offset);
	memcpy(to, file.bytes + offset, length);
}

/* Its path was read, with the NUL at its end. */
static void check_interpreter(const char *interpreter, const Elf64_Phdr *phdr)
{
	char path[4096] = "";

	check(phdr->p_filesz >= 2 && phdr->p_filesz <= sizeof(path));
	take(path, phdr->p_offset, phdr->p_filesz);
	check(path[phdr->p_filesz - 1] == '\0');
	check(strcmp(path, interpreter) == 0);
}

/* Compares what was read with the bytes of the file. */
static void check_image(const struct elf_image *image)
{
	Elf64_Ehdr ehdr;
	bool interpreted = false;

	take(&ehdr, 0, sizeof(ehdr));
	check(memcmp(ehdr.e_ident, ELFMAG, SELFMAG) == 0 && ehdr.e_machine == EM_X86_64);
	check(image->type == ehdr.e_type && (ehdr.e_type == ET_EXEC || ehdr.e_type == ET_DYN));
	check(image->entry == ehdr.e_entry);
	check(image->phoff == ehdr.e_phoff);
	check(image->file_size == file.length);
	check(image->phnum == ehdr.e_phnum && image->phnum > 0);
	check(image->phnum <= ELF_HEADERS_MAX && ehdr.e_phentsize == sizeof(Elf64_Phdr));
	for (unsigned i = 0; i < image->phnum; i++) {
		const Elf64_Phdr *segment = &image->segments[i];
		Elf64_Phdr phdr;

		take(&phdr, ehdr.e_phoff + i * sizeof(phdr), sizeof(phdr));
		check(segment->p_type == phdr.p_type && segment->p_flags == phdr.p_flags);
		check(segment->p_offset == phdr.p_offset && segment->p_vaddr == phdr.p_vaddr);
		check(segment->p_filesz == phdr.p_filesz && segment->p_memsz == phdr.p_memsz);
		check(segment->p_align == phdr.p_align);
		if (phdr.p_type == PT_INTERP && !interpreted) {
			check(image->interpreter != NULL);
			check_interpreter(image->interpreter, &phdr);
			interpreted = true;
		}
	}
	check(interpreted || image->interpreter == NULL);
}

/* Where the program goes: anywhere in user addresses, as the kernel might place it. */
static uint64_t choose_bias(const struct elf_image *image, const struct load_span *span)
{
	check(page_offset(span->start) == 0 && page_offset(span->length) == 0);
	check(span->length <= USER_ADDRESS_END && span->start <= USER_ADDRESS_END - span->length);
	check(span->alignment >= PAGE_BYTES && (span->alignment & (span->alignment - 1)) == 0);
	if (image->type == ET_EXEC)
		return 0;
	return page_floor(file.choice % (USER_ADDRESS_END - span->length + 1)) - span->start;
}

/* The program header that owns a page: the last one that contains it, or -1. */
static int owner_of(const struct elf_image *image, uint64_t page)
{
	for (int i = image->phnum - 1; i >= 0; i--) {
		const Elf64_Phdr *segment = &image->segments[i];

		if (segment->p_type == PT_LOAD && segment->p_memsz > 0 &&
		    page >= page_floor(segment->p_vaddr) &&
		    page < page_ceil(segment->p_vaddr + segment->p_memsz))
			return i;
	}
	return -1;
}

static void check_owner(const struct elf_image *image, const struct load_plan *plan, uint64_t page)
{
	const struct plan_mapping *mapping = load_plan_find(plan, page + plan->load_bias);
	int owner = owner_of(image, page);

	check((mapping == NULL ? -1 : (int)mapping->segment) == owner);
	if (mapping == NULL)
		return;
	check(mapping->address - plan->load_bias <= page);
	check(mapping->from_file ==
	      (image->segments[owner].p_filesz > 0 &&
	       page < page_ceil(image->segments[owner].p_vaddr + image->segments[owner].p_filesz)));
}

/* Pages on both sides of every edge of a segment: a plan can go wrong nowhere else. */
static void check_owners(const struct elf_image *image, const struct load_plan *plan)
{
	for (unsigned i = 0; i < image->phnum; i++) {
		const Elf64_Phdr *segment = &image->segments[i];
		uint64_t edges[] = {
		    page_floor(segment->p_vaddr),
		    page_ceil(segment->p_vaddr + segment->p_filesz),
		    page_ceil(segment->p_vaddr + segment->p_memsz),
		};

		if (segment->p_type != PT_LOAD)
			continue;
		for (unsigned j = 0; j < sizeof(edges) / sizeof(edges[0]); j++) {
			check_owner(image, plan, edges[j]);
			if (edges[j] >= PAGE_BYTES)
				check_owner(image, plan, edges[j] - PAGE_BYTES);
		}
	}
}

static void check_tail(const struct load_plan *plan, const struct plan_mapping *mapping,
		       const Elf64_Phdr *segment)
{
	uint64_t end = mapping->address + mapping->length;

	if (mapping->zero_from == 0)
		return;
	check(mapping->from_file && (mapping->protection & PROT_WRITE));
	check(mapping->zero_from == segment->p_vaddr + segment->p_filesz + plan->load_bias);
	check(mapping->zero_from > end - PAGE_BYTES && mapping->zero_from < end);
	/* The page is in the file: otherwise clearing it raises SIGBUS in the loader. */
	check(mapping->file_offset + mapping->length - PAGE_BYTES < file.length);
}

static void check_mapping(const struct elf_image *image, const struct load_plan *plan,
			  const struct plan_mapping *mapping)
{
	const Elf64_Phdr *segment = &image->segments[mapping->segment];
	uint64_t address = page_floor(segment->p_vaddr + plan->load_bias), end;

	check(mapping->segment < image->phnum && segment->p_type == PT_LOAD);
	check(((mapping->protection & PROT_EXEC) != 0) == ((segment->p_flags & PF_X) != 0));
	check(mapping->presence == PRESENCE_NATIVE);
	if (mapping->from_file) {
		check(segment->p_filesz > 0);
		/*
		 * A segment may begin after the file's end, as in a native run. An access raises
		 * SIGBUS then.
		 */
		check(checked_add(mapping->file_offset, mapping->length, &end));
		check(mapping->file_offset - page_floor(segment->p_offset) ==
		      mapping->address - address);
	} else {
		check(segment->p_memsz > segment->p_filesz && mapping->file_offset == 0);
		check((mapping->protection & (PROT_READ | PROT_WRITE)) == (PROT_READ | PROT_WRITE));
	}
	check_tail(plan, mapping, segment);
}

static void check_plan(const struct elf_image *image, const struct load_plan *plan,
		       const struct load_span *span)
{
	uint64_t lowest = span->start + plan->load_bias, end;

	check(plan->count <= plan->capacity && plan->phnum == image->phnum);
	check(plan->fixed_address == (image->type == ET_EXEC));
	check(plan->entry == image->entry + plan->load_bias);
	check(page_offset(plan->load_bias) == 0);
	for (unsigned i = 0; i < plan->count; i++) {
		const struct plan_mapping *mapping = &plan->mappings[i];

		check(mapping->length > 0);
		check(page_offset(mapping->address | mapping->length | mapping->file_offset) == 0);
		check(mapping->address >= lowest);
		check(checked_add(mapping->address, mapping->length, &end));
		check(end <= span->start + span->length + plan->load_bias &&
		      end <= USER_ADDRESS_END);
		check_mapping(image, plan, mapping);
		lowest = end; /* of what comes next: sorted, and no overlap */
	}
	check_owners(image, plan);
}

static void make_plan(const struct elf_image *image)
{
	struct load_span span = load_span_of(image);
	struct load_plan plan;
	struct error error;

	check(load_plan_make(image, choose_bias(image, &span), &plan, &error));
	check_plan(image, &plan, &span);
	free(plan.mappings);
}

/*
 * Every second change turns a program header into a segment of a few pages around the entry point.
 * Changes of single bytes would hardly ever make segments overlap.
 */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	Elf64_Phdr phdr = {.p_type = PT_LOAD};
	Elf64_Ehdr ehdr = {0};
	uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15), at;

	if (size >= sizeof(ehdr))
		memcpy(&ehdr, data, sizeof(ehdr));
	at = ehdr.e_phoff + random % (ehdr.e_phnum | 1) * sizeof(phdr);
	if (random >> 63 || ehdr.e_phoff > size || at + sizeof(phdr) > size)
		return LLVMFuzzerMutate(data, size, most);
	phdr.p_flags = (random >> 10) % 8;
	phdr.p_vaddr = page_floor(ehdr.e_entry) + (random >> 13) % (6 * PAGE_BYTES);
	phdr.p_offset = page_offset(phdr.p_vaddr);
	phdr.p_filesz = (random >> 30) % (3 * PAGE_BYTES);
	phdr.p_memsz = phdr.p_filesz + (random >> 45) % (2 * PAGE_BYTES);
	memcpy(data + at, &phdr, sizeof(phdr));
	return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct elf_image image = {0};
	struct error error = {0};

	file.bytes = data;
	file.length = size;
	file.choice = 0;
	if (size >= sizeof(file.choice))
		memcpy(&file.choice, data + size - sizeof(file.choice), sizeof(file.choice));
	if (!elf_image_read(DESCRIPTOR, size, &image, &error) ||
	    !elf_interpreter_read(DESCRIPTOR, &image, &error)) {
		check_sentence(&error, EXIT_NOT_LOADABLE);
	} else {
		check_image(&image);
		if (elf_check(&image, &error))
			make_plan(&image);
		else
			check_sentence(&error, EXIT_NOT_LOADABLE);
	}
	/* A loader leaves these where they are, also after a refusal. */
	free(image.segments);
	free((char *)image.interpreter);
	return 0;
}
