/* --layout: writes the frames of the program when it is over. */
#include "loader/watch/watch.h"

#include "common/placement/layout.h"

#include <unistd.h>

/* Reads from the first mapping to the last. There is no mapping if no segment has a byte. */
static void read_frames(const struct load_plan *plan, const struct held *held,
			const struct layout_visitor *visitor)
{
	FILE *maps = plan->count > 0 ? fdopen(dup(held->maps), "r") : NULL;

	if (maps == NULL)
		return;
	layout_read_files(maps, held->pagemap, plan->mappings[0].address,
			  mapping_end(&plan->mappings[plan->count - 1]), visitor);
	fclose(maps);
}

void layout_write(const struct guest *guest, const struct held *held)
{
	struct output_file output = guest->layout;
	struct layout_text text = {.runs = false};
	const struct layout_visitor visitor = {layout_text_mapping, layout_text_page, &text};

	output_file_begin(&output);
	text.file = output.stream;
	if (output.stream != NULL) {
		read_frames(&guest->objects[PROGRAM].plan, held, &visitor);
		layout_text_end(&text);
	}
	output_file_finish(&output);
}
