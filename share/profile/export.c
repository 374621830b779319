/*
 * page-profile export: lists for systems that fetch the files of a container when they are needed.
 *
 * nydus    nydusify convert --prefetch-patterns and nydus-image create --prefetch-policy fs read
 *          paths from standard input, one a line (docs/prefetch.md of nydus)
 * soci     soci create --prefetch-files-json FILE reads an array of paths (docs/prefetch.md of
 * soci) estargz  ctr-remote image convert --estargz-record-in FILE and nerdctl image convert read
 * an object a line, of which `path` counts (recorder.Entry of stargz-snapshotter)
 *
 * None of them takes ranges of bytes from a user: these are in json and csv.
 */
#include "loader/watch/json.h"
#include "share/profile/page_profile.h"

#include <inttypes.h>
#include <string.h>

/* The arguments of an exporter, profile by profile, file by file. */
struct export
{
	FILE *out;
	bool any; /* something has been written */
};

typedef void export_file(struct export *export, const struct known_file *file);

static void json_file(struct export *export, const struct known_file *file)
{
	struct json json = {.file = export->out, .between = ", "};

	fprintf(export->out, "%s\n  {", export->any ? "," : "");
	json_add(&json, "path %s size %ld mtime_s %ld mtime_ns %ld", file->path, file->size,
		 file->seconds, file->nanoseconds);
	fputs(", \"ranges\": [", export->out);
	for (size_t i = 0; i < file->count; i++) {
		const struct file_range *range = &file->ranges[i];

		fprintf(export->out, "%s[%" PRIu64 ", %" PRIu64 "]", i > 0 ? ", " : "",
			range->start, range->end - range->start);
	}
	fputs("]}", export->out);
}

/* RFC 4180: quotes around it, and those within doubled. */
static void write_csv(const char *text, FILE *out)
{
	putc('"', out);
	for (; *text != '\0'; text++) {
		if (*text == '"')
			putc('"', out);
		putc(*text, out);
	}
	putc('"', out);
}

static void csv_file(struct export *export, const struct known_file *file)
{
	for (size_t i = 0; i < file->count; i++) {
		const struct file_range *range = &file->ranges[i];

		write_csv(file->path, export->out);
		fprintf(export->out, ",%" PRIu64 ",%" PRIu64 "\n", range->start,
			range->end - range->start);
	}
}

static void nydus_file(struct export *export, const struct known_file *file)
{
	fprintf(export->out, "%s\n", file->path);
}

static void soci_file(struct export *export, const struct known_file *file)
{
	fputs(export->any ? ",\n  " : "\n  ", export->out);
	json_string(export->out, file->path);
}

static void estargz_file(struct export *export, const struct known_file *file)
{
	struct json json = {.file = export->out, .between = ", "};

	putc('{', export->out);
	json_add(&json, "path %s", file->path);
	fputs("}\n", export->out);
}

static const struct exporter {
	const char *name, *before, *after;
	export_file *file;
	bool is_list; /* of files: each is written once, and an empty list is refused */
} exporters[] = {
    {"json", "[", "\n]\n", json_file, false}, {"csv", "path,offset,length\n", "", csv_file, false},
    {"nydus", "", "", nydus_file, true},      {"soci", "[", "\n]\n", soci_file, true},
    {"estargz", "", "", estargz_file, true},
};

static const struct exporter *find_exporter(const char *name)
{
	for (size_t i = 0; i < sizeof(exporters) / sizeof(exporters[0]); i++)
		if (strcmp(exporters[i].name, name) == 0)
			return &exporters[i];
	return NULL;
}

/* Whether an earlier profile has this file, too. */
static bool is_repeated(const struct profile_file *profiles, size_t count,
			const struct known_file *file)
{
	for (size_t i = 0; i < count; i++) {
		const struct known_files *files = &profiles[i].text.profile.files;

		for (size_t j = 0; j < files->count; j++)
			if (strcmp(files->files[j].path, file->path) == 0)
				return true;
	}
	return false;
}

static bool has_files(const struct profile_file *profiles, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (profiles[i].text.profile.files.count > 0)
			return true;
	return false;
}

bool export_print(const struct profile_file *profiles, size_t count, const char *format, FILE *out,
		  struct error *error)
{
	const struct exporter *exporter = find_exporter(format);
	struct export export = {.out = out};

	if (exporter == NULL)
		return error_set(error, EXIT_OURS, "--format=%.64s is unknown; there are %s",
				 format, EXPORT_FORMATS);
	if (exporter->is_list && !has_files(profiles, count))
		return error_set(error, EXIT_OURS,
				 "--format=%s: there is no file to list, since no profile here has "
				 "files; --profile=auto learns them",
				 format);
	fputs(exporter->before, out);
	for (size_t i = 0; i < count; i++) {
		const struct known_files *files = &profiles[i].text.profile.files;

		for (size_t j = 0; j < files->count; j++) {
			const struct known_file *file = &files->files[j];

			if (exporter->is_list && is_repeated(profiles, i, file))
				continue;
			exporter->file(&export, file);
			export.any = true;
		}
	}
	fputs(exporter->after, out);
	return true;
}
