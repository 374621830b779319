/* Shared by the command lines of the bench: what they refuse, in one sentence. */
#pragma once

/* The exit status for wrong usage, and when nothing could be measured or written. */
#define TOOL_STOPPED 125

/* Begins each sentence. Each main function sets it first. */
extern const char *tool_name;

/* Writes the sentence to standard error, and exits with TOOL_STOPPED. */
_Noreturn void tool_stop(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The value of an option that is a number. Stops if it is none, or outside of these bounds. */
unsigned long tool_number(const char *option, const char *text, unsigned long least,
			  unsigned long most);

/* Stops because of errno. */
_Noreturn void tool_cannot_write(const char *path);

/*
 * Stops if results cannot be written to the file, or if it is a program, before anything is
 * measured. A device or a pipe is not tried. NULL: there is no file.
 */
void tool_check_file(const char *path);
