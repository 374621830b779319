/* stack: the stack that a program finds when it starts. */
#include "stack.h"
#include "say.h"

#include <string.h>
#include <sys/mman.h>

#define STACK_SIZE (8ul << 20)

static size_t length_of(char **list)
{
	size_t length = 0;

	while (list[length] != NULL)
		length++;
	return length;
}

/* The pager's own vector, which the kernel has put after its environment. */
static const Elf64_auxv_t *own_vector(char **envp)
{
	return (const Elf64_auxv_t *)(envp + length_of(envp) + 1);
}

static char *push_string(char *top, const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(top - size, text, size);
}

/* Strings go down from *top; their addresses and a NULL to `pointers`. Returns what is behind. */
static uint64_t *put_strings(uint64_t *pointers, char **top, char **list)
{
	for (; *list != NULL; list++) {
		*top = push_string(*top, *list);
		*pointers++ = (uint64_t)*top;
	}
	*pointers++ = 0;
	return pointers;
}

static uint64_t value_for(const struct program *program, const Elf64_auxv_t *own, const char *name)
{
	switch (own->a_type) {
	case AT_PHDR:
		return program->headers;
	case AT_PHNUM:
		return program->header_count;
	case AT_ENTRY:
		return program->entry;
	case AT_BASE:
		return 0;
	case AT_EXECFN:
		return (uint64_t)name;
	default:
		return own->a_un.a_val;
	}
}

static size_t size_of_strings(char **list)
{
	size_t size = 0;

	for (; *list != NULL; list++)
		size += strlen(*list) + 1;
	return size;
}

void *build_stack(const struct program *program, char **argv, char **envp)
{
	const Elf64_auxv_t *own = own_vector(envp);
	size_t argc = length_of(argv), vector = 1;
	char *base =
	    mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	while (own[vector - 1].a_type != AT_NULL)
		vector++;
	size_t words = 1 + argc + 1 + length_of(envp) + 1 + 2 * vector;
	size_t strings = size_of_strings(argv) + size_of_strings(envp) + strlen(program->path) + 1;

	if (base == MAP_FAILED || strings + words * 8 > STACK_SIZE / 2)
		stop(STATUS_FAILED, program->path, "no memory for the stack");

	char *top = push_string(base + STACK_SIZE, program->path);
	const char *name = top;
	uint64_t *stack = (uint64_t *)((uint64_t)(base + STACK_SIZE - strings - words * 8) & ~15ul);
	uint64_t *next = stack;

	*next++ = argc;
	next = put_strings(next, &top, argv);
	next = put_strings(next, &top, envp);
	for (size_t i = 0; i < vector; i++) {
		*next++ = own[i].a_type;
		*next++ = value_for(program, &own[i], name);
	}
	return stack;
}
