#include "bench/rungs/rung.h"

#include "common/arch/bytes.h"

#include <fcntl.h>
#include <sys/mman.h>

__asm__("	.globl	_start\n"
	"_start:\n"
	"	mov	%rsp, %rdi\n"
	"	call	rung_main\n");

size_t strlen(const char *text); /* common/process_stack.c calls it */

size_t strlen(const char *text)
{
	size_t length = 0;

	while (text[length] != '\0')
		length++;
	return length;
}

_Noreturn void rung_fail(int status)
{
	for (;;)
		raw_syscall1(SYS_exit_group, (uint64_t)status);
}

static void map(uint64_t start, uint64_t end, uint32_t flags, long descriptor, uint64_t offset)
{
	uint64_t protection = ((flags & PF_R) ? PROT_READ : 0u) |
			      ((flags & PF_W) ? PROT_WRITE : 0u) |
			      ((flags & PF_X) ? PROT_EXEC : 0u);
	uint64_t how = MAP_PRIVATE | MAP_FIXED | (descriptor < 0 ? MAP_ANONYMOUS : 0u);

	if (start < end && raw_syscall6(SYS_mmap, start, end - start, protection, how,
					(uint64_t)descriptor, offset) != (long)start)
		rung_fail(126);
}

static void map_segment(const Elf64_Phdr *segment, long descriptor)
{
	uint64_t file_end = segment->p_vaddr + segment->p_filesz;
	uint64_t end = page_ceil(segment->p_vaddr + segment->p_memsz);

	map(page_floor(segment->p_vaddr), page_ceil(file_end), segment->p_flags, descriptor,
	    page_floor(segment->p_offset));
	if (segment->p_memsz == segment->p_filesz)
		return;
	bytes_clear((void *)file_end, page_ceil(file_end) - file_end);
	map(page_ceil(file_end), end, segment->p_flags, -1, 0);
}

void rung_map(const char *path, struct rung_program *program)
{
	program->descriptor = raw_syscall3(SYS_open, (uint64_t)path, O_RDONLY | O_CLOEXEC, 0);
	program->elf = (const Elf64_Ehdr *)program->header;
	if (program->descriptor < 0)
		rung_fail(127);
	if (raw_syscall6(SYS_pread64, (uint64_t)program->descriptor, (uint64_t)program->header,
			 RUNG_HEADER_BYTES, 0, 0, 0) < (long)sizeof(*program->elf) ||
	    program->elf->e_type != ET_EXEC ||
	    program->elf->e_phoff + program->elf->e_phnum * sizeof(Elf64_Phdr) > RUNG_HEADER_BYTES)
		rung_fail(126);
	program->segments = (const Elf64_Phdr *)(program->header + program->elf->e_phoff);
	for (unsigned i = 0; i < program->elf->e_phnum; i++)
		if (program->segments[i].p_type == PT_LOAD) {
			map_segment(&program->segments[i], program->descriptor);
			program->end = program->segments[i].p_vaddr + program->segments[i].p_memsz;
		}
}

uint64_t *rung_auxv(uint64_t *stack, uint64_t type)
{
	uint64_t *word = stack + stack[0] + 2; /* after argv and its NULL */

	while (*word++ != 0)
		;
	while (word[0] != type && word[0] != AT_NULL)
		word += 2;
	return word + 1;
}
