/*
 * `fault-around`: what the kernel itself would map at a touch. Of a file that is the aligned block
 * of pages that it has in its cache (do_fault_around() in mm/memory.c: 64 KiB); of anonymous memory
 * the touched page alone. Never wastes a page.
 */
#include "loader/predict/predict.h"

struct prediction predict_fault_around(struct policy_state *state, const struct touch *touch)
{
	if (!touch->from_file)
		return predict_one(touch);
	return predict_around(touch->page, state->parameter, REASON_FAULT_AROUND);
}
