/* --trace: the file, line by line as events come. docs/trace.md has its format. */
#include "loader/watch/trace_file.h"

#include "common/printable.h"
#include "common/report.h"
#include "common/segment_mapper.h"
#include "loader/resident/pager/pages.h"
#include "loader/watch/trace_words.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static FILE *file; /* NULL: no memory for it */
static uint64_t events;
static int failure; /* errno of the first write that failed */

static void write_object(const struct object *object)
{
	for (unsigned i = 0; i < object->plan.count; i++) {
		const struct plan_mapping *mapping = &object->plan.mappings[i];

		fprintf(file, "region\t%lx\t%lx\t%s\t%s\t%s\n", mapping->address,
			mapping->address + mapping->length, protection_text(mapping->protection),
			mapping->from_file ? "file" : "bss",
			mapping->presence == PRESENCE_HIDDEN ? "hidden" : "native");
	}
	for (size_t i = 0; i < object->symbols.section_count; i++) {
		const struct elf_name *section = &object->symbols.sections[i];

		fprintf(file, "section\t%lx\t%lx\t%s\n", section->start + object->plan.load_bias,
			section->end + object->plan.load_bias, section->name);
	}
}

static void write_head(const struct guest *guest, int process)
{
	const struct options *options = &guest->options;
	char name[4096];

	fprintf(file, "page-trace 1\nloader\t%s\nprogram\t%s\npolicy\t%s\nengine\t%s\n",
		guest->strategy->name, printable_line(guest->name, name, sizeof(name)),
		options->policy != NULL ? options->policy->name : "-",
		resident_pager.count > 0 ? resident_pager.engines[0].name : "-");
	fprintf(file, "process\t%d\nbias\t%lx\n", process, guest->objects[PROGRAM].plan.load_bias);
	for (unsigned i = 0; i < guest->object_count; i++)
		write_object(&guest->objects[i]);
	fprintf(file, "events\n");
}

static bool cannot_write(struct error *error, const char *path, int reason)
{
	return error_set(error, EXIT_OURS, "the trace cannot be written to %s: %s; %s", path,
			 strerror(reason), error_file_remedy(reason));
}

/*
 * Opened only once: the reader of a FIFO takes it for complete when it is closed. Never descriptor
 * 0, 1 or 2: those are the program's, closed or not.
 */
bool trace_file_open(struct guest *guest, struct error *error)
{
	const char *path = guest->options.trace;
	int first = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	int descriptor = first;

	if (first >= 0 && first <= STDERR_FILENO) {
		descriptor = fcntl(first, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		close(first);
	}
	guest->options.trace = strdup(path); /* argv will be the program's */
	if (descriptor < 0 || guest->options.trace == NULL)
		return cannot_write(error, path, errno);
	guest->trace_file = descriptor;
	return true;
}

void trace_file_begin(const struct guest *guest, int process)
{
	file = fdopen(guest->trace_file, "w");
	if (file == NULL)
		failure = errno;
	else
		write_head(guest, process);
}

void trace_file_event(const struct guest *guest, const struct trace_event *event)
{
	char symbol[256], instruction[256];

	if (file == NULL)
		return;
	events++;
	fprintf(file, "%lu\t%d\t%d\t%s\t%lx\t%lu\t%lx\t%s\t%s\t%s\n",
		event->time - resident_trace->start, event->process, event->thread,
		trace_kind_word(event->kind), event->address, event->pages, event->instruction,
		trace_detail_words(event),
		symbol_words(guest, event->address, symbol, sizeof(symbol)),
		symbol_words(guest, event->instruction, instruction, sizeof(instruction)));
	if (ferror(file) && failure == 0)
		failure = errno;
}

void trace_file_end(const struct guest *guest, uint64_t lost, int status)
{
	struct error error;

	if (file != NULL) {
		if (WIFEXITED(status))
			fprintf(file, "end\t%lu\t%lu\texit %d\n", events, lost,
				WEXITSTATUS(status));
		else
			fprintf(file, "end\t%lu\t%lu\tsignal %d\n", events, lost, WTERMSIG(status));
		if (!report_close(file) && failure == 0)
			failure = errno;
	}
	if (failure == 0)
		return;
	cannot_write(&error, guest->options.trace, failure);
	report_error(&error);
}
