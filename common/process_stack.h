/*
 * The stack that a program starts with, as bytes: argc, argv, envp, auxv and what they point to.
 * Pure: built in a buffer, at addresses counted from the top of the real stack; resident code puts
 * it there right before the jump. The environment's strings, most of the stack, are not in the
 * buffer: they lie on the real stack already, and are moved.
 *
 * From high to low (create_elf_tables() in fs/binfmt_elf.c; psABI 3.4.1): eight zero bytes, the
 * path given to execve, the environment's strings, the arguments' strings, a random gap, the
 * platform string, 16 random bytes, and, with the stack pointer on a 16-byte boundary, argc,
 * argv[], NULL, envp[], NULL and the auxiliary vector.
 */
#pragma once

#include "common/arch/bytes.h"

#include <stddef.h>
#include <stdint.h>

struct auxv_entry {
	uint64_t type; /* AT_* */
	uint64_t value;
};

struct stack_range {
	uint64_t start, end; /* addresses; end is exclusive */
};

struct stack_request {
	char **argv; /* NULL-terminated, as are all three */
	char **envp;
	const struct auxv_entry *auxv; /* the loader's, from the kernel; AT_NULL is not included */
	size_t auxv_count;
	const char *path;      /* AT_EXECFN */
	const char *platform;  /* AT_PLATFORM; NULL if the kernel passed none */
	const uint8_t *random; /* 16 bytes for AT_RANDOM, or NULL: zeros */
	uint64_t top;	       /* the end of the stack's mapping, exclusive */
	uint64_t random_gap;   /* bytes between strings and tables, as arch_align_stack() leaves */
	struct stack_range zeros; /* part of the stack that contains only zeros; may be empty */
	uint64_t entry, phdr_address, phnum; /* values of the program */
	uint64_t base; /* AT_BASE: the interpreter's load bias; 0 without one */
	uint64_t room; /* zeroed words after the environment's table; the caller fills them */
};

/*
 * The tables, from the stack pointer to the end of the platform string, and the strings, from
 * arg_start to the top of the stack. Between them is the random gap, all zero.
 */
struct stack_image {
	uint64_t stack_pointer; /* address of argc */
	uint64_t tables_length; /* in bytes */
	uint64_t argc;
	uint64_t random, platform; /* addresses of the 16 random bytes and of the platform string */
	uint64_t arg_start, arg_end, env_start, env_end; /* addresses of the strings */
	uint64_t top;					 /* end of the stack, exclusive */
	uint64_t auxv, auxv_length;			 /* address and length in bytes,
							    including AT_NULL */
	const char *environment;     /* its adjacent strings; NULL: they are not adjacent */
	uint64_t length;	     /* bytes in the buffer */
	struct stack_range clear[2]; /* the parts of the gap that may not be zero */
};

/* Computes the length of the stack, and where its parts are. */
struct stack_image stack_image_measure(const struct stack_request *request);

/*
 * Writes the measured stack into a zeroed buffer: the tables, the arguments, the path, and the
 * environment, unless its strings are adjacent elsewhere. Then image->environment points to them.
 */
void stack_image_write(const struct stack_request *request, struct stack_image *image,
		       uint8_t *bytes);

/*
 * Moves the written stack to its place, and overwrites what is there. Async-signal-safe, for
 * resident code.
 */
static inline void stack_image_place(const struct stack_image *image, const uint8_t *bytes)
{
	const uint8_t *arguments = bytes + image->tables_length;
	const uint8_t *path = arguments + (image->arg_end - image->arg_start);

	bytes_move((uint8_t *)image->env_start, (const uint8_t *)image->environment,
		   image->env_end - image->env_start);
	bytes_copy((void *)image->arg_start, arguments, image->arg_end - image->arg_start);
	bytes_copy((void *)image->env_end, path, image->top - image->env_end);
	for (unsigned i = 0; i < 2; i++)
		bytes_clear((void *)image->clear[i].start,
			    image->clear[i].end - image->clear[i].start);
	bytes_copy((void *)image->stack_pointer, bytes, image->tables_length);
}
