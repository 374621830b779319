/* The first line of a script, byte by byte as load_script reads it. */
#include "common/script.h"
#include "tests/unit/unit.h"

static struct script script_of(const char *bytes, size_t length)
{
	struct script script = {.line = ""};

	memcpy(script.line, bytes, length < sizeof(script.line) ? length : sizeof(script.line));
	return script;
}

static void assert_parsed(const char *text, const char *interpreter, const char *argument)
{
	struct script script = script_of(text, strlen(text));

	if (!script_parse(&script))
		fail_msg("refused: %s", text);
	assert_string_equal(script.interpreter, interpreter);
	if (argument == NULL)
		assert_null(script.argument);
	else
		assert_string_equal(script.argument, argument);
}

TEST(an_interpreter_and_one_argument)
{
	assert_parsed("#!/bin/sh\necho", "/bin/sh", NULL);
	assert_parsed("#! \t /bin/sh \t \n", "/bin/sh", NULL);
	assert_parsed("#!/bin/sh -x\n", "/bin/sh", "-x");
	assert_parsed("#!/usr/bin/env  -S a  b \t\n", "/usr/bin/env", "-S a  b");
	assert_parsed("#!x\n", "x", NULL);
}

/* A carriage return is part of the name, a common surprise. */
TEST(other_white_space_is_none)
{
	assert_parsed("#!/bin/sh\r\n", "/bin/sh\r", NULL);
	assert_parsed("#!/bin/sh\va\n", "/bin/sh\va", NULL);
}

/* Without a newline the line ends with the file; blanks at its end stay then. */
TEST(the_line_may_end_with_the_file)
{
	assert_parsed("#!/bin/sh", "/bin/sh", NULL);
	assert_parsed("#!/bin/sh -x ", "/bin/sh", "-x ");
	assert_parsed("#!/bin/sh  ", "/bin/sh", "");
	assert_parsed("#!", "", NULL);
}

TEST(a_name_has_to_end_within_256_bytes)
{
	char bytes[400];
	struct script script;

	memset(bytes, 'x', sizeof(bytes));
	memcpy(bytes, "#!/", 3);
	script = script_of(bytes, sizeof(bytes));
	assert_false(script_parse(&script));
	bytes[255] = '\n';
	script = script_of(bytes, sizeof(bytes));
	assert_true(script_parse(&script));
	assert_int_equal(strlen(script.interpreter), 253);
	bytes[255] = ' ';
	script = script_of(bytes, sizeof(bytes));
	assert_true(script_parse(&script));
	assert_int_equal(strlen(script.interpreter), 253);
	assert_null(script.argument);
}

/* An argument is cut: its interpreter can read the line itself. */
TEST(an_argument_may_be_cut)
{
	char bytes[400];
	struct script script;

	memset(bytes, 'x', sizeof(bytes));
	memcpy(bytes, "#!/bin/sh ", 10);
	script = script_of(bytes, sizeof(bytes));
	assert_true(script_parse(&script));
	assert_string_equal(script.interpreter, "/bin/sh");
	assert_int_equal(strlen(script.argument), 245);
}

TEST(lines_without_an_interpreter)
{
	static const char *const lines[] = {"#!\n", "#! \t\n/bin/sh\n", "#!\n/bin/sh\n"};
	char blanks[300];
	struct script script;

	for (size_t i = 0; i < COUNT(lines); i++) {
		script = script_of(lines[i], strlen(lines[i]));
		assert_false(script_parse(&script));
	}
	memset(blanks, ' ', sizeof(blanks));
	memcpy(blanks, "#!", 2);
	script = script_of(blanks, sizeof(blanks));
	assert_false(script_parse(&script));
}

static void assert_arguments(const char *line, char **given, const char *const *expected)
{
	struct script script = script_of(line, strlen(line));
	char **list;

	assert_true(script_parse(&script));
	list = script_arguments(&script, "./script", given);
	for (size_t i = 0; expected[i] != NULL; i++)
		assert_string_equal(list[i], expected[i]);
	for (size_t i = 0; list[i] != NULL; i++)
		assert_non_null(expected[i]);
	free(list);
}

TEST(the_script_takes_the_place_of_its_name)
{
	assert_arguments("#!/bin/sh\n", (char *[]){"name", "a", "", NULL},
			 (const char *[]){"/bin/sh", "./script", "a", "", NULL});
	assert_arguments("#!/bin/sh -e\n", (char *[]){"name", NULL},
			 (const char *[]){"/bin/sh", "-e", "./script", NULL});
}
