/*
 * show_stack: what the kernel, or a loader, has put on the stack: each part with its address, from
 * the stack pointer up to the end. Word by word as it lies there, without any help of libc.
 */
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {
    [AT_NULL] = "AT_NULL",	   [AT_PHDR] = "AT_PHDR",
    [AT_PHENT] = "AT_PHENT",	   [AT_PHNUM] = "AT_PHNUM",
    [AT_PAGESZ] = "AT_PAGESZ",	   [AT_BASE] = "AT_BASE",
    [AT_FLAGS] = "AT_FLAGS",	   [AT_ENTRY] = "AT_ENTRY",
    [AT_UID] = "AT_UID",	   [AT_EUID] = "AT_EUID",
    [AT_GID] = "AT_GID",	   [AT_EGID] = "AT_EGID",
    [AT_CLKTCK] = "AT_CLKTCK",	   [AT_PLATFORM] = "AT_PLATFORM",
    [AT_HWCAP] = "AT_HWCAP",	   [AT_SECURE] = "AT_SECURE",
    [AT_RANDOM] = "AT_RANDOM",	   [AT_HWCAP2] = "AT_HWCAP2",
    [27] = "AT_RSEQ_FEATURE_SIZE", [28] = "AT_RSEQ_ALIGN",
    [AT_EXECFN] = "AT_EXECFN",	   [AT_SYSINFO_EHDR] = "AT_SYSINFO_EHDR",
    [51] = "AT_MINSIGSTKSZ",
};

static uintptr_t *show_pointers(uintptr_t *word, const char *name)
{
	for (int i = 0; *word != 0; i++, word++)
		printf("%p  %s[%d] = %#lx\n", (void *)word, name, i, *word);
	printf("%p  NULL\n", (void *)word);
	return word + 1;
}

static void show_strings(const char *first, const char *name, int count)
{
	for (int i = 0; i < count; i++, first += strlen(first) + 1)
		printf("%p  \"%s\", %s[%d]\n", (const void *)first, first, name, i);
}

static int count_of(char **strings)
{
	int count = 0;

	while (strings[count] != NULL)
		count++;
	return count;
}

static void show_auxv(const Elf64_auxv_t *entry)
{
	for (;; entry++) {
		unsigned long type = entry->a_type;
		const char *name = type < sizeof(names) / sizeof(names[0]) ? names[type] : NULL;

		printf("%p  %s = %#lx\n", (const void *)entry, name != NULL ? name : "?",
		       entry->a_un.a_val);
		if (type == AT_NULL)
			return;
	}
}

/* The value of an entry: an address. */
static const char *at(const Elf64_auxv_t *entry, unsigned long type)
{
	while (entry->a_type != type && entry->a_type != AT_NULL)
		entry++;
	return (const char *)entry->a_un.a_val;
}

int main(int argc, char **argv, char **envp)
{
	uintptr_t *word = (uintptr_t *)argv - 1;
	const Elf64_auxv_t *auxv;

	printf("%p  argc = %d\n", (void *)word, argc);
	word = show_pointers(word + 1, "argv");
	auxv = (const Elf64_auxv_t *)show_pointers(word, "envp");
	show_auxv(auxv);
	printf("%p  16 random bytes\n", (const void *)at(auxv, AT_RANDOM));
	printf("%p  \"%s\", the platform\n", (const void *)at(auxv, AT_PLATFORM),
	       at(auxv, AT_PLATFORM));
	show_strings(argv[0], "argv", argc);
	show_strings(envp[0], "envp", count_of(envp));
	printf("%p  \"%s\", the file\n", (const void *)at(auxv, AT_EXECFN), at(auxv, AT_EXECFN));
	printf("%p  eight bytes of zero\n",
	       (const void *)(at(auxv, AT_EXECFN) + strlen(at(auxv, AT_EXECFN)) + 1));
	return 0;
}
