/* --layout: the frames of the program, written when it is over. */
#include "loader/watch/watch.h"

#include "common/placement/layout.h"

/* From the first mapping to the last one: there is none where no segment has a byte. */
static bool read_frames(const struct load_plan *plan, const struct layout_visitor *visitor,
			struct error *error)
{
	return plan->count == 0 ||
	       layout_read(0, plan->mappings[0].address,
			   mapping_end(&plan->mappings[plan->count - 1]), visitor, error);
}

void layout_write(const struct guest *guest)
{
	struct output_file output = guest->layout;
	struct layout_text text = {.runs = false};
	const struct layout_visitor visitor = {layout_text_mapping, layout_text_page, &text};
	struct error error;

	output_file_begin(&output);
	text.file = output.stream;
	if (output.stream != NULL &&
	    !read_frames(&guest->objects[PROGRAM].plan, &visitor, &error)) {
		output_file_abandon(&output, &error);
		return;
	}
	if (output.stream != NULL)
		layout_text_end(&text);
	output_file_finish(&output);
}
