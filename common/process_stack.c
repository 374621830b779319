#include "common/process_stack.h"

#include <elf.h>
#include <string.h>

/* The end of every stack (setup_arg_pages: one null pointer). */
#define STACK_END_BYTES 8

struct string_list {
	size_t count; /* number of strings */
	size_t bytes; /* total bytes, including their NULs */
};

/* The image while it is being filled, from low addresses to high. */
struct writer {
	uint8_t *at;
	uint64_t address; /* the address that `at` will have on the stack */
};

static struct string_list measure(char **strings)
{
	struct string_list list = {0, 0};

	for (; strings[list.count] != NULL; list.count++)
		list.bytes += strlen(strings[list.count]) + 1;
	return list;
}

/*
 * Measures the environment as the kernel has laid it out: its strings one after the other, followed
 * by the path given to execve (copy_strings in fs/exec.c). Each string starts where the last one
 * ends, so no search for NULs is needed; that would take longer than reading the program's headers.
 * The result is empty if the strings are not laid out so.
 */
static struct string_list measure_packed(const struct stack_request *request)
{
	char **strings = request->envp;
	const char *end = NULL;
	size_t count = 0;

	for (size_t i = 0; i < request->auxv_count; i++)
		if (request->auxv[i].type == AT_EXECFN)
			end = (const char *)request->auxv[i].value;
	while (strings[count] != NULL)
		count++;
	if (count == 0 || strings[count - 1] + strlen(strings[count - 1]) + 1 != end)
		return (struct string_list){0, 0};
	for (size_t i = 1; i < count; i++)
		if (strings[i] <= strings[i - 1] || strings[i][-1] != '\0')
			return (struct string_list){0, 0};
	return (struct string_list){count, (size_t)(end - strings[0])};
}

static void put_word(struct writer *writer, uint64_t word)
{
	memcpy(writer->at, &word, sizeof(word));
	writer->at += sizeof(word);
	writer->address += sizeof(word);
}

static void put_bytes(struct writer *writer, const void *bytes, size_t length)
{
	memcpy(writer->at, bytes, length);
	writer->at += length;
	writer->address += length;
}

/* Continues at a higher address; the skipped bytes stay zero. */
static void move_to(struct writer *writer, uint64_t address)
{
	writer->at += address - writer->address;
	writer->address = address;
}

/* Writes a list of strings, one after the other, and the table of pointers to them. */
static void put_list(struct writer *table, struct writer *text, char **strings)
{
	for (; *strings != NULL; strings++) {
		put_word(table, text->address);
		put_bytes(text, *strings, strlen(*strings) + 1);
	}
	put_word(table, 0);
}

/*
 * Writes the table of pointers to strings that are adjacent already; the first one is at `address`.
 */
static void put_pointers(struct writer *table, char **strings, uint64_t address)
{
	for (char **string = strings; *string != NULL; string++)
		put_word(table, address + (uint64_t)(*string - strings[0]));
	put_word(table, 0);
}

static size_t platform_bytes(const struct stack_request *request)
{
	return request->platform != NULL ? strlen(request->platform) + 1 : 0;
}

/* Determines where everything will be, from the top of the stack down. */
static struct stack_image lay_out(const struct stack_request *request, struct string_list arguments,
				  struct string_list environment)
{
	struct stack_image image = {.top = request->top, .argc = arguments.count};
	/* argc, two tables with their NULLs; then the vector with its AT_NULL */
	uint64_t words = 1 + arguments.count + 1 + environment.count + 1 + request->room;

	image.auxv_length = sizeof(struct auxv_entry) * (request->auxv_count + 1);
	image.env_end = request->top - STACK_END_BYTES - (strlen(request->path) + 1);
	image.env_start = image.arg_end = image.env_end - environment.bytes;
	image.arg_start = image.arg_end - arguments.bytes;
	image.platform =
	    ((image.arg_start - request->random_gap) & ~UINT64_C(15)) - platform_bytes(request);
	image.random = image.platform - 16;
	image.stack_pointer =
	    ((image.random & ~UINT64_C(7)) - words * 8 - image.auxv_length) & ~UINT64_C(15);
	image.auxv = image.stack_pointer + words * 8;
	image.tables_length = image.platform + platform_bytes(request) - image.stack_pointer;
	return image;
}

/*
 * The value for an entry of the loader's auxiliary vector: the program's value if the entry
 * describes the executable.
 */
static uint64_t auxv_value(const struct stack_request *request, const struct stack_image *image,
			   const struct auxv_entry *entry)
{
	switch (entry->type) {
	case AT_PHDR:
		return request->phdr_address;
	case AT_PHNUM:
		return request->phnum;
	case AT_BASE:
		return request->base;
	case AT_ENTRY:
		return request->entry;
	case AT_EXECFN:
		return image->env_end;
	case AT_PLATFORM:
		return image->platform;
	case AT_RANDOM:
		return image->random;
	default:
		return entry->value;
	}
}

static uint64_t clamp(uint64_t address, uint64_t low, uint64_t high)
{
	return address < low ? low : address > high ? high : address;
}

/* Finds the parts of the gap that may not be zero: its ends, or all of it. */
static void find_unclear(struct stack_image *image, const struct stack_range *zeros)
{
	uint64_t start = image->stack_pointer + image->tables_length, end = image->arg_start;
	uint64_t zeros_start = clamp(zeros->start, start, end);

	image->clear[0] = (struct stack_range){start, zeros_start};
	image->clear[1] = (struct stack_range){clamp(zeros->end, zeros_start, end), end};
}

struct stack_image stack_image_measure(const struct stack_request *request)
{
	struct string_list arguments = measure(request->argv);
	struct string_list packed = measure_packed(request);
	struct string_list environment = packed.count != 0 ? packed : measure(request->envp);
	struct stack_image image = lay_out(request, arguments, environment);

	if (packed.count != 0)
		image.environment = request->envp[0];
	image.length = image.tables_length + arguments.bytes + (image.top - image.env_end) +
		       (packed.count != 0 ? 0 : environment.bytes);
	find_unclear(&image, &request->zeros);
	return image;
}

/* Writes the environment; its first string will be at `address`. */
static void put_environment(struct writer *table, struct stack_image *image, char **strings,
			    uint8_t *bytes)
{
	struct writer text = {bytes, image->env_start};

	if (image->environment != NULL) {
		put_pointers(table, strings, image->env_start);
		return;
	}
	image->environment = (const char *)bytes;
	put_list(table, &text, strings);
}

void stack_image_write(const struct stack_request *request, struct stack_image *image,
		       uint8_t *bytes)
{
	uint64_t path_length = image->top - image->env_end;
	struct writer table = {bytes, image->stack_pointer};
	struct writer text = {bytes + image->tables_length, image->arg_start};

	put_word(&table, image->argc);
	put_list(&table, &text, request->argv);
	put_environment(&table, image, request->envp, text.at + path_length);
	put_bytes(&text, request->path, strlen(request->path) + 1);
	move_to(&table, image->auxv);
	for (size_t i = 0; i < request->auxv_count; i++) {
		put_word(&table, request->auxv[i].type);
		put_word(&table, auxv_value(request, image, &request->auxv[i]));
	}
	put_word(&table, AT_NULL);
	put_word(&table, 0);

	move_to(&table, image->random);
	if (request->random != NULL)
		put_bytes(&table, request->random, 16);
	if (request->platform != NULL)
		put_bytes(&table, request->platform, platform_bytes(request));
}
