/* The records of revealed pages against the simplest ones: a flag for each page. */
#include "loader/resident/pager/revealed.h"
#include "tests/unit/unit.h"

/* Begins and ends inside chunks, and inside words of the bitmap. */
#define START	  (7 * CHUNK_BYTES - 37 * PAGE_BYTES)
#define PAGES	  3000
#define FIRST_BIT 45
#define CHUNKS	  8

struct model {
	struct pager pager;
	struct pager_region *region;
	bool revealed[PAGES];
	uint64_t words[(FIRST_BIT + PAGES) / 64 + 1];
	uint16_t chunks[CHUNKS];
	uint32_t log[PAGES];
};

static struct model *begin(bool logs)
{
	struct model *model = calloc(1, sizeof(*model));

	assert_non_null(model);
	model->pager.revealed = model->words;
	model->pager.chunks = model->chunks;
	model->pager.log = logs ? model->log : NULL;
	model->pager.hidden = PAGES;
	model->region = &model->pager.regions[0];
	*model->region = (struct pager_region){
	    .start = START,
	    .end = START + PAGES * PAGE_BYTES,
	    .first_bit = FIRST_BIT,
	    .first_chunk = 1,
	    .hidden = PAGES,
	    .closable = true,
	};
	return model;
}

static void mark(struct model *model, uint64_t first, uint64_t count)
{
	revealed_mark(&model->pager, model->region, (struct page_run){first, count}, TOUCH_READ);
	memset(model->revealed + first, 1, count);
}

static bool chunk_has_revealed(const struct model *model, uint64_t page)
{
	struct page_run chunk = revealed_chunk(model->region, page);

	return memchr(model->revealed + chunk.first, 1, chunk.count) != NULL;
}

static void assert_equal_to_model(const struct model *model)
{
	uint64_t hidden = 0, next = PAGES, end = PAGES;

	for (uint64_t page = PAGES; page-- > 0;) {
		struct page_run run =
		    revealed_next_hidden(&model->pager, model->region, page, PAGES);
		bool revealed = model->revealed[page];

		assert_int_equal(revealed_includes(&model->pager, model->region, page), revealed);
		if (!revealed && (page + 1 == PAGES || model->revealed[page + 1]))
			end = page + 1;
		next = revealed ? next : page;
		hidden += !revealed;
		assert_int_equal(run.first, next);
		assert_int_equal(run.count, next == PAGES ? 0 : end - next);
		if (model->region->hidden > 0)
			assert_int_equal(revealed_is_closed(&model->pager, model->region, page),
					 !chunk_has_revealed(model, page));
	}
	assert_int_equal(model->region->hidden, hidden);
	assert_int_equal(model->pager.hidden, hidden);
	if (model->pager.log != NULL)
		assert_int_equal(model->pager.log_count, PAGES - hidden);
}

static void any_runs(bool logs)
{
	unsigned begin_with = getenv("SEED") != NULL ? (unsigned)atoi(getenv("SEED")) : 1;

	print_message("again: SEED=%u build/musl-release/unit/test_revealed\n", begin_with);
	for (unsigned seed = begin_with; seed < begin_with + 8; seed++) {
		struct model *model = begin(logs);

		srand(seed);
		assert_equal_to_model(model);
		for (int i = 0; i < 60; i++) {
			uint64_t first = (uint64_t)rand() % PAGES;
			uint64_t most = i % 4 == 0 ? PAGES - first : 40;
			uint64_t count = 1 + (uint64_t)rand() % most;

			mark(model, first, first + count > PAGES ? PAGES - first : count);
			assert_equal_to_model(model);
		}
		mark(model, 0, PAGES);
		assert_equal_to_model(model);
		free(model);
	}
}

TEST(runs_of_any_length)
{
	any_runs(false);
}

TEST(and_with_a_log)
{
	any_runs(true);
}

/* A whole chunk costs its count, and no word of the bitmap. */
TEST(whole_chunks_leave_the_bitmap_alone)
{
	struct model *model = begin(false);
	struct page_run chunk = revealed_chunk(model->region, 100);

	assert_int_equal(chunk.first, 37);
	mark(model, chunk.first, 2 * chunk.count);
	for (size_t i = 0; i < sizeof(model->words) / sizeof(model->words[0]); i++)
		assert_int_equal(model->words[i], 0);
	assert_equal_to_model(model);
	free(model);
}
