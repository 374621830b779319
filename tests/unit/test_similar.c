/* Did you mean: distances, and the sentence for a word that is not known. */
#include "common/similar.h"
#include "tests/unit/unit.h"

static const char *const names[] = {"guard", "mprotect", "mmap", "userfaultfd"};
static const char words[] = " guard mprotect mmap userfaultfd";

static unsigned distance(const char *word, const char *other)
{
	return similar_distance(word, strlen(word), other);
}

TEST(each_kind_of_slip_is_one)
{
	assert_int_equal(distance("policy", "policy"), 0);
	assert_int_equal(distance("POLicy", "policy"), 0);
	assert_int_equal(distance("polcy", "policy"), 1);
	assert_int_equal(distance("ppolicy", "policy"), 1);
	assert_int_equal(distance("pslicy", "policy"), 1);
	assert_int_equal(distance("oplicy", "policy"), 1);
	assert_int_equal(distance("policyx", "policy"), 1);
}

TEST(slips_add_up)
{
	assert_int_equal(distance("uesrfualtfd", "userfaultfd"), 2);
	assert_int_equal(distance("adpatvie", "adaptive"), 2);
	/* A swap whose letters are changed again is not one: optimal string alignment. */
	assert_int_equal(distance("cabdefghi", "abcdefghi"), 2);
}

TEST(the_longer_the_word_the_more_slips)
{
	assert_int_equal(distance("ls", "lt"), SIMILAR_NOT);
	assert_int_equal(distance("abc", "abd"), 1);
	assert_int_equal(distance("abc", "add"), SIMILAR_NOT);
	assert_int_equal(distance("abcdef", "abcxyf"), 2);
	assert_int_equal(distance("abcdef", "abxyzf"), SIMILAR_NOT);
	assert_int_equal(distance("abcdefghijkl", "abcdefghixyz"), 3);
	assert_int_equal(distance("abcdefghijklmno", "abcdefghijkwxyz"), SIMILAR_NOT);
}

TEST(empty_and_long_words_are_near_none)
{
	char longest[65], too_long[66];

	memset(longest, 'a', 64);
	memset(too_long, 'a', 65);
	longest[64] = too_long[65] = '\0';
	assert_int_equal(distance("", ""), 0);
	assert_int_equal(distance("", "a"), SIMILAR_NOT);
	assert_int_equal(distance("abc", ""), SIMILAR_NOT);
	assert_int_equal(distance(longest, longest), 0);
	assert_int_equal(distance(longest, too_long), SIMILAR_NOT);
	assert_int_equal(distance(too_long, longest), SIMILAR_NOT);
}

TEST(bytes_after_the_length_do_not_count)
{
	assert_int_equal(similar_distance("polcy=adaptive", 5, "policy"), 1);
	assert_string_equal(similar_among("mmpa,pages=3", 4, names, 4), "mmap");
}

TEST(the_nearest_and_of_equals_the_first)
{
	static const char *const programs[] = {"prog12", "prog1", "prog2"};

	assert_string_equal(similar_among("prog", 4, programs, 3), "prog1");
	assert_string_equal(similar_among("prog2", 5, programs, 3), "prog2");
	assert_null(similar_among("python", 6, programs, 3));
	assert_null(similar_among("prog", 4, programs, 0));
}

TEST(a_refusal_has_the_one_meant_or_all)
{
	struct error error = {.status = EXIT_NOT_FOUND};

	assert_int_equal(similar_choose(&error, "--engine", "mmap,x", 4, words), 2);
	assert_int_equal(similar_choose(&error, "--engine", "gaurd", 5, words), -1);
	assert_int_equal(error.status, EXIT_OURS);
	assert_string_equal(error.text, "--engine=gaurd is unknown; did you mean guard?");
	assert_int_equal(similar_choose(&error, "--engine", "x", 1, words), -1);
	assert_string_equal(error.text,
			    "--engine=x is unknown; there are guard, mprotect, mmap and "
			    "userfaultfd");
}

TEST(a_long_value_does_not_push_out_the_remedy)
{
	struct error error;
	char value[100000];

	memset(value, 'x', sizeof(value) - 1);
	value[sizeof(value) - 1] = '\0';
	assert_int_equal(similar_choose(&error, "--engine", value, strlen(value), words), -1);
	assert_non_null(strstr(error.text, "xxx is unknown; there are guard, mprotect, mmap and "
					   "userfaultfd"));
	assert_true(strlen(error.text) < 190);
}
