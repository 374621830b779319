#include "share/placement/layout_report.h"

#include "common/page.h"

#include <inttypes.h>
#include <stdlib.h>

/* The longest bar of a histogram. */
#define BAR 50

bool layout_report_begin(struct layout_report *report, int process, struct error *error)
{
	if (report->colors > 0)
		report->histogram = calloc(report->colors, sizeof(*report->histogram));
	if (report->colors > 0 && report->histogram == NULL)
		return error_no_memory(error, "for %" PRIu64 " colors", report->colors);
	if (report->file != NULL)
		fprintf(report->file, "{\n  \"process\": %d,\n  \"mappings\": [", process);
	return true;
}

/* Bytes of file names that JSON requires to be escaped, and non-ASCII bytes. */
static void write_text(FILE *file, const char *text)
{
	putc('"', file);
	for (; *text != '\0'; text++) {
		unsigned char byte = (unsigned char)*text;

		if (byte < 0x20 || byte >= 0x7f || byte == '"' || byte == '\\')
			fprintf(file, "\\u%04x", byte);
		else
			putc(byte, file);
	}
	putc('"', file);
}

static void write_counts(FILE *file, const struct layout_counts *counts)
{
	fprintf(file,
		"\"present\": %" PRIu64 ", \"none\": %" PRIu64 ", \"file\": %" PRIu64
		", \"swapped\": %" PRIu64 ", \"shared\": %" PRIu64 ", \"huge\": %" PRIu64,
		counts->pages[LAYOUT_FRAME] + counts->pages[LAYOUT_HIDDEN],
		counts->pages[LAYOUT_NONE], counts->pages[LAYOUT_FILE],
		counts->pages[LAYOUT_SWAPPED], counts->shared, counts->huge);
}

static void end_mapping(struct layout_report *report)
{
	if (report->file != NULL && report->mappings > 0) {
		fprintf(report->file, "],\n     ");
		write_counts(report->file, &report->mapping);
		fprintf(report->file, "}");
	}
	report->mapping = (struct layout_counts){.shared = 0};
	report->frames = 0;
}

void layout_report_mapping(const struct layout_mapping *mapping, void *context)
{
	struct layout_report *report = context;
	FILE *file = report->file;

	end_mapping(report);
	report->mappings++;
	if (file == NULL)
		return;
	fprintf(file,
		"%s\n    {\"start\": \"0x%" PRIx64 "\", \"end\": \"0x%" PRIx64
		"\", \"pages\": %" PRIu64 ", \"name\": ",
		report->mappings > 1 ? "," : "", mapping->start, mapping->end,
		(mapping->end - mapping->start) / PAGE_BYTES);
	write_text(file, mapping->name);
	fprintf(file, ",\n     \"frames\": [");
}

static void count(struct layout_counts *counts, const struct layout_page *page)
{
	counts->pages[page->state]++;
	counts->shared += page->shared;
	counts->huge += page->huge;
}

void layout_report_page(const struct layout_page *page, void *context)
{
	struct layout_report *report = context;

	count(&report->mapping, page);
	count(&report->all, page);
	if (report->colors > 0 && page->state == LAYOUT_FRAME)
		report->histogram[page->frame % report->colors]++;
	if (report->file == NULL)
		return;
	fprintf(report->file, report->frames++ > 0 ? ", " : "");
	if (page->state == LAYOUT_FRAME)
		fprintf(report->file, "%" PRIu64, page->frame);
	else
		fprintf(report->file, "\"%c\"", layout_letter(page->state));
}

void layout_report_end(struct layout_report *report)
{
	FILE *file = report->file;

	end_mapping(report);
	if (file == NULL)
		return;
	fprintf(file, "\n  ],\n  ");
	write_counts(file, &report->all);
	if (report->colors > 0) {
		fprintf(file, ",\n  \"colors\": [");
		for (uint64_t i = 0; i < report->colors; i++)
			fprintf(file, "%s%" PRIu64, i > 0 ? ", " : "", report->histogram[i]);
		fprintf(file, "]");
	}
	fprintf(file, "\n}\n");
}

void layout_report_colors(const struct layout_report *report, FILE *file)
{
	uint64_t most = 1, known = report->all.pages[LAYOUT_FRAME];

	for (uint64_t i = 0; i < report->colors; i++)
		most = report->histogram[i] > most ? report->histogram[i] : most;
	fprintf(file,
		"%" PRIu64 " pages in memory, %" PRIu64 " of them with a known frame, %" PRIu64
		" shared, %" PRIu64 " in huge pages\n",
		known + report->all.pages[LAYOUT_HIDDEN], known, report->all.shared,
		report->all.huge);
	for (uint64_t i = 0; i < report->colors; i++) {
		fprintf(file, "%5" PRIu64 " %8" PRIu64 " ", i, report->histogram[i]);
		for (uint64_t bar = report->histogram[i] * BAR / most; bar > 0; bar--)
			putc('#', file);
		putc('\n', file);
	}
}
