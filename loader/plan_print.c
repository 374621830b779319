/* --plan: the load plan as a table. */
#include "loader/plan_print.h"

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
		mapping->address + mapping->length, mapping->length,
		protection_text(mapping->protection), source, mapping->segment,
		presence_text(mapping->presence));
	if (mapping->zero_from != 0)
		fprintf(out, "%18s cleared from 0x%lx on\n", "", mapping->zero_from);
}

bool plan_print(const struct load_plan *plan, const struct load_span *span)
{
	FILE *out = report_output();
	uint64_t total = 0;

	if (out == NULL)
		return false;
	if (plan->fixed_address)
		fprintf(out, "load bias      0 (ET_EXEC)\n");
	else
		fprintf(
		    out,
		    "load bias      drawn at load, a multiple of 0x%lx (ET_DYN); shown with 0\n",
		    span->alignment);
	fprintf(out, "entry          0x%lx\n", plan->entry);
	fprintf(out, "AT_PHDR        0x%lx, %u program headers\n", plan->phdr_address, plan->phnum);
	fprintf(out, "stack          %s\n",
		plan->executable_stack ? "executable" : "not executable");
	fprintf(out, "%18s %18s %12s  %-3s  %-14s %2s  %s\n", "start", "end", "bytes", "", "from",
		"ph", "pages");
	for (unsigned i = 0; i < plan->count; i++) {
		print_mapping(out, &plan->mappings[i]);
		total += plan->mappings[i].length;
	}
	fprintf(out, "%u mappings, %lu bytes, %lu pages\n", plan->count, total, total / PAGE_BYTES);
	return report_close(out);
}
