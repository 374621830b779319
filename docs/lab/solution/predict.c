/* predict: which pages will be touched next. */
#include "predict.h"
#include "program.h"

#define MOST_CREDIT 3

/* The counter stays small: after a long walk one jump or two are enough to make it careful. */
size_t predict(struct predictor *predictor, uintptr_t page)
{
	size_t ahead = 0;

	if (page == predictor->expected && predictor->right < MOST_CREDIT)
		predictor->right++;
	else if (page != predictor->expected && predictor->right > 0)
		predictor->right--;
	if (predictor->right > 0)
		ahead = predictor->right > 1 ? 2 : 1;
	predictor->expected = page + (1 + ahead) * PAGE_SIZE;
	return ahead;
}
