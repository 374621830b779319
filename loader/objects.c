#include "loader/objects.h"

#include "common/load_trial.h"
#include "common/script.h"
#include "common/text_property.h"
#include "loader/cli/options_mistakes.h"
#include "loader/script_env.h"
#include "loader/watch/watch.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NEEDS_LIBRARY                                                                              \
	"install its C library, name another ld.so with --interpreter=FILE, or link it with "      \
	"-static"

static bool read_headers(struct object *object, struct error *error)
{
	const struct program_file *file = &object->file;

	return elf_image_read(file->descriptor, file->size, &object->image, error);
}

/* Reads the symbols if an option needs them, and writes the first part of the story. */
static void tell_headers(const struct guest *guest, struct object *object)
{
	if (guest->options.explain != EXPLAIN_NOTHING || guest->options.trace != NULL ||
	    guest->options.place_hint_count > 0)
		elf_symbols_read(object->file.descriptor, &object->symbols);
	explain(guest, STORY_HEADERS);
}

/*
 * Refuses an interpreter. Messages start with the program's name, so this one adds the
 * interpreter's.
 */
static bool refuse_interpreter(const char *path, const char *remedy, struct error *error)
{
	if (error->status == EXIT_NOT_FOUND)
		error_set(error, EXIT_NOT_FOUND, "no such file: %s", remedy);
	error_about(error, "its interpreter %.256s: ", path);
	return false;
}

/*
 * Replaces a script by the interpreter that its first line names (load_script); that may be a
 * script, too. The line becomes part of the arguments.
 */
static bool follow_script(struct guest *guest, unsigned depth, struct error *error)
{
	struct program_file *file = &guest->objects[PROGRAM].file;
	struct script *script = calloc(1, sizeof(*script));
	struct program_file found;
	char **arguments;
	bool by_env;

	if (strcmp(file->path, PROGRAM_FILE_INPUT) == 0)
		return error_set(error, EXIT_NOT_LOADABLE,
				 "is a script, which its interpreter could not open: name a file");
	if (depth == SCRIPTS_MAX)
		return error_set(error, EXIT_NOT_LOADABLE,
				 "is the last of more than %d scripts that name one another as "
				 "interpreters: name a program in one of them",
				 SCRIPTS_MAX);
	if (script == NULL)
		return error_no_memory(error, "for the first line of a script");
	if (pread(file->descriptor, script->line, sizeof(script->line), 0) < 0)
		return error_set(error, EXIT_NOT_LOADABLE,
				 "cannot be read: %s; copy it to another disk", strerror(errno));
	if (!script_parse(script))
		return error_set(error, EXIT_NOT_LOADABLE,
				 "is a script without an interpreter in its first %d bytes: name "
				 "one after the #!",
				 SCRIPT_LINE_BYTES);
	by_env = script_env_open(script, &found);
	if (by_env) {
		script->interpreter = script->argument;
		script->argument = NULL;
	}
	arguments = script_arguments(script, file->path, guest->options.program);
	if (arguments == NULL)
		return error_no_memory(error, "for the arguments of an interpreter");
	guest->options.program = arguments;
	guest->script = depth == 0 ? file->path : guest->script;
	program_file_close(file);
	if (!by_env)
		return program_file_open_path(script->interpreter, EXEC_PROGRAM, file, error);
	*file = found;
	guest->path = found.path;
	return true;
}

/* Follows scripts from the named file to a program, and reads the program's headers. */
static bool follow_to_program(struct guest *guest, struct error *error)
{
	struct object *program = &guest->objects[PROGRAM];

	for (unsigned depth = 0; !read_headers(program, error); depth++)
		if (program->image.kind != FILE_KIND_SCRIPT || !follow_script(guest, depth, error))
			return false;
	return elf_interpreter_read(program->file.descriptor, &program->image, error);
}

/* Adds a command line that would work to the error for a program that cannot be loaded. */
static bool refuse_program(const struct guest *guest, struct error *error)
{
	options_hint_value(guest->options.bare, guest->name, guest->objects[PROGRAM].file.path,
			   error);
	return false;
}

/* The remedy for a script whose interpreter does not exist. */
static const char *script_remedy(const char *interpreter)
{
	size_t length = strlen(interpreter);

	return length > 0 && interpreter[length - 1] == '\r'
		   ? "the script's first line ends in a carriage return; remove it with dos2unix "
		     "or sed -i 's/\\r$//'"
		   : "check the first line of the script";
}

static bool read_program(struct guest *guest, struct error *error)
{
	struct object *program = &guest->objects[PROGRAM];

	guest->object_count = 1;
	if (!program_file_open(guest->options.program[0], &program->file, error))
		return refuse_program(guest, error);
	guest->path = program->file.path;
	if (guest->options.argv0 != NULL)
		guest->options.program[0] = (char *)guest->options.argv0;
	if (!follow_to_program(guest, error))
		return program->file.path == guest->path
			   ? refuse_program(guest, error)
			   : refuse_interpreter(program->file.path,
						script_remedy(program->file.path), error);
	tell_headers(guest, program);
	return true;
}

