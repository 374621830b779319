/*
 * memory_areas: compares the program's boundaries in /proc/self/stat with its own symbols.
 * Addresses are random, so only relations are printed.
 *
 * No mark: everything that it tests is in /proc.
 */
#include "guest.h"

#include <elf.h>
#include <sys/auxv.h>

/* Field numbers as in proc(5). */
enum {
	START_CODE = 26,
	END_CODE = 27,
	START_STACK = 28,
	START_DATA = 45,
	END_DATA = 46,
	START_BRK = 47,
	ARG_START = 48,
	ARG_END = 49,
	ENV_START = 50,
	ENV_END = 51,
	FIELDS = 53
};

struct extent {
	uintptr_t start_code, end_code, start_data, end_data, end;
};

extern const Elf64_Ehdr __ehdr_start __attribute__((visibility("hidden")));

static void read_stat(uint64_t field[FIELDS])
{
	char text[4096];
	int file = open("/proc/self/stat", O_RDONLY);
	ssize_t length = read(file, text, sizeof(text) - 1);

	close(file);
	text[length < 0 ? 0 : length] = '\0';

	/* The name in parentheses may contain spaces; the third field follows its end. */
	char *place = strrchr(text, ')') + 4;

	for (int i = 4; i < FIELDS; i++)
		field[i] = strtoull(place, &place, 10);
}

/* The kernel's rules (load_elf_binary): lowest and highest of all PT_LOAD, code those with PF_X. */
static struct extent own_extent(void)
{
	const Elf64_Phdr *segment = (const Elf64_Phdr *)getauxval(AT_PHDR);
	struct extent own = {UINTPTR_MAX, 0, 0, 0, 0};
	uintptr_t bias = __ehdr_start.e_type == ET_DYN ? (uintptr_t)&__ehdr_start : 0;

	for (size_t i = 0; i < getauxval(AT_PHNUM); i++) {
		uintptr_t start = bias + segment[i].p_vaddr;

		if (segment[i].p_type != PT_LOAD)
			continue;
		if ((segment[i].p_flags & PF_X) && start < own.start_code)
			own.start_code = start;
		if ((segment[i].p_flags & PF_X) && start + segment[i].p_filesz > own.end_code)
			own.end_code = start + segment[i].p_filesz;
		if (start > own.start_data)
			own.start_data = start;
		if (start + segment[i].p_filesz > own.end_data)
			own.end_data = start + segment[i].p_filesz;
		if (start + segment[i].p_memsz > own.end)
			own.end = start + segment[i].p_memsz;
	}
	return own;
}

static void check_strings(const uint64_t field[FIELDS], int argc, char **argv, char **envp)
{
	char *last = argv[argc - 1];

	check("startstack is where argc is", field[START_STACK] == (uintptr_t)(argv - 1));
	check("arg_start is argv[0]", field[ARG_START] == (uintptr_t)argv[0]);
	check("arg_end is after the last argument",
	      field[ARG_END] == (uintptr_t)last + strlen(last) + 1);
	check("env_start is arg_end", field[ENV_START] == field[ARG_END]);
	if (envp[0])
		check("env_start is envp[0]", field[ENV_START] == (uintptr_t)envp[0]);
	check("env_end is the file name", field[ENV_END] == getauxval(AT_EXECFN));
}

int main(int argc, char **argv, char **envp)
{
	uint64_t field[FIELDS] = {0};
	struct extent own = own_extent();

	read_stat(field);
	check("startcode is the start of the text segment", field[START_CODE] == own.start_code);
	check("endcode is its end", field[END_CODE] == own.end_code);
	check("start_data is the start of the last segment", field[START_DATA] == own.start_data);
	check("end_data is the end of its initialized part", field[END_DATA] == own.end_data);
	check("start_brk is a multiple of the page size", field[START_BRK] % 4096 == 0);
	check("start_brk is after .bss", field[START_BRK] >= own.end);
	check_strings(field, argc, argv, envp);
}
