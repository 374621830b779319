/*
 * `block`: the aligned block around the touched page is revealed, and left to the kernel. The
 * policy never wastes a page and never saves a fault of the kernel's. The loader's own signal,
 * which is more expensive, is taken once per block.
 */
#include "loader/predict/predict.h"

struct prediction predict_block(struct policy_state *state, const struct touch *touch)
{
	return predict_around(touch->page, state->parameter, REASON_BLOCK);
}