/* Refuses options for an interpreter if the program has none. */
static bool refuse_static(const struct options *options, struct error *error)
{
	const char *option = options->interpreter != NULL ? "--interpreter" : "--library-path";

	if (options->interpreter == NULL && options->library_path == NULL)
		return true;
	return error_set(error, EXIT_OURS,
			 "is static, so no interpreter looks for its libraries: leave out %s",
			 option);
}

/*
 * Opens the interpreter. Its path is used unchanged, and the file must not name an interpreter
 * itself.
 */
static bool read_interpreter(struct guest *guest, struct error *error)
{
	const struct options *options = &guest->options;
	const char *path = guest->objects[PROGRAM].image.interpreter;
	struct object *interpreter = &guest->objects[INTERPRETER];

	if (path == NULL)
		return refuse_static(options, error);
	if (options->interpreter != NULL)
		path = options->interpreter;
	if (!program_file_open_path(path, EXEC_INTERPRETER, &interpreter->file, error) ||
	    !read_headers(interpreter, error))
		return refuse_interpreter(
		    path, options->interpreter != NULL ? "check --interpreter" : NEEDS_LIBRARY,
		    error);
	interpreter->first_page = INTERPRETER_FIRST_PAGE;
	guest->object_count++;
	tell_headers(guest, interpreter);
	return true;
}

static bool check(const struct object *object, struct error *error)
{
	return elf_check(&object->image, error) &&
	       load_trial(&object->image, object->file.descriptor, error);
}

/*
 * The checks come after both files have been read: execve looks for the interpreter before it
 * checks the program's segments.
 */
bool objects_read(struct guest *guest, struct error *error)
{
	if (!read_program(guest, error) || !read_interpreter(guest, error))
		return false;
	if (!check(&guest->objects[PROGRAM], error))
		return refuse_program(guest, error);
	return !guest_has_interpreter(guest) || check(&guest->objects[INTERPRETER], error) ||
	       refuse_interpreter(guest->objects[INTERPRETER].file.path, NEEDS_LIBRARY, error);
}

/*
 * The address where the kernel would map an object's lowest page; 0: wherever there is room. If the
 * program has a fixed address, the addresses that its interpreter is linked for are only a hint
 * (load_elf_interp). The program may occupy them.
 */
static uint64_t place_of(const struct guest *guest, unsigned index, const struct load_span *span)
{
	const struct elf_image *program = &guest->objects[PROGRAM].image;
	struct load_span taken;

	if (index == PROGRAM)
		return guest_has_interpreter(guest) ? program_base(&guest->start) : 0;
	if (program->type != ET_EXEC)
		return 0;
	taken = load_span_of(program);
	return span->start < taken.start + taken.length && taken.start < span->start + span->length
		   ? 0
		   : span->start;
}

/* Removes from the program's plan what an interpreter with a fixed address covers. */
static bool give_way(struct guest *guest, struct error *error)
{
	const struct elf_image *interpreter = &guest->objects[INTERPRETER].image;
	struct load_span span;

	if (!guest_has_interpreter(guest) || interpreter->type != ET_EXEC)
		return true;
	span = load_span_of(interpreter);
	return load_plan_give_way(&guest->objects[PROGRAM].plan, &span, error);
}

/*
 * The kernel looks at the interpreter's properties if there is an interpreter, and leaves the
 * program to it then.
 */
static bool protect_text(struct guest *guest, struct error *error)
{
	struct object *object = &guest->objects[guest->object_count - 1];
	int protection;

	if (!text_property_protection(object->file.descriptor, &object->image, &protection, error))
		return !guest_has_interpreter(guest)
			   ? refuse_program(guest, error)
			   : refuse_interpreter(object->file.path, NEEDS_LIBRARY, error);
	for (unsigned i = 0; i < object->plan.count; i++)
		if ((object->plan.mappings[i].protection & PROT_EXEC) != 0)
			object->plan.mappings[i].protection |= protection;
	return true;
}

bool objects_plan(struct guest *guest, struct error *error)
{
	for (unsigned i = 0; i < guest->object_count; i++) {
		struct object *object = &guest->objects[i];
		struct load_span span = load_span_of(&object->image);

		if (object->image.type != ET_EXEC && !guest->options.plan &&
		    !segments_reserve(&span, place_of(guest, i, &span), &object->reservation,
				      error))
			return false;
		if (!load_plan_make(&object->image, object->reservation.load_bias, &object->plan,
				    error))
			return false;
	}
	return protect_text(guest, error) && give_way(guest, error);
}

bool objects_map(const struct guest *guest, struct error *error)
{
	for (unsigned i = 0; i < guest->object_count; i++)
		if (!segments_map(&guest->objects[i].plan, guest->objects[i].file.descriptor,
				  error))
			return false;
	return true;
}

void objects_finish(const struct guest *guest)
{
	for (unsigned i = 0; i < guest->object_count; i++)
		segments_unmap_gaps(&guest->objects[i].plan, &guest->objects[i].reservation);
	if (guest_has_interpreter(guest))
		program_file_close(&guest->objects[INTERPRETER].file);
}
