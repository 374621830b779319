/* --trace: writes the file, line by line as events come. docs/trace.md describes the format. */
#include "loader/watch/trace_file.h"

#include "common/printable.h"
#include "common/segment_mapper.h"
#include "loader/resident/pager/regions.h"
#include "loader/watch/call_words.h"
#include "loader/watch/trace_words.h"

#include <stdio.h>
#include <sys/wait.h>

/* Static, because the loader's stack becomes the program's before the file is started. */
static struct output_file output;
static uint64_t events; /* lines of events so far */
static uint64_t start;	/* CLOCK_MONOTONIC, ns: times in the file count from here */

static void write_object(const struct object *object, FILE *file)
{
	for (unsigned i = 0; i < object->plan.count; i++) {
		const struct plan_mapping *mapping = &object->plan.mappings[i];

		fprintf(file, "region\t%lx\t%lx\t%s\t%s\t%s\n", mapping->address,
			mapping_end(mapping), protection_text(mapping->protection),
			mapping->from_file ? "file" : "bss",
			mapping->presence == PRESENCE_HIDDEN ? "hidden" : "native");
	}
	for (size_t i = 0; i < object->symbols.sections.count; i++) {
		const struct elf_name *section = &object->symbols.sections.names[i];

		fprintf(file, "section\t%lx\t%lx\t%s\n", section->start + object->plan.load_bias,
			section->end + object->plan.load_bias, section->name);
	}
}

static void write_head(const struct guest *guest, int process)
{
	const struct options *options = &guest->options;
	FILE *file = output.stream;
	const struct object *program = &guest->objects[PROGRAM];
	char name[4096], path[4096];

	fprintf(file, "page-trace 1\nloader\t%s\nprogram\t%s\npolicy\t%s\nengine\t%s\n",
		guest->strategy->name, printable_line(guest->name, name, sizeof(name)),
		options->policy != NULL ? options->policy->name : "-",
		resident_pager.count > 0 ? resident_pager.engines[0].name : "-");
	fprintf(file, "file\t%s\nprocess\t%d\nbias\t%lx\n",
		printable_line(program->file.path, path, sizeof(path)), process,
		program->plan.load_bias);
	for (unsigned i = 0; i < guest->object_count; i++)
		write_object(&guest->objects[i], file);
	fprintf(file, "events\n");
}

void trace_file_begin(const struct guest *guest, int process, uint64_t start_ns)
{
	start = start_ns;
	output = guest->trace;
	output_file_begin(&output);
	if (output.stream != NULL)
		write_head(guest, process);
}

void trace_file_flush(void)
{
	if (output.stream == NULL)
		return;
	fflush(output.stream);
	output_file_note(&output);
}

static void write_start(const struct trace_event *event, const char *kind)
{
	events++;
	fprintf(output.stream, "%lu\t%d\t%d\t%s\t%lx\t%lu\t%lx\t", event->time - start,
		event->process, event->thread, kind, event->address, event->pages,
		event->instruction);
}

/* Writes more about a call on a line of its own: readers find calls by the line with the name. */
static void write_of_call(const struct trace_event *event, const char *kind,
			  void print(FILE *, const struct trace_event *))
{
	const struct trace_event about = {
	    .time = event->time, .process = event->process, .thread = event->thread};

	write_start(&about, kind);
	print(output.stream, event);
	fputs("\t-\t-\n", output.stream);
}

void trace_file_event(const struct guest *guest, const struct trace_event *event)
{
	char symbol[SYMBOL_BYTES], instruction[SYMBOL_BYTES];

	if (output.stream == NULL)
		return;
	if (event->kind == TRACE_RESULT) {
		write_of_call(event, trace_kind_word(event->kind), call_print_result);
	} else {
		write_start(event, trace_kind_word(event->kind));
		fprintf(output.stream, "%s\t%s\t%s\n", trace_detail_words(event),
			symbol_words(guest, event->address, symbol),
			symbol_words(guest, event->instruction, instruction));
	}
	if (event->kind == TRACE_CALL)
		write_of_call(event, "arguments", call_print);
	output_file_note(&output);
}

void trace_file_end(uint64_t lost, int status)
{
	if (output.stream != NULL)
		fprintf(output.stream, "end\t%lu\t%lu\t%s %d\n", events, lost,
			WIFEXITED(status) ? "exit" : "signal",
			WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
	output_file_finish(&output);
}
