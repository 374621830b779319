/*
 * `fault-around`: the pages that the kernel itself would map at a touch. For a file they are the
 * pages of the aligned block that are in its cache (do_fault_around() in mm/memory.c: 64 KiB). For
 * anonymous memory it is the touched page alone. The policy never wastes a page.
 */
#include "loader/predict/predict.h"

struct prediction predict_fault_around(struct policy_state *state, const struct touch *touch)
{
	if (!touch->from_file)
		return predict_one(touch);
	return predict_around(touch->page, state->parameter, REASON_FAULT_AROUND);
}
