/*
 * pagewise page: an HTML page of a run, made by share/trace/trace_page.py, of a program that is run
 * now or of traces that are there. pagewise binfmt: the script loader-binfmt.
 */
#include "common/report.h"
#include "share/command/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define OWN_NAME "pagewise page"

/*
 * Folders of scripts, seen from the folder of this program: installed, built, built elsewhere.
 * Where LIBEXECDIR is another folder, a link to the script lies beside this program.
 */
#define PLACES 4
static const char trace_places[PLACES][32] = {"../share/pagewise/trace/", "share/trace/",
					      "../../../share/trace/"};
static const char binfmt_places[PLACES][32] = {"../libexec/pagewise/", "share/binfmt/",
					       "../../../share/binfmt/"};

static bool is_this_program(const char *path)
{
	struct stat own, other;

	return stat("/proc/self/exe", &own) == 0 && stat(path, &other) == 0 &&
	       own.st_dev == other.st_dev && own.st_ino == other.st_ino;
}

static bool find_script(const char places[PLACES][32], const char *name, char path[PATH_MAX],
			struct error *error)
{
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 32 - NAME_MAX);
	char *end;

	if (length <= 0)
		return error_set(error, EXIT_OURS, "%s cannot be found without /proc; mount it",
				 name);
	path[length] = '\0';
	end = strrchr(path, '/');
	for (int i = 0; end != NULL && i < PLACES; i++) {
		strcpy(stpcpy(end + 1, places[i]), name);
		if (access(path, R_OK) == 0 && !is_this_program(path))
			return true;
	}
	return error_set(error, EXIT_OURS,
			 "there is no %s near this program; run it where make install put it",
			 name);
}

/* Becomes a script that begins its messages with the command's name. Returns only if that fails. */
static void become(const char *command, const char *file, char **words)
{
	if (setenv("PAGEWISE_NAME", command, 1) == 0)
		execvp(file, words);
}

bool watch_become_script(const char *command, const char *name, char *what, char *trace,
			 struct error *error)
{
	char path[PATH_MAX], *words[] = {"python3", path, what, trace, NULL};

	if (!find_script(trace_places, name, path, error))
		return false;
	become(command, words[0], words);
	return error_set(error, EXIT_OURS, "python3 cannot be started: %s; install it",
			 strerror(errno));
}

static int fail(const char *format, const char *what)
{
	struct error error;

	error_set(&error, EXIT_OURS, format, what);
	return report_error(&error);
}

int command_binfmt(int argc, char **argv)
{
	/* The other name is that of a link to pagewise. */
	const char *name = strcmp(argv[0], "binfmt") == 0 ? "pagewise binfmt" : "loader-binfmt";
	char path[PATH_MAX];
	struct error error;

	(void)argc;
	report_begin(name, NULL, false);
	if (!find_script(binfmt_places, "loader-binfmt", path, &error))
		return report_error(&error);
	become(name, path, argv);
	return fail("%.1024s cannot be started: %m; make it executable", path);
}

static bool is_trace(const char *name)
{
	char start[11] = "";
	int file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is_one = file >= 0 && read(file, start, 10) == 10 && strcmp(start, "page-trace") == 0;

	if (file >= 0)
		close(file);
	return is_one;
}

