/*
 * The cost of one page by every mechanism that a lazy pager in user space could use, and the cost
 * of intercepting one system call. This file holds the tables.
 */
#include "bench/experiments/experiment.h"
#include "bench/experiments/fault_cost.h"

#define ONE_A_FAULT "the kernel brings in one page a fault"

static const struct page_way kernel = {.hide = hide_not, .no_batch = ONE_A_FAULT};
static const struct page_way kernel_file = {.hide = hide_file, .no_batch = ONE_A_FAULT};
static const struct page_way huge = {
    .hide = hide_huge, .huge = true, .no_batch = "the kernel brings in 512 pages a fault"};
static const struct page_way populate = {
    .hide = hide_not, .reveal = reveal_populate, .server = BY_LOOP};
static const struct page_way signal_alone = {
    .hide = hide_forbid, .server = BY_SIGSEGV, .no_batch = "a signal alone brings in no page"};
static const struct page_way by_mmap = {
    .hide = hide_forbid, .reveal = reveal_mmap, .server = BY_SIGSEGV};
static const struct page_way mmap_populate = {
    .hide = hide_forbid, .reveal = reveal_mmap, .server = BY_SIGSEGV, .populate = true};
static const struct page_way by_mprotect = {
    .hide = hide_forbid_joined, .reveal = reveal_mprotect, .server = BY_SIGSEGV};
static const struct page_way mprotect_populate = {
    .hide = hide_forbid_joined, .reveal = reveal_mprotect, .server = BY_SIGSEGV, .populate = true};
static const struct page_way guard = {
    .hide = hide_guard, .reveal = reveal_guard, .server = BY_SIGSEGV};
static const struct page_way guard_populate = {
    .hide = hide_guard, .reveal = reveal_guard, .server = BY_SIGSEGV, .populate = true};
static const struct page_way uffd_sigbus = {
    .hide = hide_uffd_sigbus, .reveal = reveal_copy, .server = BY_SIGBUS};
static const struct page_way uffd_thread = {
    .hide = hide_uffd_thread, .reveal = reveal_copy, .server = BY_THREAD};
static const struct page_way uffd_one_cpu = {
    .hide = hide_uffd_thread, .reveal = reveal_copy, .server = BY_THREAD, .one_cpu = true};

static const struct column page_columns[] = {
    {ONE_AT_A_TIME, 0}, {"16 at a time", 0}, {MANY_AT_A_TIME, 0}, {"256 at a time", 0}, {"", 0}};

static const struct row page_rows[] = {
    {ROW_KERNEL, fault_cost_pages, &kernel, 0},
    {"kernel, private copy of a file", fault_cost_pages, &kernel_file, 0},
    {"kernel, 2 MiB huge page", fault_cost_pages, &huge, 0},
    {"MADV_POPULATE_WRITE, no fault", fault_cost_pages, &populate, 0},
    {ROW_SIGNAL, fault_cost_pages, &signal_alone, 0},
    {ROW_MMAP, fault_cost_pages, &by_mmap, 0},
    {ROW_MMAP_POPULATE, fault_cost_pages, &mmap_populate, 0},
    {ROW_MPROTECT, fault_cost_pages, &by_mprotect, 0},
    {ROW_PERMIT_POPULATE, fault_cost_pages, &mprotect_populate, 0},
    {ROW_GUARD, fault_cost_pages, &guard, 0},
    {ROW_GUARD_POPULATE, fault_cost_pages, &guard_populate, 0},
    {ROW_UFFD_SIGBUS, fault_cost_pages, &uffd_sigbus, 0},
    {ROW_UFFD_THREAD, fault_cost_pages, &uffd_thread, 0},
    {ROW_UFFD_ONE_CPU, fault_cost_pages, &uffd_one_cpu, 0},
    {NULL, NULL, NULL, 0},
};

/* The number of calls that take about 50 ms. */
#define CHEAP_CALLS 200000
#define DEAR_CALLS  10000
#define STOPS	    4000

static const struct call_way plain = {.call = plain_call, .arm = arm_nothing, .calls = CHEAP_CALLS};
static const struct call_way selector = {
    .call = plain_call, .arm = arm_selector, .calls = CHEAP_CALLS};
