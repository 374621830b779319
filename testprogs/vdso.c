/*
 * vdso: finds __vdso_clock_gettime by hand through AT_SYSINFO_EHDR and calls it, so that a wrong
 * address cannot hide behind the libc's fallback to a system call.
 */
#include "guest.h"

#include <elf.h>
#include <sys/auxv.h>

typedef int clock_function(clockid_t, struct timespec *);

static const Elf64_Phdr *find_segment(const Elf64_Ehdr *header, uint32_t type)
{
	const Elf64_Phdr *segment = (const Elf64_Phdr *)((uintptr_t)header + header->e_phoff);

	for (int i = 0; i < header->e_phnum; i++)
		if (segment[i].p_type == type)
			return &segment[i];
	return NULL;
}

static const void *dynamic_address(const Elf64_Dyn *entry, Elf64_Sxword tag, uintptr_t bias)
{
	for (; entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == tag)
			return (const void *)(bias + entry->d_un.d_ptr);
	return NULL;
}

static clock_function *find_clock_gettime(const Elf64_Ehdr *header)
{
	const Elf64_Phdr *load = find_segment(header, PT_LOAD);
	const Elf64_Phdr *dynamic = find_segment(header, PT_DYNAMIC);

	if (!load || !dynamic)
		return NULL;

	uintptr_t bias = (uintptr_t)header + load->p_offset - load->p_vaddr;
	const Elf64_Dyn *entries = (const Elf64_Dyn *)((uintptr_t)header + dynamic->p_offset);
	const char *names = dynamic_address(entries, DT_STRTAB, bias);
	const Elf64_Sym *symbol = dynamic_address(entries, DT_SYMTAB, bias);

	/* The vDSO's string table follows its symbol table; that is where the symbols end. */
	for (; symbol && names && (const char *)symbol < names; symbol++)
		if (strcmp(names + symbol->st_name, "__vdso_clock_gettime") == 0)
			return (clock_function *)(bias + symbol->st_value);
	return NULL;
}

int main(void)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)getauxval(AT_SYSINFO_EHDR);
	struct timespec by_vdso = {0, 0}, by_libc = {0, 0};

	check("AT_SYSINFO_EHDR present", header != NULL);
	if (!header)
		return 0;

	clock_function *function = find_clock_gettime(header);

	check("__vdso_clock_gettime found", function != NULL);
	if (function)
		check("call gives 0", function(CLOCK_MONOTONIC, &by_vdso) == 0);
	clock_gettime(CLOCK_MONOTONIC, &by_libc);
	check("it agrees with the libc to a minute",
	      by_vdso.tv_sec > 0 && by_libc.tv_sec - by_vdso.tv_sec < 60);
}