/* Waits for a child as a shell does; its status as a shell has it. */
static int await(pid_t child)
{
	struct sigaction old[2], ignored = {.sa_handler = SIG_IGN};
	int status = 0;

	sigaction(SIGINT, &ignored, &old[0]);
	sigaction(SIGQUIT, &ignored, &old[1]);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	sigaction(SIGINT, &old[0], NULL);
	sigaction(SIGQUIT, &old[1], NULL);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Whether a page can be made here. Asked before the program runs. */
static bool may_make(const char *page, struct error *error)
{
	char path[PATH_MAX], *words[] = {"python3", "-c", "", NULL};
	struct output_file file;
	pid_t child;

	if (!find_script(trace_places, "trace_page.py", path, error) ||
	    !command_output_open(&file, "the page", page, error))
		return false;
	child = fork();
	if (child == 0) {
		execvp(words[0], words);
		_exit(127);
	}
	return await(child) == 0 || error_set(error, EXIT_OURS,
					      "python3, which makes the page, cannot be started; "
					      "install it");
}

/* Whether a region of the trace was hidden. Regions are among the first lines of a trace. */
static bool has_hidden(const char *trace)
{
	FILE *file = fopen(trace, "re");
	char line[PATH_MAX];
	bool found = false;

	while (file != NULL && !found && fgets(line, sizeof(line), file) != NULL)
		found = strncmp(line, "region\t", 7) == 0 && strstr(line, "\thidden\n") != NULL;
	if (file != NULL)
		fclose(file);
	return found;
}

static int make_page(const char *trace, const char *other, const char *page)
{
	char path[PATH_MAX],
	    *words[] = {"python3", path, (char *)trace, (char *)other, (char *)page, NULL};
	struct error error;
	pid_t child;
	int status;

	if (!may_make(page, &error) || !find_script(trace_places, "trace_page.py", path, &error))
		return report_error(&error);
	if (other == NULL) {
		words[3] = words[4];
		words[4] = NULL;
	}
	child = fork();
	if (child == 0) {
		become(OWN_NAME, words[0], words);
		_exit(127);
	}
	status = await(child);
	if (status == 0 && other == NULL && !has_hidden(trace))
		report_warning("no page of the program was hidden, so the page shows no faults; "
			       "make one of what on_demand_loader --trace=FILE writes");
	if (status == 0)
		report_warning("the page is %s: open it in a browser", page);
	return status;
}

/* Runs the program and removes the trace when the page has been made. */
static int run_and_make(const char *page, int argc, char **argv)
{
	const char *folder = getenv("TMPDIR");
	char trace[PATH_MAX];
	struct stat written;
	struct error error;
	int file, status;
	pid_t child;

	if (!may_make(page, &error))
		return report_error(&error);
	folder = folder != NULL && *folder != '\0' ? folder : "/tmp";
	snprintf(trace, sizeof(trace), "%s/pagewise-XXXXXX", folder);
	file = mkstemp(trace);
	if (file < 0)
		return fail("%.1024s cannot be written to: %m; name a folder with room in TMPDIR",
			    folder);
	child = fork();
	if (child == 0)
		_exit(watch_trace(OWN_NAME, trace, argc, argv));
	status = await(child);
	if (stat(trace, &written) == 0 && written.st_size > 0)
		status = make_page(trace, NULL, page);
	unlink(trace);
	close(file);
	return status;
}

/* `prog1.trace` becomes `prog1.html`, in this folder. */
static void name_page(const char *trace, char name[NAME_MAX])
{
	const char *slash = strrchr(trace, '/'), *base = slash != NULL ? slash + 1 : trace;
	size_t length = strlen(base), cut = strlen(".trace");

	if (length > cut && strcmp(base + length - cut, ".trace") == 0)
		length -= cut;
	snprintf(name, NAME_MAX, "%.*s.html", length < 200 ? (int)length : 200, base);
}

static int page_of_traces(const char *page, int argc, char **argv)
{
	char name[NAME_MAX];

	if (argc > 2 && !is_trace(argv[2]))
		return fail("%.1024s is no trace; name one or two that pagewise trace has written, "
			    "after the options",
			    argv[2]);
	if (argc > 3)
		return fail("a page has two traces at most; leave out %.1024s", argv[3]);
	name_page(argv[1], name);
	return make_page(argv[1], argv[2], page != NULL ? page : name);
}

int command_page(int argc, char **argv)
{
	const char *page, *end;
	char name[NAME_MAX];
	struct error error;

	report_begin(OWN_NAME, NULL, false);
	if (!watch_take_output(&argc, argv, &page, &error))
		return report_error(&error);
	end = page != NULL ? strrchr(page, '.') : NULL;
	if (page != NULL && (end == NULL || strcmp(end, ".html") != 0))
		return fail("a page's name ends in .html: write -o %.1024s.html", page);
	if (argc > 1 && is_trace(argv[1]))
		return page_of_traces(page, argc, argv);
	if (!watch_name_output(argc, argv, ".html", name, &error))
		return report_error(&error);
	return run_and_make(page != NULL ? page : name, argc, argv);
}
