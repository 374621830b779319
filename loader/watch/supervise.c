/*
 * Watches the program. The loader starts a child process, which does everything that follows and
 * becomes the program. The loader itself keeps its memory, waits, reports, and ends with the
 * program's status.
 */
#include "loader/watch/supervise.h"

#include "common/arch/syscall.h"
#include "common/clock.h"
#include "common/descriptor.h"
#include "common/kernel_abi.h"
#include "common/report.h"
#include "loader/resident/signals/kernel_signals.h"
#include "loader/watch/child.h"
#include "loader/watch/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* The loader checks for signals this often until the program starts. */
#define LOOK_MILLISECONDS 5

/* A program that runs longer has started: see struct supervise_reports. */
#define START_SECONDS 5
#define NANOSECONDS   UINT64_C(1000000000)

#define TIMERS 3 /* of setitimer(2) */

/* State that exec would leave to the program and fork does not. */
struct inheritance {
	struct itimerval timers[TIMERS]; /* indexed by the timer's number */
	struct kernel_sigaction sigchld;
	uint64_t mask;
	int death_signal; /* PR_SET_PDEATHSIG */
	int adopts;	  /* PR_SET_CHILD_SUBREAPER */
};

/* A program that is watched. Used in the loader and, until the program starts, in its child. */
static struct {
	struct guest *guest;
	const struct supervise_reports *report;
	pid_t loader, child;
	int channel; /* a socket to the other process, until the program starts */
	int life[2]; /* a pipe: the loader has the write end; see struct holder_start */
	struct held held;
} watched;

/* How long the program's start may still take; NULL: no limit. */
static const struct timespec *time_to_start(uint64_t start_ns, struct timespec *left)
{
	uint64_t now = clock_now_ns();

	if (now >= start_ns)
		return NULL;
	*left = (struct timespec){(time_t)((start_ns - now) / NANOSECONDS),
				  (long)((start_ns - now) % NANOSECONDS)};
	return left;
}

/*
 * Waits for the program's end. If there is a trace, the loader reads it meanwhile. Reports the end
 * of the program's start, unless `guest` is NULL: then a child ends before the program starts.
 */
static int wait_for_end(const struct guest *guest, struct rusage *usage)
{
	uint64_t start_ns = clock_now_ns() + START_SECONDS * NANOSECONDS;
	bool is_started = false;
	struct timespec left;
	int status;

	for (;;) {
		const struct timespec *patience = trace_read_some();

		if (patience == NULL)
			patience = time_to_start(start_ns, &left);
		if (child_next_signal(watched.child, patience) == SIGCHLD &&
		    child_is_over(watched.child, &status, usage))
			return status;
		if (guest == NULL || is_started || clock_now_ns() < start_ns)
			continue;
		is_started = true;
		watched.report->started(guest, &watched.held);
	}
}

/*
 * Waits until the program is about to start. Returns true, with the child's message in
 * watched.held; false if the child has ended before.
 */
static bool wait_for_start(struct guest *guest)
{
	static const struct timespec at_once = {0, 0};
	struct pollfd channel = {.fd = watched.channel, .events = POLLIN};
	struct rusage usage;
	int status;

	while (poll(&channel, 1, LOOK_MILLISECONDS) <= 0)
		for (int number; (number = child_next_signal(watched.child, &at_once)) > 0;)
			if (number == SIGCHLD && child_is_over(watched.child, &status, &usage))
				child_end_like(status);
	return held_receive(watched.channel, &watched.held, &guest->exact);
}

/* The loader's part, for as long as the program runs. */
static _Noreturn void watch(struct guest *guest)
{
	struct rusage usage;
	int status;

	close(watched.life[0]);
	if (!wait_for_start(guest))
		child_end_like(wait_for_end(NULL, &usage));
	watch_take_over(guest, &watched.held);
	watch_close_inherited(guest);
	trace_read_begin(guest, watched.child);
	/* The child continues. From here on it is killed when this process ends. */
	(void)!write(watched.channel, "", 1);
	close(watched.channel);
	status = wait_for_end(guest, &usage);
	trace_read_end(status);
	watched.report->end(guest, &watched.held, &usage, status);
	held_end(&watched.held);
	child_end_like(status);
}

/*
 * Saves the state that a child would lose or change, and clears what the loader must not have: the
 * signal mask, timers, and a disposition of SIGCHLD with which the child could not be waited for.
 */
