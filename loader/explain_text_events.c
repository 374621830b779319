/* --explain for people: what happens after the jump. */
#include "common/page.h"
#include "loader/explain_text.h"
#include "loader/trace_words.h"

#include <stdio.h>
#include <sys/wait.h>

static void tell_fault(const struct guest *guest, const struct trace_event *event, uint64_t number)
{
	char place[PLACE_BYTES], by[PLACE_BYTES];

	fprintf(stderr, "%s%6lu %s%s of %s, by %s\n", explain_style(RED), number,
		trace_detail_words(event), explain_style(PLAIN),
		explain_address(guest, event->address, place),
		explain_place(guest, event->instruction, by));
}

static void tell_pages(const struct trace_event *event)
{
	static const char done[][32] = {
	    [TRACE_REVEAL] = "revealed",
	    [TRACE_POPULATE] = "filled",
	    [TRACE_HUGE] = "revealed for 2 MiB pages",
	};

	fprintf(stderr, "       %s0x%lx-0x%lx%s, %lu page%s, %s: %s\n", explain_style(GREEN),
		event->address, event->address + event->pages * PAGE_BYTES, explain_style(PLAIN),
		event->pages, event->pages == 1 ? "" : "s", done[event->kind],
		trace_detail_words(event));
}

void explain_text_event(const struct guest *guest, const struct trace_event *event, uint64_t number)
{
	const char *detail = trace_detail_words(event);
	char place[PLACE_BYTES];

	switch (event->kind) {
	case TRACE_FAULT:
		tell_fault(guest, event, number);
		break;
	case TRACE_REVEAL:
	case TRACE_POPULATE:
	case TRACE_HUGE:
		tell_pages(event);
		break;
	case TRACE_SIGNAL:
		fprintf(stderr, "     - signal %s: its handler %s\n", detail,
			explain_place(guest, event->address, place));
		break;
	case TRACE_RETIRE:
		fprintf(stderr, "     - lazy paging ends, %lu pages are left to the kernel: %s\n",
			event->pages, detail);
		break;
	default:
		fprintf(stderr, "     - %s %s (thread %d)\n", trace_kind_word(event->kind), detail,
			event->thread);
	}
}

void explain_text_end(const struct guest *guest, int status)
{
	(void)guest;
	if (WIFEXITED(status))
		fprintf(stderr, "%sThe end:%s exit status %d\n", explain_style(BOLD),
			explain_style(PLAIN), WEXITSTATUS(status));
	else
		fprintf(stderr, "%sThe end:%s killed by %s\n", explain_style(BOLD),
			explain_style(PLAIN), signal_word(WTERMSIG(status)));
}
