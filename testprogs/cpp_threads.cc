// cpp_threads: exceptions that cross threads, thread_local objects, condition variables, and a large
// static object that is constructed before main.
#include <condition_variable>
#include <cstdio>
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

int main()
{
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
	std::printf("sum %ld\n", sum);
}
