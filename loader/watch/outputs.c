/* The files that the loader writes: --stats, --trace, --order, --record, --layout. */
#include "loader/watch/watch.h"

#include "common/file_kind.h"
#include "common/output_target.h"
#include "common/report.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

struct output {
	const char *option, *what, *path; /* path: NULL if the option was not given */
	struct output_file *file;
};

/*
 * Whether the name is that of a descriptor which the loader itself has opened; descriptors that it
 * was started with are not close-on-exec. If standard output was closed, the program's file has its
 * number.
 */
static bool is_own_descriptor(const char *path)
{
	struct output_target target;

	return output_target_find(path, &target) && target.descriptor >= 0 &&
	       fcntl(target.descriptor, F_GETFD) == FD_CLOEXEC;
}

/*
 * Refuses `-`, which other programs take for standard output, as -o does. Refuses to overwrite ELF
 * files and scripts, and only those. Any other file may be overwritten even if it is executable: on
 * some file systems every file is, including earlier output.
 */
static bool may_write(const struct output *output, struct error *error)
{
	char option[16];

	snprintf(option, sizeof(option), "--%s", output->option);
	if (strcmp(output->path, "-") == 0)
		return error_set(error, EXIT_OURS,
				 "%s took - as its file; write ./- if that is meant, or "
				 "/dev/stdout",
				 option);
	/* The descriptor is open for reading only, so output_file_open() refuses it. */
	return is_own_descriptor(output->path) ||
	       file_kind_may_replace(option, output->path, error);
}

/* Refuses two outputs with the same name: the later would replace the earlier. */
static bool has_own_place(const struct output *outputs, size_t index, struct error *error)
{
	const char *target = outputs[index].file->target;

	for (size_t i = 0; i < index && target != NULL; i++)
		if (outputs[i].file->target != NULL &&
		    output_target_same(outputs[i].file->target, target))
			return error_set(error, EXIT_OURS,
					 "--%s and --%s would both be written to %.256s; name "
					 "another file for one of them",
					 outputs[i].option, outputs[index].option, target);
	return true;
}

bool outputs_open(struct guest *guest, struct error *error)
{
	const struct options *options = &guest->options;
	const struct output outputs[] = {
	    {"stats", "the statistics", options->statistics_file, &guest->statistics},
	    {"trace", "the trace", options->trace, &guest->trace},
	    {"order", "the order", options->order, &guest->order},
	    {"record", "the profile", options->record, &guest->record},
	    {"layout", "the layout", options->layout, &guest->layout},
	    {"learn", "the profile", options->learn, &guest->learned},
	};
	size_t count = sizeof(outputs) / sizeof(outputs[0]);

	for (size_t i = 0; i < count; i++)
		if (outputs[i].path != NULL && !may_write(&outputs[i], error))
			return false;
	for (size_t i = 0; i < count; i++)
		if (outputs[i].path != NULL &&
		    (!output_file_open(outputs[i].file, outputs[i].what, outputs[i].path, error) ||
		     !has_own_place(outputs, i, error)))
			return false;
	if (guest->strategy->names_trace)
		report_warning("the trace goes to %s", options->trace);
	return true;
}
