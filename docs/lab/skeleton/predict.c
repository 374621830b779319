/* predict: which pages will be touched next. Step 8. */
#include "predict.h"
#include "say.h"

/*
 * TODO, step 8. Start with a counter of right predictions. It goes up when the touched page is the
 * expected one, and down when it is not. Predict one more page when the counter is 1, and two when
 * it is above 1. Then do better.
 */
size_t predict(struct predictor *predictor, uintptr_t page)
{
	(void)predictor;
	(void)page;
	missing(8, "predict() in predict.c", "8-prediction.md");
}
