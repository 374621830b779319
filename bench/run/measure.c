/* Runs one command through the launcher and brings its measurements back. */
#include "bench/run/measure.h"
#include "bench/run/loader_statistics.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* 0 or an error number. The launcher hands all descriptors but SAMPLE_FD down to the program. */
static int spawn_launcher(char *const argv[], int sample_fd, pid_t *launcher)
{
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);

	if (error != 0)
		return error;
	for (int fd = 0; fd <= 2 && error == 0; fd++)
		error = posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
	if (error == 0)
		error = posix_spawn_file_actions_adddup2(&actions, sample_fd, SAMPLE_FD);
	if (error == 0)
		error = posix_spawn(launcher, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

/* A copy of argv with more words before the one at `place`; NULL when there is no memory. */
static char **insert_words(char *const argv[], size_t place, char *const more[], size_t count)
{
	size_t words = 0;
	char **all;

	while (argv[words] != NULL)
		words++;
	all = calloc(words + count + 1, sizeof(*all));
	if (all == NULL)
		return NULL;
	memcpy(all, argv, place * sizeof(*all));
	memcpy(all + place, more, count * sizeof(*all));
	memcpy(all + place + count, argv + place, (words - place) * sizeof(*all));
	return all;
}

/* 0 or an error number. A sample is far shorter than PIPE_BUF, so it comes in one piece. */
static int receive(int fd, struct run_sample *sample)
{
	ssize_t got;

	do
		got = read(fd, sample, sizeof(*sample));
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return errno;
	if ((size_t)got != sizeof(*sample))
		return EPROTO;
	return sample->exec_errno;
}

static bool launch(const struct launcher *launcher, char *const argv[], enum round_kind kind,
		   struct run_sample *sample)
{
	char seconds[16];
	char *own[] = {(char *)launcher->path, (char *)sample_round_name(kind), seconds};
	char **arguments;
	int ends[2];
	pid_t pid;
	int error;

	snprintf(seconds, sizeof(seconds), "%u", launcher->timeout_s);
	arguments = insert_words(argv, 0, own, 3);
	if (arguments == NULL)
		return false;
	if (pipe2(ends, O_CLOEXEC) != 0) {
		free(arguments);
		return false;
	}
	error = spawn_launcher(arguments, ends[1], &pid);
	close(ends[1]);
	if (error == 0) {
		error = receive(ends[0], sample);
		waitpid(pid, NULL, 0);
	}
	close(ends[0]);
	free(arguments);
	errno = error;
	return error == 0;
}

static bool run_for_statistics(const struct launcher *launcher, const struct command *command,
			       struct run_sample *sample)
{
	char option[4200], *more = option;
	char **argv;
	bool ran;

	snprintf(option, sizeof(option), "--stats=%s", launcher->statistics);
	argv = insert_words(command->argv, command->loader_words, &more, 1);
	if (argv == NULL)
		return false;
	unlink(launcher->statistics);
	ran = launch(launcher, argv, ROUND_statistics, sample);
	loader_statistics_read(launcher->statistics, sample);
	free(argv);
	return ran;
}

bool measure_run(const struct launcher *launcher, const struct command *command,
		 enum round_kind kind, struct run_sample *sample)
{
	if (kind != ROUND_statistics)
		return launch(launcher, command->argv, kind, sample);
	if (command->loader != NULL)
		return run_for_statistics(launcher, command, sample);
	sample_clear(sample, ABSENT_NATIVE);
	return true;
}
