/*
 * cpp_features: exceptions across frames with destructors, rethrow, dynamic_cast, static and
 * thread-local objects. The unwinder finds .eh_frame through the program headers (dl_iterate_phdr),
 * that is through AT_PHDR. With the argument "uncaught" the last exception is not caught: SIGABRT.
 */
#include "word.h"

#include <cstdio>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

struct Trace {
	const char *name;
	explicit Trace(const char *given) : name(given)
	{
		std::printf("construct %s\n", name);
	}
	~Trace()
	{
		std::printf("destroy %s\n", name);
	}
};

static Trace static_object("static object");
static thread_local Trace thread_local_object("thread-local object");

static void descend(int depth)
{
	Trace frame("frame");

	if (depth == 0)
		throw std::out_of_range("thrown at the bottom");
	descend(depth - 1);
}

static void rethrow()
{
	try {
		descend(3);
	} catch (const std::logic_error &error) {
		std::printf("caught as logic_error: %s\n", error.what());
		throw;
	}
}

int main(int argc, char **argv)
{
	static const char *const ways[] = {"plain", "uncaught", nullptr};

	std::printf("using %s\n", thread_local_object.name);
	try {
		rethrow();
	} catch (const std::exception &error) {
		std::printf("out_of_range is %srecognized\n",
			    dynamic_cast<const std::out_of_range *>(&error) ? "" : "not ");
	}
	try {
		(void)std::vector<int>().at(7);
	} catch (const std::exception &) {
		std::puts("the library's own exception caught");
	}

	std::map<std::string, int> words;

	words["two"] = 2;
	words["one"] = 1;
	for (const auto &word : words)
		std::printf("%s %d\n", word.first.c_str(), word.second);
	std::fflush(stdout);
	if (std::strcmp(word_among(argc > 1 ? argv[1] : nullptr, ways), "uncaught") == 0)
		throw std::runtime_error("nobody catches this");
	return 7;
}
