/*
 * The cost of one page by every mechanism that a lazy pager in user space could use, and the cost
 * of intercepting one system call. This file holds the tables.
 */
#include "bench/experiments/results.h"
#include "bench/experiments/fault_cost.h"

#define ONE_A_FAULT  "the kernel brings in one page a fault"
#define HUGE_A_FAULT "the kernel brings in 512 pages a fault"
#define SIGNAL_ALONE "a signal alone brings in no page"

/* What stands behind a row's name. */
#define PAGES(...) fault_cost_pages, (&(const struct page_way){__VA_ARGS__}), 0
#define SERVED(by, how, shown, ...)                                                                \
	PAGES(.server = (by), .hide = (how), .reveal = (shown), __VA_ARGS__)
#define CALLS(how, count, ...)                                                                     \
	fault_cost_calls, (&(const struct call_way){.arm = (how), .calls = (count), __VA_ARGS__}), 0
#define TRACED(...) fault_cost_traced, (&(const struct traced_way){.calls = STOPS, __VA_ARGS__}), 0

static const struct column page_columns[] = {
    [ONE_AT_A_TIME] = {"ns a page, 1 at a time", 0},
    [SIXTEEN_AT_A_TIME] = {"16 at a time", 0},
    [MANY_AT_A_TIME] = {"64 at a time", 0},
    [MOST_AT_A_TIME] = {"256 at a time", 0},
    {"", 0},
};

static const struct row page_rows[] = {
    {ROW_KERNEL, PAGES(.hide = hide_not, .no_batch = ONE_A_FAULT)},
    {"kernel, private copy of a file", PAGES(.hide = hide_file, .no_batch = ONE_A_FAULT)},
    {"kernel, 2 MiB huge page", PAGES(.hide = hide_huge, .huge = true, .no_batch = HUGE_A_FAULT)},
    {"MADV_POPULATE_WRITE, no fault", SERVED(BY_LOOP, hide_not, reveal_populate)},
    {ROW_SIGNAL, SERVED(BY_SIGSEGV, hide_forbid, NULL, .no_batch = SIGNAL_ALONE)},
    {ROW_MMAP, SERVED(BY_SIGSEGV, hide_forbid, reveal_mmap)},
    {ROW_MMAP_POPULATE, SERVED(BY_SIGSEGV, hide_forbid, reveal_mmap, .populate = true)},
    {ROW_MPROTECT, SERVED(BY_SIGSEGV, hide_forbid_joined, reveal_mprotect)},
    {ROW_PERMIT_POPULATE,
     SERVED(BY_SIGSEGV, hide_forbid_joined, reveal_mprotect, .populate = true)},
    {ROW_GUARD, SERVED(BY_SIGSEGV, hide_guard, reveal_guard)},
    {ROW_GUARD_POPULATE, SERVED(BY_SIGSEGV, hide_guard, reveal_guard, .populate = true)},
    {ROW_UFFD_SIGBUS, SERVED(BY_SIGBUS, hide_uffd_sigbus, reveal_copy)},
    {ROW_UFFD_THREAD, SERVED(BY_THREAD, hide_uffd_thread, reveal_copy)},
    {ROW_UFFD_ONE_CPU, SERVED(BY_THREAD, hide_uffd_thread, reveal_copy, .one_cpu = true)},
    {NULL, NULL, NULL, 0},
};

/* The number of calls that take about 50 ms. */
#define CHEAP_CALLS 200000
#define DEAR_CALLS  10000
#define STOPS	    4000

static const struct column call_columns[] = {{"ns a call", 0}, {"", 0}};

static const struct row call_rows[] = {
    {ROW_PLAIN, CALLS(arm_nothing, CHEAP_CALLS)},
    {ROW_ALLOWED_SELECTOR, CALLS(arm_selector, CHEAP_CALLS)},
    {ROW_ALLOWED_RANGE, CALLS(arm_blocking, CHEAP_CALLS, .call = allowed_call)},
    {ROW_DISPATCHED, CALLS(arm_blocking, DEAR_CALLS)},
    {"seccomp allows, 4 instructions on the number",
     CALLS(arm_filter_allow, CHEAP_CALLS, .instructions = 4)},
    {"seccomp allows, 4 instructions on an argument",
     CALLS(arm_filter_allow, CHEAP_CALLS, .instructions = 4, .looks_at_argument = true)},
    {"seccomp allows, 50 instructions on an argument",
     CALLS(arm_filter_allow, CHEAP_CALLS, .instructions = 50, .looks_at_argument = true)},
    {"seccomp traps, SIGSYS handler calls", CALLS(arm_filter_trap, DEAR_CALLS)},
    {"seccomp notifies, a thread answers", CALLS(arm_filter_notify, STOPS)},
    {"seccomp notifies, both on one CPU", CALLS(arm_filter_notify, STOPS, .one_cpu = true)},
    {"PTRACE_SYSCALL, two stops", TRACED(.one_cpu = false)},
    {"PTRACE_SYSCALL, both on one CPU", TRACED(.one_cpu = true)},
    {"PTRACE_SYSEMU, one stop", TRACED(.emulate = true)},
    {"PTRACE_SYSEMU, both on one CPU", TRACED(.emulate = true, .one_cpu = true)},
    {NULL, NULL, NULL, 0},
};

const struct experiment experiment = {
    .name = "fault_cost",
    .summary = "One page by every mechanism, and one system call by every way to intercept it.",
    .found = "earlier measurements in a 2-core VM of Linux 6.18 took 2.3 to 4.1 us for a page that "
	     "the kernel brings in, 9.8 to 11.1 us for a guarded page that a SIGSEGV handler "
	     "reveals one at a time and 3.6 us in batches of 64; an armed dispatch added 0.1 to "
	     "0.26 us to a call that it allowed, and a dispatched call took 3.0 to 5.6 us.",
    .tables =
	{
	    {PAGES_TABLE, page_columns, page_rows, SHOW_MEDIAN},
	    {CALLS_TABLE, call_columns, call_rows, SHOW_MEDIAN},
	},
    .default_mib = 32,
    .default_rounds = 7,
    .holds = fault_cost_verdict,
};
