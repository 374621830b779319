/* The property of a program's text, in notes as linkers write them and in damaged ones. */
#include "common/text_property.h"
#include "tests/unit/unit.h"

#define TYPE 0xc0000000
#define OWN  0xc0000001

static const uint32_t good[] = {
    4,		32, NT_GNU_PROPERTY_TYPE_0,
    0x00554e47, /* "GNU" */
    OWN,	4,  1,
    0, /* another property */
    TYPE,	4,  5,
    0,
};

/* Whether the property is found after one word of the notes has changed. */
static bool is_set_with(size_t word, uint32_t value, uint32_t bit)
{
	uint32_t notes[COUNT(good)];

	memcpy(notes, good, sizeof(notes));
	notes[word] = value;
	return text_property_is_set(notes, sizeof(notes), TYPE, bit);
}

TEST(test_a_bit_of_the_property)
{
	assert_true(text_property_is_set(good, sizeof(good), TYPE, 1));
	assert_false(text_property_is_set(good, sizeof(good), TYPE, 2));
	assert_true(text_property_is_set(good, sizeof(good), TYPE, 4));
	assert_false(text_property_is_set(good, sizeof(good), OWN, 4));
	assert_false(text_property_is_set(good, sizeof(good), OWN + 1, 1));
}

TEST(test_other_notes_have_no_property)
{
	assert_true(is_set_with(10, 1, 1));
	assert_false(is_set_with(0, 5, 1));
	assert_false(is_set_with(2, NT_GNU_BUILD_ID, 1));
	assert_false(is_set_with(3, 0x00554e48, 1));
	assert_false(is_set_with(9, 8, 1));
	assert_false(is_set_with(10, 4, 1));
}

/* Each length is tried in memory of its own, so that a sanitizer sees a read beyond the end. */
TEST(test_notes_that_end_too_early)
{
	for (size_t bytes = 0; bytes < sizeof(good); bytes++) {
		void *notes = malloc(bytes + 1);

		assert_non_null(notes);
		memcpy(notes, good, bytes);
		assert_false(text_property_is_set(notes, bytes, TYPE, 1));
		free(notes);
	}
	assert_false(is_set_with(1, 16, 1));
	assert_false(is_set_with(1, 33, 1));
	assert_false(is_set_with(5, UINT32_MAX, 1));
}
