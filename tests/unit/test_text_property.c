/* The properties of a program in notes as linkers write them, and in damaged ones. */
#include "common/text_property.h"
#include "tests/unit/unit.h"

#define TYPE 0xc0000008
#define OWN  0xc0000001

static const uint32_t good[] = {
    4,		32, NT_GNU_PROPERTY_TYPE_0,
    0x00554e47, /* "GNU" */
    OWN,	4,  1,
    0, /* another property */
    TYPE,	4,  5,
    0,
};

/* What was found last. */
static uint32_t value;

/* Whether notes are accepted after one word of them has changed. Sets `value`. */
static bool accepts_with(size_t word, uint32_t changed)
{
	uint32_t notes[COUNT(good)];

	memcpy(notes, good, sizeof(notes));
	notes[word] = changed;
	return text_property_read(notes, sizeof(notes), TYPE, &value);
}

TEST(test_a_property_is_found)
{
	assert_true(text_property_read(good, sizeof(good), TYPE, &value));
	assert_int_equal(value, 5);
	assert_true(text_property_read(good, sizeof(good), OWN, &value));
	assert_int_equal(value, 1);
	assert_true(text_property_read(good, sizeof(good), OWN + 2, &value));
	assert_int_equal(value, 0);
}

TEST(test_no_property_at_all)
{
	assert_true(accepts_with(1, 0));
	assert_int_equal(value, 0);
	assert_true(accepts_with(1, 16));
	assert_int_equal(value, 0);
}

TEST(test_other_notes_are_refused)
{
	assert_false(accepts_with(0, 5));
	assert_false(accepts_with(2, NT_GNU_BUILD_ID));
	assert_false(accepts_with(3, 0x00554e48));
}

/* The data of the property is one word. Others may have any length that fits. */
TEST(test_lengths_of_properties)
{
	assert_true(accepts_with(5, 8));
	assert_false(accepts_with(5, 0));
	assert_false(accepts_with(9, 8));
	assert_false(accepts_with(9, 0));
	assert_false(accepts_with(9, 9));
	assert_false(accepts_with(5, UINT32_MAX));
}

TEST(test_types_ascend)
{
	assert_true(accepts_with(4, 0));
	assert_int_equal(value, 5);
	assert_false(accepts_with(4, TYPE));
	assert_false(accepts_with(4, TYPE + 1));
}

/* Each length is tried in memory of its own, so that a sanitizer sees a read beyond the end. */
TEST(test_notes_that_end_too_early)
{
	for (size_t bytes = 0; bytes < sizeof(good); bytes++) {
		void *notes = malloc(bytes + 1);

		assert_non_null(notes);
		memcpy(notes, good, bytes);
		assert_false(text_property_read(notes, bytes, TYPE, &value));
		free(notes);
	}
	assert_false(accepts_with(1, 17));
	assert_false(accepts_with(1, 31));
	assert_false(accepts_with(1, 33));
}
