/* --plan: the load plan as a table. */
#include "loader/watch/watch.h"

#include "common/page.h"
#include "common/report.h"
#include "common/segment_mapper.h"

#include <stdio.h>

static void print_mapping(FILE *out, const struct plan_mapping *mapping)
{
	char source[24] = "zero-filled";

	if (mapping->from_file)
		snprintf(source, sizeof(source), "file 0x%lx", mapping->file_offset);
	fprintf(out, "%#18lx %#18lx %12lu  %s  %-14s %2u  %s\n", mapping->address,
		mapping_end(mapping), mapping->length, protection_text(mapping->protection), source,
		mapping->segment, presence_text(mapping->presence));
	if (mapping->zero_from != 0)
		fprintf(out, "%18s cleared from 0x%lx on\n", "", mapping->zero_from);
}

static void print_mappings(FILE *out, const struct load_plan *plan)
{
	uint64_t total = 0;

	fprintf(out, "%18s %18s %12s  %-3s  %-14s %2s  %s\n", "start", "end", "bytes", "", "from",
		"ph", "pages");
	for (unsigned i = 0; i < plan->count; i++) {
		print_mapping(out, &plan->mappings[i]);
		total += plan->mappings[i].length;
	}
	fprintf(out, "%u mapping%s, %lu bytes, %lu page%s\n", plan->count, plural(plan->count),
		total, total / PAGE_BYTES, plural(total / PAGE_BYTES));
}

static void print_place(FILE *out, const struct object *object)
{
	struct load_span span = load_span_of(&object->image);

	if (object->plan.fixed_address)
		fprintf(out, "load bias      0 (ET_EXEC)\n");
	else
		fprintf(
		    out,
		    "load bias      drawn at load, a multiple of 0x%lx (ET_DYN); shown with 0\n",
		    span.alignment);
	fprintf(out, "entry          0x%lx\n", object->plan.entry);
}

bool plan_print(const struct guest *guest)
{
	const struct load_plan *program = &guest->objects[PROGRAM].plan;
	FILE *out = report_output();

	if (out == NULL)
		return false;
	print_place(out, &guest->objects[PROGRAM]);
	fprintf(out, "AT_PHDR        0x%lx, %u program headers\n", program->phdr_address,
		program->phnum);
	fprintf(out, "stack          %s\n",
		program->executable_stack ? "executable" : "not executable");
	print_mappings(out, program);
	for (unsigned i = INTERPRETER; i < guest->object_count; i++) {
		fprintf(out, "\ninterpreter    %s, where the process begins\n",
			guest->objects[i].file.path);
		print_place(out, &guest->objects[i]);
		print_mappings(out, &guest->objects[i].plan);
	}
	return report_close(out);
}
