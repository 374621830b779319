/*
 * steps POLICY TOUCH...: what a policy answers, touch by touch. A touch is a page number, written
 * to; with an r after it, it is only read. FIRST-LAST are all pages from one to the other, up or
 * down. Prints a line for each page that is not there yet when it is touched, and sums at the end.
 *
 * Built by hand: chapter 8 of the course shows the command.
 */
#include "loader/cli/policies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One region of .bss, as it were; no policy can have page 0, which means "none" to them. */
#define REGION_START 1
#define REGION_END   65536

enum { HIDDEN, REVEALED, POPULATED };

static const char *const bring_names[] = {"reveals", "populates", "asks for huge pages in"};

static unsigned char state[REGION_END], touched[REGION_END];
static unsigned long touches, faults;

static void bring(const struct prediction *wanted, unsigned long page)
{
	unsigned long last = wanted->first + (wanted->pages - 1) * wanted->step;

	printf("  %lu: %s %lu", page, bring_names[wanted->bring], wanted->first);
	if (wanted->pages > 1)
		printf(" to %lu", last);
	if (wanted->step > 1)
		printf(", %lu apart", wanted->step);
	printf("\n");
	for (unsigned long i = wanted->first; i <= last && i < REGION_END; i += wanted->step)
		if (i >= REGION_START && state[i] == HIDDEN)
			state[i] = wanted->bring == BRING_POPULATE ? POPULATED : REVEALED;
	if (state[page] == HIDDEN)
		state[page] = REVEALED;
}

static void touch_page(policy_function *predict, struct policy_state *policy, unsigned long page,
		       bool write)
{
	struct touch touch = {.page = page,
			      .region_start = REGION_START,
			      .region_end = REGION_END,
			      .write = write,
			      .copies = true,
			      .huge_pages = true};
	struct prediction wanted;

	touches++;
	touched[page] = 1;
	if (state[page] != HIDDEN)
		return;
	faults++;
	wanted = predict(policy, &touch);
	bring(&wanted, page);
}

static _Noreturn void refuse(const char *word)
{
	fprintf(stderr, "steps: a touch is PAGE or FIRST-LAST, from %d to %d, not '%s'\n",
		REGION_START, REGION_END - 1, word);
	exit(2);
}

/* "FIRST", "FIRST-LAST", and r after either. */
static void touch_word(policy_function *predict, struct policy_state *policy, const char *word)
{
	char *end;
	unsigned long first = strtoul(word, &end, 10);
	unsigned long last = *end == '-' ? strtoul(end + 1, &end, 10) : first;
	bool write = strcmp(end, "r") != 0;

	if ((write && *end != '\0') || first < REGION_START || first >= REGION_END ||
	    last < REGION_START || last >= REGION_END)
		refuse(word);
	for (unsigned long page = first;; page += first < last ? 1 : -1UL) {
		touch_page(predict, policy, page, write);
		if (page == last)
			return;
	}
}

int main(int argc, char **argv)
{
	struct policy_state state_of_policy = {0};
	const struct policy *policy;
	struct error error;
	unsigned long wasted = 0;

	if (argc < 3) {
		fprintf(stderr, "Usage: steps POLICY TOUCH...\n");
		return 2;
	}
	policy = policy_parse(argv[1], &state_of_policy.parameter, &error);
	if (policy == NULL) {
		fprintf(stderr, "steps: %s\n", error.text);
		return 2;
	}
	for (int i = 2; i < argc; i++)
		touch_word(policy->predict, &state_of_policy, argv[i]);
	for (unsigned long page = REGION_START; page < REGION_END; page++)
		wasted += state[page] == POPULATED && !touched[page];
	printf("%lu touches, %lu faults, %lu pages wasted\n", touches, faults, wasted);
	return 0;
}
