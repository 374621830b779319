/*
 * --library-path.
 *
 * The interpreter reads LD_LIBRARY_PATH from the same table that the program and its C library use
 * as their environment. So the words that differ are exchanged in between. AT_ENTRY of the
 * auxiliary vector names code of the loader, to which the interpreter jumps when the libraries are
 * loaded and initialized. The code writes the program's words, and jumps to the program's entry
 * (entry.S).
 *
 * word        | for the interpreter  | for the program
 * ------------|----------------------|-------------------------------------------
 * envp[i]     | LD_LIBRARY_PATH=LIST | LD_LIBRARY_PATH=... if the user has set it
 * envp[n]     | LD_LIBRARY_PATH=LIST | NULL
 * envp[n + 1] | LD_LIBRARY_PATH=LIST | AT_IGNORE
 * envp[n + 2] | NULL                 | 0
 * AT_ENTRY    | entry_restore_words  | the program's entry
 *
 * AT_IGNORE and the 0 are an entry of the auxiliary vector, which must start directly after the
 * NULL.
 *
 * The code, the table of these words and the string are in memory of their own, which stays mapped.
 */
#include "loader/prepare/library_path.h"

#include "common/memory_map.h"
#include "common/page.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#define VARIABLE "LD_LIBRARY_PATH="

/* The rows that are being written, and the stack whose words they exchange. */
struct writing {
	const struct stack_image *stack;
	uint8_t *bytes;		 /* contents of the stack */
	struct launch_word *row; /* the next row */
	uint64_t string;	 /* address of VARIABLE and the list */
};

/* The place in the written stack for an address of the program's stack. */
static uint64_t *word_of(const struct writing *writing, uint64_t address)
{
	return (uint64_t *)(writing->bytes + (address - writing->stack->stack_pointer));
}

static void add_row(struct writing *writing, uint64_t address, uint64_t for_interpreter)
{
	*writing->row++ =
	    (struct launch_word){(uint64_t *)address, for_interpreter, *word_of(writing, address)};
}

static bool is_variable(const char *string)
{
	return strncmp(string, VARIABLE, strlen(VARIABLE)) == 0;
}

/* Adds the rows of the environment's table, and the last one of the auxiliary vector. */
static void add_rows(struct writing *writing, char **envp, uint64_t code, uint64_t entry)
{
	uint64_t end = writing->stack->auxv - (1 + LIBRARY_PATH_ROOM) * 8;
	uint64_t address = writing->stack->stack_pointer + (writing->stack->argc + 2) * 8;

	*word_of(writing, end + 8) = AT_IGNORE;
	for (; address < end; address += 8, envp++)
		if (is_variable(*envp))
			add_row(writing, address, writing->string);
	add_row(writing, end, writing->string);
	add_row(writing, end + 8, writing->string);
	address = writing->stack->auxv;
	while (*word_of(writing, address) != AT_ENTRY)
		address += sizeof(struct auxv_entry);
	add_row(writing, address + 8, code);
	*writing->row = (struct launch_word){.for_program = entry};
}

static uint64_t rows(char **envp)
{
	uint64_t count = LIBRARY_PATH_ROOM + 2; /* including AT_ENTRY and the last row */

	for (; *envp != NULL; envp++)
		count += is_variable(*envp);
	return count;
}

bool library_path_prepare(const struct guest *guest, struct launch *launch, uint8_t *bytes,
			  struct error *error)
{
	const char *list = guest->options.library_path;
	char **envp = guest->start.envp;
	uint64_t code_bytes = (uint64_t)(entry_restore_words_end - entry_restore_words);
	uint64_t table_bytes = rows(envp) * sizeof(struct launch_word), length;
	struct writing writing = {.stack = launch->stack, .bytes = bytes};
	char *memory;

	if (process_start_auxv(&guest->start, AT_SECURE) != 0)
		return error_set(error, EXIT_OURS,
				 "the loader's file gives it a privilege, so the interpreter would "
				 "ignore --library-path: remove the privilege from the file");
	length = page_ceil(code_bytes + table_bytes + strlen(VARIABLE) + strlen(list) + 1);
	memory = memory_map(length, 0);
	if (memory == NULL)
		return error_no_memory(error, "for --library-path");
	launch->words = (const struct launch_word *)(memory + code_bytes);
	writing.row = (struct launch_word *)(memory + code_bytes);
	writing.string = (uint64_t)memory + code_bytes + table_bytes;
	memcpy(memory, entry_restore_words, code_bytes);
	stpcpy(stpcpy((char *)writing.string, VARIABLE), list);
	add_rows(&writing, envp, (uint64_t)memory, guest->objects[PROGRAM].plan.entry);
	return mprotect(memory, length, PROT_READ | PROT_EXEC) == 0 ||
	       error_set(error, EXIT_OURS,
			 "the instructions for --library-path cannot be made executable: "
			 "%s; " ERROR_NO_EXECUTABLE_MEMORY,
			 strerror(errno));
}
