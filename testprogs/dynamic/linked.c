/*
 * linked: a program with libraries. It prints the order of constructors, what each thread finds in
 * its thread-local storage, what dlopen and dlsym find in addition, and the list of objects. It
 * also prints whether the memory of PT_GNU_RELRO is read-only after relocation.
 */
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int first_count(void), second_count(void), first_triple(int);
const char *const *first_names(void);

/* Two pages to be hidden, in the middle. */
static char area[10 * 4096];

__attribute__((constructor)) static void begin(void)
{
	printf("the program begins\n");
}

__attribute__((destructor)) static void end(void)
{
	printf("the program ends\n");
}

static void leave(void)
{
	printf("atexit\n");
}

static void *thread(void *argument)
{
	area[5 * 4096] = 1;
	return (void *)(long)(first_count() * 100 + second_count() + *(int *)argument);
}

static int show_object(struct dl_phdr_info *info, size_t size, void *context)
{
	const char *name = strrchr(info->dlpi_name, '/');

	printf("object %s, %d program headers\n", name != NULL ? name + 1 : info->dlpi_name,
	       info->dlpi_phnum);
	return 0;
}

static int writes_kill(const volatile void *address)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		*(volatile char *)address = 1;
		_exit(0);
	}
	waitpid(child, &status, 0);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void use_plugin(const char *name)
{
	void *library = dlopen(name, RTLD_NOW);
	int (*count)(void), number;

	if (library == NULL) {
		printf("dlopen: %s\n", dlerror());
		return;
	}
	count = (int (*)(void))dlsym(library, "plugin_count");
	number = count();
	printf("plugin: %d %d\n", number, count());
	printf("no such symbol: %d\n", dlsym(library, "plugin_nothing") == NULL);
	dlclose(library);
}

int main(int argc, char **argv)
{
	pthread_t threads[3];
	int number = argc;
	void *result;

	atexit(leave);
	setvbuf(stdout, NULL, _IONBF, 0);
	for (int i = 0; i < argc; i++)
		printf("argument %d: %s\n", i, i == 0 ? strrchr(argv[0], '/') + 1 : argv[i]);
	printf("%d %d %d %s\n", first_count(), second_count(), first_triple(14), first_names()[1]);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, thread, &number);
	for (int i = 0; i < 3; i++) {
		pthread_join(threads[i], &result);
		printf("thread: %ld\n", (long)result);
	}
	use_plugin("libplugin.so");
	use_plugin("libnothing.so");
	dl_iterate_phdr(show_object, NULL);
	printf("written to what is relocated: signal %d\n", writes_kill(first_names()));
	return 0;
}
