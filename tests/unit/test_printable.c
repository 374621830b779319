/* Which characters of foreign text may reach a terminal. */
#include "common/printable.h"
#include "tests/unit/unit.h"

static void assert_made(const char *text, const char *expected)
{
	char copy[64];

	strcpy(copy, text);
	printable_make(copy, strlen(copy));
	assert_string_equal(copy, expected);
}

TEST(plain_text_stays)
{
	assert_made("", "");
	assert_made("./a b~\"\\$(x)", "./a b~\"\\$(x)");
	assert_made("\303\251\342\202\254\360\237\230\200\302\240",
		    "\303\251\342\202\254\360\237\230\200\302\240");
}

TEST(control_characters_go)
{
	assert_made("\033[31mred\007\n\t\r\177", "?[31mred?????");
	/* CSI as one character, in UTF-8 and alone. */
	assert_made("a\302\2331mb", "a??1mb");
	assert_made("a\2331mb", "a?1mb");
	assert_made("\302\237\302\200", "????");
}

TEST(broken_utf8_goes)
{
	assert_made("\303", "?");
	assert_made("\303(", "?(");
	assert_made("\342\202", "??");
	assert_made("\342\202\033[", "???[");
	assert_made("\300\233\301\233\365\200\200\200\377", "?????????");
	assert_made("\360\237\230", "???");
	/* ESC in forms that are longer than necessary. */
	assert_made("\340\200\233[", "???[");
	assert_made("\360\200\200\233[", "????[");
	/* Half of a UTF-16 pair, and what lies beyond U+10FFFF; their neighbors are characters. */
	assert_made("\355\240\200\355\237\277", "???\355\237\277");
	assert_made("\364\220\200\200\364\217\277\277", "????\364\217\277\277");
}

TEST(it_ends_where_it_is_told_to)
{
	char text[] = "a\n\0\n\303\251";

	printable_make(text, 5);
	assert_memory_equal(text, "a?\0??\251", 7);
}
