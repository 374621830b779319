// cpp_threads: exceptions that cross threads, thread_local objects, condition variables, and large
// static objects that are constructed before main. With the argument "uncaught" an exception leaves a
// thread: std::terminate, SIGABRT.
#include "word.h"

#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <exception>
#include <future>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct Table {
	int values[300000];
	Table() { std::iota(values, values + 300000, 1); }
};
static Table table;

// Of 32 MB only a page in each of many is written before main, from the end to the start.
struct Sparse {
	static const int pages = 8192;
	struct Page {
		long number;
		char rest[4088];
	} page[pages];
	Sparse()
	{
		for (int i = pages - 1; i >= 0; i -= 7)
			page[i].number = i;
	}
};
static Sparse sparse;

static std::mutex lock;
static std::condition_variable changed;
static int turn, destroyed;

struct Counted {
	int count = 0;
	~Counted()
	{
		std::lock_guard<std::mutex> guard(lock);
		destroyed += count;
	}
};
static thread_local Counted counted;

static void take_turns(int me, int threads)
{
	for (int round = 0; round < 50; round++) {
		std::unique_lock<std::mutex> guard(lock);
		changed.wait(guard, [=] { return turn % threads == me; });
		turn++;
		counted.count++;
		changed.notify_all();
	}
}

static int fail(int depth)
{
	std::string text = "from depth " + std::to_string(depth);
	if (depth == 10)
		throw std::runtime_error(text);
	return fail(depth + 1) + 1;
}

// Where it is thrown, that thread has ended when it is thrown again.
static void pass_exceptions()
{
	std::vector<std::exception_ptr> kept(8);
	std::vector<std::thread> threads;

	for (size_t i = 0; i < kept.size(); i++)
		threads.emplace_back([&kept, i] {
			try {
				fail(static_cast<int>(i));
			} catch (...) {
				kept[i] = std::current_exception();
			}
		});
	for (auto &thread : threads)
		thread.join();
	for (size_t i = 0; i < kept.size(); i++)
		try {
			std::rethrow_exception(kept[i]);
		} catch (const std::exception &error) {
			if (i + 1 == kept.size())
				std::printf("rethrown: %s\n", error.what());
		}

	std::promise<int> promise, broken;
	auto value = promise.get_future(), nothing = broken.get_future();
	std::thread setter([&promise] {
		promise.set_exception(std::make_exception_ptr(std::logic_error("promised")));
	});
	setter.join();
	try {
		value.get();
	} catch (const std::logic_error &error) {
		std::printf("promise: %s\n", error.what());
	}
	std::thread([gone = std::move(broken)] {}).join();
	try {
		nothing.get();
	} catch (const std::future_error &error) {
		std::printf("broken: %d\n", error.code() == std::future_errc::broken_promise);
	}
}

// Every thread touches the same pages at the same time; none may lose what another wrote.
static void share_pages()
{
	static char bytes[4 << 20];
	std::vector<std::thread> threads;
	long sum = 0;

	for (int t = 0; t < 8; t++)
		threads.emplace_back([t] {
			for (size_t i = static_cast<size_t>(t); i < sizeof(bytes); i += 512)
				bytes[i] = 1;
		});
	for (auto &thread : threads)
		thread.join();
	for (char byte : bytes)
		sum += byte;
	std::printf("shared bytes written: %ld\n", sum);
}

static void do_once()
{
	static std::once_flag once;
	static int calls;
	std::vector<std::future<void>> futures;

	for (int i = 0; i < 8; i++)
		futures.push_back(std::async(std::launch::async, [] {
			std::call_once(once, [] { calls++; });
			static const std::string local = [] { calls++; return std::string("once"); }();
		}));
	for (auto &future : futures)
		future.get();
	std::printf("calls: %d\n", calls);
}

int main(int argc, char **argv)
{
	static const char *const ways[] = {"plain", "uncaught", nullptr};

	std::vector<std::thread> threads;
	for (int i = 0; i < 4; i++)
		threads.emplace_back(take_turns, i, 4);
	for (auto &thread : threads)
		thread.join();
	std::printf("turns %d, counted by threads that are gone %d\n", turn, destroyed);

	for (int i = 0; i < 20; i++) {
		auto future = std::async(std::launch::async, fail, 0);
		try {
			future.get();
		} catch (const std::runtime_error &error) {
			if (i == 19)
				std::printf("caught: %s\n", error.what());
		}
	}
	long sum = std::accumulate(table.values, table.values + 300000, 0L);
	long numbers = 0;
	for (auto &page : sparse.page)
		numbers += page.number + page.rest[0];
	std::printf("sums %ld %ld\n", sum, numbers);
	pass_exceptions();
	share_pages();
	do_once();
	std::fflush(stdout);
	if (std::strcmp(word_among(argc > 1 ? argv[1] : nullptr, ways), "uncaught") == 0)
		std::thread(fail, 3).join();
}
