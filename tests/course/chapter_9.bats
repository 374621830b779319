#!/usr/bin/env bats
#
# The exercises of docs/course/9-measuring.md. Nothing here looks at a time.
#
# Runs without huge pages: what it expects is what becomes of a small .bss whose pages are hidden.

load ../helpers

COMPARE=$ROOT/build/musl-release/bench/compare

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
}

# build NAME FLAG...: a program from the C text on standard input.
build() {
	local name=$1
	shift
	cat >"$name.c"
	gcc -I"$ROOT" -o "$name" "$name.c" "$@"
}

@test "exercise 9.1: median, interval and mean of nine ratios" {
	build interval "$ROOT/bench/shared/statistics.c" -lm <<-'C'
		#include "bench/shared/statistics.h"

		#include <stdio.h>

		int main(void)
		{
			double values[] = {0.91, 0.93, 0.90, 0.95, 0.92, 0.94, 1.40, 0.92, 0.89};
			double mean = statistics_mean(values, 9), sd = statistics_deviation(values, 9);
			struct interval found = statistics_interval(values, 9);

			printf("%.2f %.2f %.2f, mean %.2f, deviation %.2f\n", found.low, found.median,
			       found.high, mean, sd);
			return 0;
		}
	C
	ran any ./interval
	[ "$output" = "0.90 0.92 0.95, mean 0.97, deviation 0.16" ]
	# The coins, counted one by one.
	python3 - <<-'PYTHON'
		heads = [bin(coins).count("1") for coins in range(512)]
		assert [sum(n <= most for n in heads) for most in (0, 1, 2)] == [1, 10, 46]
		assert 10 / 512 <= 0.025 < 46 / 512
	PYTHON
}

@test "exercise 9.2: a machine that becomes slower" {
	build drift "$ROOT/bench/shared/statistics.c" -lm <<-'C'
		#include "bench/shared/statistics.h"

		#include <stdio.h>

		#define ROUNDS 20

		/* How long the next run takes, whatever it runs. */
		static double run(void)
		{
			static int runs;

			return 1 + 0.01 * runs++;
		}

		int main(void)
		{
			double native[ROUNDS], loader[ROUNDS], *both[] = {native, loader};
			size_t order[2];
			uint64_t state = 1;
			struct interval pairs;
			double one_by_one;

			for (int i = 0; i < 2 * ROUNDS; i++)
				both[i / ROUNDS][i % ROUNDS] = run();
			one_by_one = statistics_interval(loader, ROUNDS).median /
				     statistics_interval(native, ROUNDS).median;
			for (int i = 0; i < ROUNDS; i++) {
				statistics_shuffle(&state, order, 2);
				both[order[0]][i] = run();
				both[order[1]][i] = run();
			}
			statistics_pair_ratios(loader, native, ROUNDS);
			pairs = statistics_interval(loader, ROUNDS);
			printf("%.2f, in pairs %d %d\n", one_by_one, pairs.low < 1 && 1 < pairs.high,
			       pairs.high - pairs.low < 0.02);
			return 0;
		}
	C
	ran any ./drift
	[ "$output" = "1.18, in pairs 1 1" ]
}

@test "exercise 9.3: minor faults are not signals" {
	requires lazy
	cd "$ROOT"
	./on_demand_loader --engine=userfaultfd ./prog1 || skip "the engine userfaultfd does not work here"
	"$COMPARE" --rounds=1 --json="$BATS_TEST_TMPDIR/json" \
		--loader=./on_demand_loader --loader='./on_demand_loader --engine=userfaultfd' ./prog1
	python3 - "$BATS_TEST_TMPDIR/json" "$MACHINE" <<-'PYTHON'
		import json, sys
		commands = json.load(open(sys.argv[1]))["commands"]
		seen = [[c["summary"][m] and c["summary"][m]["median"] for m in ("minor_faults", "faults_served")]
		    for c in commands if c["program"]]
		print(seen)
		(native, _), (revealed, signals), (copied, signals_too) = seen
		# On arm64 the loader touches more pages.
		assert copied < (100 if sys.argv[2] == "x86-64" else native / 4)
		assert 900 < native <= revealed
		assert signals == signals_too > 900
	PYTHON
}

@test "exercise 9.4: RSS counts a shared page twice, PSS once" {
	build constants -static <<-'C'
		#include <stdio.h>

		#define BYTES (1 << 20)

		static const volatile char constants[BYTES] = {1};

		int main(void)
		{
			int sum = 0;

			for (int i = 0; i < BYTES; i += 4096)
				sum += constants[i];
			printf("%d\n", sum);
			fflush(stdout);
			return getchar() == EOF ? 0 : 1;
		}
	C
	python3 - <<-'PYTHON'
		import subprocess
		def start():
		    process = subprocess.Popen("./constants", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
		    assert process.stdout.readline() == b"1\n"
		    return process
		def kilobytes(process):
		    lines = open(f"/proc/{process.pid}/smaps_rollup").readlines()
		    return {line.split()[0]: int(line.split()[1]) for line in lines[1:]}
		first = start()
		alone = kilobytes(first)
		second = start()
		both = [kilobytes(first), kilobytes(second)]
		for process in (first, second):
		    process.communicate()
		print(alone, both)
		rss, pss = (sum(one[name] for one in both) for name in ("Rss:", "Pss:"))
		anonymous = sum(one["Anonymous:"] for one in both)
		assert rss >= 2 * alone["Rss:"] - 64
		assert rss - pss > 1000
		# What each has of its own, and the file once.
		assert abs(pss - anonymous - (alone["Rss:"] - alone["Anonymous:"])) < 100
	PYTHON
}

@test "exercise 9.5: the peak that execve hands on" {
	requires static_busybox
	cp "$ROOT/prog3" .
	musl-gcc -x c -static -o small - <<-'C'
		#include <stdio.h>
		#include <sys/resource.h>
		#include <sys/wait.h>
		#include <unistd.h>

		int main(void)
		{
			struct rusage usage;

			if (vfork() == 0) {
				execl("./prog3", "./prog3", NULL);
				_exit(127);
			}
			wait4(-1, NULL, 0, &usage);
			printf("%ld\n", usage.ru_maxrss);
			return 0;
		}
	C
	python3 - <<-'PYTHON'
		import resource, subprocess
		ballast = bytearray(50 << 20)
		def peak(*words):
		    subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
		    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
		assert peak("./prog3") > 50000
		assert peak("busybox", "sh", "-c", "./prog3; true") > 50000
		lines = subprocess.run("./small", stdout=subprocess.PIPE, text=True).stdout.split()
		print(lines)
		assert lines[0] == "hello!" and 3500 < int(lines[2]) < 8000
	PYTHON
}
