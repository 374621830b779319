/* Measures the rows of an experiment, each by a child process, and gives their values back. */
#include "bench/experiments/results.h"
#include "bench/shared/statistics.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

size_t table_columns(const struct table *table)
{
	size_t count = 0;

	while (table->columns[count].name[0] != '\0')
		count++;
	return count;
}

size_t table_rows(const struct table *table)
{
	size_t count = 0;

	while (table->rows[count].name != NULL)
		count++;
	return count;
}

size_t results_first_row(const struct results *results, size_t table)
{
	size_t first = 0;

	for (size_t i = 0; i < table; i++)
		first += table_rows(&results->experiment->tables[i]);
	return first;
}

void results_values(const struct results *results, size_t row, size_t column, double *values)
{
	for (size_t i = 0; i < results->rounds; i++)
		values[i] = results->readings[i * results->row_count + row].value[column];
}

const char *results_reason(const struct results *results, size_t row)
{
	for (size_t i = 0; i < results->rounds; i++) {
		const struct reading *reading = &results->readings[i * results->row_count + row];

		if (reading->reason[0] != '\0')
			return reading->reason;
	}
	return NULL;
}

void reading_absent(struct reading *reading, const char *format, ...)
{
	va_list arguments;

	if (reading->reason[0] != '\0')
		return;
	va_start(arguments, format);
	vsnprintf(reading->reason, sizeof(reading->reason), format, arguments);
	va_end(arguments);
}

/* Of the row being measured, in its child process; shared with the parent. */
static struct reading *current;

_Noreturn void experiment_fail(const char *format, ...)
{
	va_list arguments;

	for (size_t i = 0; i < READING_COLUMNS; i++)
		current->value[i] = NAN;
	va_start(arguments, format);
	vsnprintf(current->reason, sizeof(current->reason), format, arguments);
	va_end(arguments);
	_exit(0);
}

int experiment_file(const struct settings *settings, size_t bytes)
{
	char path[4096];
	int fd;

	/* Not O_TMPFILE: overlay and network file systems do without it. */
	snprintf(path, sizeof(path), "%s/experiment.XXXXXX", settings->folder);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		experiment_fail("no file in %s: %s", settings->folder, strerror(errno));
	unlink(path);
	if (ftruncate(fd, (off_t)bytes) != 0)
		experiment_fail("%zu bytes in %s: %s", bytes, settings->folder, strerror(errno));
	return fd;
}

static const struct row *find_row(const struct experiment *experiment, size_t number)
{
	const struct table *table = experiment->tables;

	while (number >= table_rows(table))
		number -= table_rows(table++);
	return &table->rows[number];
}

static void clear(struct reading *reading)
{
	for (size_t i = 0; i < READING_COLUMNS; i++)
		reading->value[i] = NAN;
	reading->reason[0] = '\0';
}

/* The child dies with this process, and takes its own children along as a process group. */
static pid_t start_child(const struct row *row, const struct settings *settings)
{
	pid_t pid = fork();

	if (pid == 0) {
		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		row->measure(settings, row->parameter, current);
		_exit(0);
	}
	return pid;
}

static bool measure_row(struct results *results, size_t round, size_t number)
{
	struct settings settings = results->settings;
	pid_t pid;
	int status;

	settings.seed += round;
	clear(current);
	pid = start_child(find_row(results->experiment, number), &settings);
	if (pid < 0) {
		fprintf(stderr, "%s: cannot fork: %s\n", results->experiment->name,
			strerror(errno));
		return false;
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	kill(-pid, SIGKILL);
	if (status != 0) {
		clear(current);
		if (WIFSIGNALED(status))
			reading_absent(current, "ended by signal %d: %s", WTERMSIG(status),
				       strsignal(WTERMSIG(status)));
		else
			reading_absent(current, "ended with status %d", WEXITSTATUS(status));
	}
	results->readings[round * results->row_count + number] = *current;
	return true;
}

static void show_progress(const struct results *results, size_t done, uint64_t start)
{
	size_t all = results->rounds * results->row_count;
	double gone = (double)(experiment_now_ns() - start) / 1e9;

	if (!isatty(STDERR_FILENO))
		return;
	if (done == all)
		fprintf(stderr, "\r%40s\r", "");
	else
		fprintf(stderr, "\r%zu of %zu, %.0f s left   ", done, all,
			done == 0 ? 0 : gone / (double)done * (double)(all - done));
}

static bool measure_rounds(struct results *results, size_t *order)
{
	uint64_t state = results->settings.seed, start = experiment_now_ns();

	for (size_t round = 0; round < results->rounds; round++) {
		statistics_shuffle(&state, order, results->row_count);
		for (size_t i = 0; i < results->row_count; i++) {
			show_progress(results, round * results->row_count + i, start);
			if (!measure_row(results, round, order[i]))
				return false;
		}
	}
	show_progress(results, results->rounds * results->row_count, start);
	return true;
}

bool results_measure(struct results *results)
{
	size_t *order;
	bool done = false;

	results->row_count = results_first_row(results, results->experiment->table_count);
	order = calloc(results->row_count, sizeof(*order));
	results->readings =
	    calloc(results->rounds * results->row_count, sizeof(*results->readings));
	current =
	    mmap(NULL, sizeof(*current), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (order == NULL || results->readings == NULL || current == MAP_FAILED)
		fprintf(stderr, "%s: out of memory\n", results->experiment->name);
	else
		done = measure_rounds(results, order);
	free(order);
	return done;
}
