/* --explain for people: what happens after the jump. */
#include "loader/watch/explain.h"

#include "common/page.h"
#include "common/report.h"
#include "loader/watch/trace_words.h"

#include <stdio.h>
#include <sys/wait.h>

/* Writes `write of 0x402830, first+0x0 in .bss, by main+0x1a in .text`, and ends the line. */
static void tell_access(const struct guest *guest, const struct trace_event *event)
{
	char place[PLACE_BYTES], by[PLACE_BYTES];
	const char *address = "an address that no page can have";

	if (event->kind == TRACE_FAULT || event->detail != TRACE_NO_ADDRESS)
		address = explain_address(guest, event->address, place);
	fprintf(stderr, "%s%s of %s, by %s\n", trace_detail_words(event), explain_style(PLAIN),
		address, explain_place(guest, event->instruction, by));
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
		fprintf(stderr, "%s%6lu ", explain_style(RED), number);
		tell_access(guest, event);
		break;
	case TRACE_FATAL:
		fprintf(stderr, "     - %skilled (thread %d): ", explain_style(RED), event->thread);
		tell_access(guest, event);
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
		fprintf(stderr, "     - lazy paging ends, with %lu page%s left to the kernel: %s\n",
			event->pages, plural(event->pages), detail);
		break;
	default:
		fprintf(stderr, "     - %s %s (thread %d)\n", trace_kind_word(event->kind), detail,
			event->thread);
	}
}

void explain_text_end(const struct guest *guest, int status, const struct trace_event *fatal)
{
	fprintf(stderr, "%sThe end:%s ", explain_style(BOLD), explain_style(PLAIN));
	if (WIFEXITED(status)) {
		fprintf(stderr, "exit status %d\n", WEXITSTATUS(status));
		return;
	}
	fprintf(stderr, "killed by %s%s", signal_word(WTERMSIG(status)),
		fatal != NULL ? ": " : "\n");
	if (fatal != NULL)
		tell_access(guest, fatal);
}
