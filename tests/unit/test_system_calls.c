/* The table of system calls against the kernel's own header. */
#include "loader/resident/calls/system_calls.h"
#include "tests/unit/unit.h"

#include <sys/syscall.h>

static const struct {
	unsigned number;
	const char *name;
} names[] = {
#define SYSTEM_CALL(number, name, action, a, b, c, d, e, f) {number, #name},
#include "loader/resident/calls/system_calls.def"
};

static const char *name_of(unsigned number)
{
	for (size_t i = 0; i < COUNT(names); i++)
		if (names[i].number == number)
			return names[i].name;
	return NULL;
}

/* The header that <sys/syscall.h> takes its numbers from, in the places where it may be. */
static FILE *open_header(void)
{
	static const char *const paths[] = {
	    "/usr/include/" ARCH "-linux-gnu/asm/unistd_64.h",
	    "/usr/include/asm/unistd_64.h",
	};
	FILE *file = NULL;

	for (size_t i = 0; i < COUNT(paths) && file == NULL; i++)
		file = fopen(paths[i], "r");
	return file;
}

/* Later ones, of headers that are newer than the table, end lazy paging. */
TEST(test_every_call_of_the_header_is_there)
{
	unsigned last = names[COUNT(names) - 1].number; /* the newest */
	FILE *file = open_header();
	char line[256], name[128];
	unsigned number, count = 0;

	assert_non_null(file);
	while (fgets(line, sizeof(line), file) != NULL) {
		if (sscanf(line, "#define __NR_%127s %u", name, &number) != 2 || number > last)
			continue;
		count++;
		assert_non_null(name_of(number));
		assert_string_equal(name_of(number), name);
	}
	fclose(file);
	assert_true(count > 300);
}

TEST(test_no_call_is_there_twice)
{
	for (size_t i = 0; i < COUNT(names); i++)
		for (size_t j = i + 1; j < COUNT(names); j++) {
			assert_int_not_equal(names[i].number, names[j].number);
			assert_string_not_equal(names[i].name, names[j].name);
		}
}

TEST(test_arguments_are_as_in_the_manual_pages)
{
	struct system_call read = system_call_of(SYS_read);
	struct system_call mmap = system_call_of(SYS_mmap);
	struct system_call tgkill = system_call_of(SYS_tgkill);
	struct system_call execve = system_call_of(SYS_execve);
	struct system_call recvmmsg = system_call_of(SYS_recvmmsg);

	assert_int_equal(read.action, CALL_SLEEP);
	assert_int_equal(read.a, ARGUMENT_F);
	assert_int_equal(read.b, ARGUMENT_B);
	assert_int_equal(mmap.e, ARGUMENT_F);
	assert_int_equal(tgkill.a, ARGUMENT_V);
	assert_int_equal(execve.action, CALL_EXEC);
	assert_int_equal(execve.a, ARGUMENT_P);
	assert_int_equal(execve.b, ARGUMENT_X);
	assert_int_equal(execve.c, ARGUMENT_X);
	assert_int_equal(recvmmsg.b, ARGUMENT_N);
	assert_int_equal(recvmmsg.e, ARGUMENT_P);
}

/* A length, where an argument's is another argument, is that one's and a plain value. */
TEST(test_lengths_are_values)
{
	for (size_t i = 0; i < COUNT(names); i++) {
		struct system_call call = system_call_of(names[i].number);

		const enum argument kinds[] = {call.a, call.b, call.c, call.d, call.e, call.f};

		for (unsigned j = 0; j < COUNT(kinds); j++) {
			enum argument kind = kinds[j];

			if (kind != ARGUMENT_B && kind != ARGUMENT_A && kind != ARGUMENT_I &&
			    kind != ARGUMENT_N)
				continue;
			assert_true(j + 1 < COUNT(kinds));
			assert_int_equal(kinds[j + 1], ARGUMENT_V);
		}
	}
}

TEST(test_unknown_numbers_end_lazy_paging)
{
	assert_int_equal(system_call_of(400).action, CALL_RETIRE);
	assert_int_equal(system_call_of(100000).action, CALL_RETIRE);
	assert_int_equal(system_call_of(UINT64_MAX).action, CALL_RETIRE);
	assert_int_equal(system_call_of(SYS_io_uring_setup).action, CALL_RETIRE);
	assert_int_equal(system_call_of(SYS_io_submit).action, CALL_RETIRE);
}
