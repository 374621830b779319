/*
 * --order: finds the functions, and writes the file with the order of their first calls.
 * docs/order.md describes the format.
 */
#include "loader/watch/watch.h"

#include "common/memory_map.h"
#include "common/printable.h"
#include "common/report.h"
#include "loader/resident/base/order.h"
#include "loader/watch/order_names.h"
#include "loader/watch/trace_words.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Kept in the loader's own memory: the program can write to resident_order. */
static struct {
	struct elf_functions names;
	uint32_t *first; /* for each function, the index in names.functions of its first name */
	uint32_t count;
	struct order_ranks *shared;
} known;

/* A function that has been called. */
struct called {
	uint32_t rank, function;
};

static void *take(uint64_t count, size_t bytes, int flags)
{
	void *memory = mmap(NULL, page_ceil(count * bytes + 1), PROT_READ | PROT_WRITE,
			    MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);

	return memory != MAP_FAILED ? memory : NULL;
}

/* Adds a text, with the functions that begin in it; `start`: its address in the file. */
static void add_text(struct order_text text, uint64_t start, uint32_t *starts)
{
	struct order *order = &resident_order;
	uint64_t last = UINT64_MAX;

	if (order->text_count == ORDER_TEXTS_MAX || text.length > UINT32_MAX)
		return;
	text.first = known.count;
	for (size_t i = 0; i < known.names.count; i++) {
		uint64_t function = known.names.functions[i].start;

		if (function < start || function >= start + text.length || function == last)
			continue;
		last = function;
		starts[known.count] = (uint32_t)(function - start);
		known.first[known.count++] = (uint32_t)i;
	}
	text.count = known.count - text.first;
	order->texts[order->text_count++] = text;
}

/* Adds the text of the program that stays as it is. */
static void add_program(const struct object *program, uint32_t *starts)
{
	for (unsigned i = 0; i < program->plan.count; i++) {
		const struct plan_mapping *mapping = &program->plan.mappings[i];

		if (mapping->from_file &&
		    (mapping->protection & (PROT_WRITE | PROT_EXEC)) == PROT_EXEC)
			add_text((struct order_text){.start = mapping->address,
						     .end = mapping_end(mapping),
						     .length = mapping->length,
						     .protection = mapping->protection},
				 mapping->address - program->plan.load_bias, starts);
	}
}

/* Adds the text of a library, as ld.so is going to map it: whole pages of the file. */
static void add_library(const struct object *library, uint32_t *starts)
{
	struct stat file = {.st_ino = 0};

	fstat(library->file.descriptor, &file);
	for (unsigned i = 0; i < library->image.phnum; i++) {
		const Elf64_Phdr *segment = &library->image.segments[i];
		uint64_t start = page_floor(segment->p_vaddr);

		if (segment->p_type == PT_LOAD && (segment->p_flags & (PF_W | PF_X)) == PF_X)
			add_text(
			    (struct order_text){
				.device = file.st_dev,
				.inode = file.st_ino,
				.offset = page_floor(segment->p_offset),
				.length = page_ceil(segment->p_vaddr + segment->p_filesz) - start,
				.protection = PROT_READ | PROT_EXEC},
			    start, starts);
	}
}

bool order_read(const struct guest *guest, struct error *error)
{
	const struct object *object = &guest->objects[PROGRAM];
	struct elf_functions *names = &known.names;
	uint32_t *starts;

	if (guest->options.order == NULL)
		return true;
	if (guest->options.order_of != NULL && (object = order_library_open(guest, error)) == NULL)
		return false;
	if (guest->options.order_of == NULL && guest->script != NULL)
		report_warning("is a script: the order is that of its interpreter, %.256s",
			       object->file.path);
	if (!order_names_read(guest, object, names, error))
		return false;
	starts = take(names->count, sizeof(*starts), MAP_PRIVATE);
	known.first = take(names->count, sizeof(*known.first), MAP_PRIVATE);
	known.shared = take(names->count + sizeof(*known.shared), sizeof(uint32_t), MAP_SHARED);
	resident_order.originals = take(names->count, sizeof(BREAKPOINT_WORD), MAP_PRIVATE);
	if (starts == NULL || known.first == NULL || known.shared == NULL ||
	    resident_order.originals == NULL)
		return error_no_memory(error, "for %zu functions", names->count);
	if (guest->options.order_of != NULL)
		add_library(object, starts);
	else
		add_program(object, starts);
	resident_order.starts = starts;
	resident_order.shared = known.shared;
	return known.count > 0 ||
	       error_set(error, EXIT_OURS,
			 "--order finds no function in text that is read-only; link it "
			 "without -N");
}

static int by_rank(const void *left, const void *right)
{
	const struct called *a = left, *b = right;

	return a->rank < b->rank ? -1 : a->rank > b->rank;
}

/* The functions that have been called, in the order of their ranks. NULL if there is no memory. */
static struct called *sort_called(uint32_t *count)
{
	struct called *called = take(known.count, sizeof(*called), MAP_PRIVATE);

	for (uint32_t i = *count = 0; called != NULL && i < known.count; i++) {
		uint32_t rank = __atomic_load_n(&known.shared->ranks[i], __ATOMIC_RELAXED);

		if (rank != 0)
			called[(*count)++] = (struct called){rank, i};
	}
	if (called != NULL)
		qsort(called, *count, sizeof(*called), by_rank);
	return called;
}

/* Writes a line for a function: its address, and all its names. */
static void write_function(uint32_t function, FILE *out)
{
	const struct elf_function *names = known.names.functions,
				  *name = &names[known.first[function]];
	const struct elf_function *end = names + known.names.count;
	uint64_t start = name->start;

	fprintf(out, "%lx\t%lu\t%s\t%s", start, name->size, name->section,
		name->file == NULL || name->file[0] == '\0' ? "-" : name->file);
	for (; name < end && name->start == start; name++)
		fprintf(out, "\t%s", name->name);
	putc('\n', out);
}

/* Why the file does not cover the whole run; NULL: it does. */
static const char *end_words(void)
{
	uint32_t reason = known.shared->ended;

	if (reason != RETIRE_NOT && reason <= RETIRE_FAILURE)
		return retire_words(reason, known.shared->call);
	return known.shared->execs != 0 ? "execve" : NULL;
}

void order_write(const struct guest *guest)
{
	struct output_file output = guest->order;
	const char *build_id = known.names.build_id, *ended = end_words();
	char name[4096];
	uint32_t count;
	const struct called *called = sort_called(&count);

	if (count == 0 && guest->options.order_of != NULL)
		report_warning("has not executed %s after it was loaded: its order is empty",
			       guest->options.order_of);
	if (ended != NULL)
		report_detail("its order ends before: %s", ended);
	output_file_begin(&output);
	if (output.stream != NULL) {
		fprintf(output.stream,
			"page-order\t1\nprogram\t%s\nbuild-id\t%s\nfunctions\t%u\norder\t%u\n",
			printable_line(guest->name, name, sizeof(name)),
			build_id[0] != '\0' ? build_id : "-", known.count, count);
		for (uint32_t i = 0; called != NULL && i < count; i++)
			write_function(called[i].function, output.stream);
		fprintf(output.stream, "end\t%s\n", ended != NULL ? ended : "exit");
	}
	output_file_finish(&output);
}
