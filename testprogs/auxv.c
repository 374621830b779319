/*
 * auxv: prints each entry of the auxiliary vector on its stack, in order. Values that are the same
 * in every run are printed. Addresses are compared with the real ones instead, so that a native run
 * and a loaded one print the same text.
 */
#include "guest.h"

#include <elf.h>

extern const Elf64_Ehdr __ehdr_start __attribute__((visibility("hidden")));
extern void _start(void);

static const Elf64_auxv_t *find_auxv(char **envp)
{
	while (*envp)
		envp++;
	return (const Elf64_auxv_t *)(envp + 1);
}

static int random_is_readable(const unsigned char *bytes)
{
	int any = 0;

	for (int i = 0; i < 16; i++)
		any |= bytes[i];
	return any != 0;
}

static void print_entry(const Elf64_auxv_t *entry)
{
	const char *text = (const char *)entry->a_un.a_val;
	const uintptr_t headers = (uintptr_t)&__ehdr_start + __ehdr_start.e_phoff;

	switch (entry->a_type) {
	case AT_PHDR:
		check("AT_PHDR is the program header table", entry->a_un.a_val == headers);
		break;
	case AT_ENTRY:
		check("AT_ENTRY is _start", entry->a_un.a_val == (uintptr_t)_start);
		break;
	case AT_BASE:
		check("AT_BASE is 0, or where the interpreter is",
		      text == NULL || memcmp(text, ELFMAG, SELFMAG) == 0);
		break;
	case AT_EXECFN:
		printf("AT_EXECFN \"%s\"\n", text);
		break;
	case AT_PLATFORM:
		printf("AT_PLATFORM \"%s\"\n", text);
		break;
	case AT_RANDOM:
		check("AT_RANDOM is 16 bytes, not all zero",
		      random_is_readable((const unsigned char *)text));
		break;
	case AT_SYSINFO_EHDR:
		check("AT_SYSINFO_EHDR is an ELF header", memcmp(text, ELFMAG, SELFMAG) == 0);
		break;
	default:
		printf("tag %lu value %#lx\n", entry->a_type, entry->a_un.a_val);
	}
}

/* /proc/self/auxv is the kernel's own copy, made at exec and replaced by PR_SET_MM_MAP. */
static int same_as_proc(const Elf64_auxv_t *entry, size_t count)
{
	Elf64_auxv_t copy[64];
	int file = open("/proc/self/auxv", O_RDONLY);
	ssize_t length = read(file, copy, sizeof(copy));

	close(file);
	if (length < (ssize_t)(count * sizeof(*entry)))
		return 0;
	return memcmp(copy, entry, count * sizeof(*entry)) == 0;
}

int main(int argc, char **argv, char **envp)
{
	const Elf64_auxv_t *auxv = find_auxv(envp);
	size_t count = 0;

	while (auxv[count].a_type != AT_NULL)
		print_entry(&auxv[count++]);
	printf("%zu entries\n", count);
	check("AT_NULL has the value 0", auxv[count].a_un.a_val == 0);
	mark();
	check("/proc/self/auxv is the same", same_as_proc(auxv, count + 1));
}