static const struct call_way range = {
    .call = allowed_call, .arm = arm_blocking, .calls = CHEAP_CALLS};
static const struct call_way dispatched = {
    .call = plain_call, .arm = arm_blocking, .calls = DEAR_CALLS};
static const struct call_way filter_number = {
    .call = plain_call, .arm = arm_filter_allow, .calls = CHEAP_CALLS, .instructions = 4};
static const struct call_way filter_short = {.call = plain_call,
					     .arm = arm_filter_allow,
					     .calls = CHEAP_CALLS,
					     .instructions = 4,
					     .looks_at_argument = true};
static const struct call_way filter_long = {.call = plain_call,
					    .arm = arm_filter_allow,
					    .calls = CHEAP_CALLS,
					    .instructions = 50,
					    .looks_at_argument = true};
static const struct call_way filter_trap = {
    .call = plain_call, .arm = arm_filter_trap, .calls = DEAR_CALLS};
static const struct call_way notify = {
    .call = plain_call, .arm = arm_filter_notify, .calls = STOPS};
static const struct call_way notify_one_cpu = {
    .call = plain_call, .arm = arm_filter_notify, .calls = STOPS, .one_cpu = true};
static const struct traced_way stops = {.calls = STOPS};
static const struct traced_way stops_one_cpu = {.calls = STOPS, .one_cpu = true};
static const struct traced_way emulated = {.calls = STOPS, .emulate = true};
static const struct traced_way emulated_one_cpu = {
    .calls = STOPS, .emulate = true, .one_cpu = true};

static const struct column call_columns[] = {{CALL_COLUMN, 0}, {"", 0}};

static const struct row call_rows[] = {
    {ROW_PLAIN, fault_cost_calls, &plain, 0},
    {ROW_ALLOWED_SELECTOR, fault_cost_calls, &selector, 0},
    {ROW_ALLOWED_RANGE, fault_cost_calls, &range, 0},
    {ROW_DISPATCHED, fault_cost_calls, &dispatched, 0},
    {"seccomp allows, 4 instructions on the number", fault_cost_calls, &filter_number, 0},
    {"seccomp allows, 4 instructions on an argument", fault_cost_calls, &filter_short, 0},
    {"seccomp allows, 50 instructions on an argument", fault_cost_calls, &filter_long, 0},
    {"seccomp traps, SIGSYS handler calls", fault_cost_calls, &filter_trap, 0},
    {"seccomp notifies, a thread answers", fault_cost_calls, &notify, 0},
    {"seccomp notifies, both on one CPU", fault_cost_calls, &notify_one_cpu, 0},
    {"PTRACE_SYSCALL, two stops", fault_cost_traced, &stops, 0},
    {"PTRACE_SYSCALL, both on one CPU", fault_cost_traced, &stops_one_cpu, 0},
    {"PTRACE_SYSEMU, one stop", fault_cost_traced, &emulated, 0},
    {"PTRACE_SYSEMU, both on one CPU", fault_cost_traced, &emulated_one_cpu, 0},
    {NULL, NULL, NULL, 0},
};

static const struct table tables[] = {
    {PAGES_TABLE, page_columns, page_rows, SHOW_MEDIAN},
    {CALLS_TABLE, call_columns, call_rows, SHOW_MEDIAN},
};

static const struct experiment experiment = {
    .name = "fault_cost",
    .summary = "One page by every mechanism, and one system call by every way to intercept it.",
    .found = "earlier measurements in a 2-core VM of Linux 6.18 took 2.3 to 4.1 us for a page that "
	     "the kernel brings in, 9.8 to 11.1 us for a guarded page that a SIGSEGV handler "
	     "reveals one at a time and 3.6 us in batches of 64; an armed dispatch added 0.1 to "
	     "0.26 us to a call that it allowed, and a dispatched call took 3.0 to 5.6 us.",
    .tables = tables,
    .table_count = sizeof(tables) / sizeof(tables[0]),
    .default_mib = 32,
    .default_rounds = 7,
    .holds = fault_cost_verdict,
};

int main(int argc, char **argv)
{
	return experiment_main(&experiment, argc, argv);
}
