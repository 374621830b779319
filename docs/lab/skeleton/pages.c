/* pages: brings pages of the program into memory. Step 2. */
#include "pages.h"
#include "say.h"

/*
 * TODO, step 2. There are three kinds of pages. Some have only bytes of the file, some only zeros,
 * and one may have bytes of the file up to file_end and zeros after it. With MAP_POPULATE the
 * kernel fills pages at once. MAP_FIXED silently replaces what is there: is there a safer flag?
 */
int bring_in(const struct program *program, const struct segment *segment, uintptr_t from,
	     uintptr_t to)
{
	(void)program;
	(void)segment;
	(void)from;
	(void)to;
	missing(2, "bring_in() in pages.c", "3-plan.md");
}
