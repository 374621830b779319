/*
 * unit.h: what a unit test includes after the headers that it tests. TEST(name) defines a test;
 * main() runs all tests of the file in their order.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define TEST(name) TEST_WITHIN(name, NULL, NULL)

/* A test with a function before and one after it. The compiler counts tests from 0 on. */
#define TEST_WITHIN(name, setup, teardown)                                                         \
	static void name(void **state);                                                            \
	__attribute__((constructor)) static void add_##name(void)                                  \
	{                                                                                          \
		unit_tests[__COUNTER__] = (struct CMUnitTest){#name, name, setup, teardown, NULL}; \
		unit_test_count++;                                                                 \
	}                                                                                          \
	static void name(__attribute__((unused)) void **state)

static struct CMUnitTest unit_tests[64];
static size_t unit_test_count;

/* A file may define these: they run before the first test and after the last one. */
__attribute__((weak)) int before_tests(void **state);
__attribute__((weak)) int after_tests(void **state);

int main(void)
{
	struct CMUnitTest tests[unit_test_count];

	memcpy(tests, unit_tests, sizeof(tests));
	return cmocka_run_group_tests(tests, before_tests, after_tests);
}
