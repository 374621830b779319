/* --layout: the frames of the program, written when it is over. */
#include "loader/watch/watch.h"

#include "common/placement/layout.h"
#include "common/report.h"

void layout_write(const struct guest *guest)
{
	const struct load_plan *plan = &guest->objects[PROGRAM].plan;
	const struct plan_mapping *last = &plan->mappings[plan->count - 1];
	struct output_file output = guest->layout;
	struct layout_text text = {.runs = false};
	const struct layout_visitor visitor = {layout_text_mapping, layout_text_page, &text};
	struct error error;

	output_file_begin(&output);
	text.file = output.stream;
	if (output.stream != NULL &&
	    !layout_read(0, plan->mappings[0].address, mapping_end(last), &visitor, &error))
		report_error(&error);
	if (output.stream != NULL)
		layout_text_end(&text);
	output_file_finish(&output);
}