static void take_inheritance(struct inheritance *taken)
{
	static const uint64_t every_signal = UINT64_MAX;
	static const struct kernel_sigaction wait_for_children = {.handler = KERNEL_SIG_DFL};
	static const struct itimerval none;

	raw_syscall6(SYS_rt_sigprocmask, SIG_BLOCK, (uint64_t)&every_signal, (uint64_t)&taken->mask,
		     KERNEL_SIGSET_SIZE, 0, 0);
	kernel_action(SIGCHLD, &wait_for_children, &taken->sigchld);
	for (int which = 0; which < TIMERS; which++)
		raw_syscall3(SYS_setitimer, (uint64_t)which, (uint64_t)&none,
			     (uint64_t)&taken->timers[which]);
	prctl(PR_GET_PDEATHSIG, &taken->death_signal);
	prctl(PR_GET_CHILD_SUBREAPER, &taken->adopts);
}

static void give_inheritance(const struct inheritance *taken)
{
	kernel_action(SIGCHLD, &taken->sigchld, NULL);
	for (int which = 0; which < TIMERS; which++)
		raw_syscall3(SYS_setitimer, (uint64_t)which, (uint64_t)&taken->timers[which], 0);
	prctl(PR_SET_PDEATHSIG, (long)taken->death_signal);
	prctl(PR_SET_CHILD_SUBREAPER, (long)taken->adopts);
	kernel_mask(SIG_SETMASK, taken->mask);
}

/* Opens the connection of the two processes: channels[1] is the child's end. */
static bool connect_processes(int channels[2], struct error *error)
{
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channels) == 0 &&
	    pipe2(watched.life, O_CLOEXEC) == 0 && descriptors_above_standard(channels) &&
	    descriptors_above_standard(watched.life))
		return true;
	return error_set(error, EXIT_OURS,
			 "it cannot be connected with the process that watches it: %s; %s",
			 strerror(errno), error_file_remedy(errno));
}

bool supervise(struct guest *guest, const struct supervise_reports *report, struct error *error)
{
	struct inheritance inheritance = {.death_signal = 0, .adopts = 0};
	int channels[2];

	if (!connect_processes(channels, error))
		return false;
	take_inheritance(&inheritance);
	fflush(NULL);
	watched.report = report;
	watched.loader = getpid();
	/* Not fork(3): with --coverage gcc replaces it by a function of its own. */
	watched.child = (pid_t)raw_syscall6(SYS_clone, SIGCHLD, 0, 0, 0, 0, 0);
	if (watched.child < 0)
		return error_set(
		    error, EXIT_OURS,
		    "no process can be started for it: %s; raise the limit of processes "
		    "(ulimit -u)",
		    strerror(-watched.child));
	watched.channel = channels[watched.child == 0];
	close(channels[watched.child != 0]);
	if (watched.child > 0)
		watch(guest);
	close(watched.life[1]);
	give_inheritance(&inheritance);
	return true;
}

static void close_outputs(const struct guest *guest)
{
	const struct output_file *outputs[] = {&guest->statistics, &guest->trace,  &guest->order,
					       &guest->record,	   &guest->layout, &guest->learned};

	for (size_t i = 0; i < sizeof(outputs) / sizeof(outputs[0]); i++)
		if (outputs[i]->descriptor > 0)
			close(outputs[i]->descriptor);
}

/* Whether the loader reads the program's memory after the program's end. */
static bool is_memory_wanted(const struct guest *guest)
{
	const struct options *options = &guest->options;

	return options->statistics || options->record != NULL || options->layout != NULL ||
	       guest->learns;
}

static const char *hold_remedy(int reason)
{
	switch (reason) {
	case ENOENT:
		return "mount /proc";
	case EAGAIN:
		return "raise the limit of processes (ulimit -u)";
	case EMFILE:
		return error_file_remedy(reason);
	default:
		return "allow clone(2), ppoll(2) and seccomp(2)";
	}
}

/*
 * Holds the memory. A trace or a story does not need the memory. If it cannot be held then, the
 * program dies with its loader as long as it keeps its user IDs (PR_SET_PDEATHSIG).
 */
static bool hold(const struct guest *guest, struct held *held, struct error *error)
{
	const struct holder_start start = {
	    .life = watched.life[0], .victim = getpid(), .parent = watched.loader};

	if (hold_memory(&start, held))
		return true;
	*held = (struct held){0, -1, -1, -1, -1};
	if (is_memory_wanted(guest))
		return error_set(
		    error, EXIT_OURS,
		    "its memory cannot be held for the process that watches it: %s; %s",
		    strerror(errno), hold_remedy(errno));
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	return true;
}

bool supervise_begin(const struct guest *guest, struct error *error)
{
	struct held held;
	char byte;
	ssize_t got;

	if (!hold(guest, &held, error))
		return false;
	held_send(watched.channel, &held, guest->exact);
	if (held.holder != 0)
		held_close(&held);
	if (guest->exact >= 0)
		close(guest->exact);
	close(watched.life[0]);
	close_outputs(guest);
	do
		got = read(watched.channel, &byte, 1);
	while (got < 0 && errno == EINTR);
	close(watched.channel);
	return got == 1 || error_set(error, EXIT_OURS, "the process that watches it was killed");
}
