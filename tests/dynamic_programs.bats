#!/usr/bin/env bats
#
# Dynamically linked programs that nobody wrote for this: shells, interpreters, compilers, virtual machines.

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	under env -i "PATH=/usr/local/bin:/usr/bin:/bin" HOME=/nonexistent LC_ALL=C.UTF-8
	LAZY=(--retire=never --engine=mprotect)
}

# lazily COMMAND...: as it is, and with lazy paging that never ends by one engine that splits mappings.
lazily() {
	local failed=0
	"$@" || failed=1
	has_dispatch || return $failed
	LOADER_OPTIONS="${LAZY[*]}" only_under on_demand_loader,hybrid_loader "$@" || failed=1
	return $failed
}

@test "shells and small programs" {
	by_signal lazily same_as_native bash -c 'for i in {1..20}; do a[i]=$((i * i)); done; echo "${a[@]}" | sort | tr " " "\n" |
		sed -n 3p; x=$(id -u; exit 3); echo "$x $?"; trap "echo leaving" EXIT; kill -USR1 $$'
	same_as_native sh -c 'ls -d / /nowhere; cat <&-; exec 5>file; echo $?; exit 9'
	seq 1 5000 >numbers
	same_as_native sort -R --random-source=numbers numbers
	same_as_native sort --parallel=2 -S 100k -n numbers
	same_as_native find . -name 'numb*' -exec wc {} +
	same_as_native dd if=numbers bs=1 count=3000 status=none
	same_as_native timeout 0.1 sleep 20
}

@test "python: threads, processes, signals, a traceback" {
	requires python3
	cat >work.py <<-'END'
		import concurrent.futures, ctypes, json, multiprocessing, os, re, signal, sqlite3, subprocess, sys, threading
		def square(x): return x * x
		if __name__ == "__main__":
		    print(os.path.samefile(sys.executable, "/proc/self/exe"))
		    with multiprocessing.Pool(2) as pool: print(pool.map(square, range(20)))
		    with concurrent.futures.ThreadPoolExecutor(4) as pool: print(sum(pool.map(square, range(500))))
		    signal.signal(signal.SIGUSR1, lambda *_: print("a signal"))
		    os.kill(os.getpid(), signal.SIGUSR1)
		    print(sqlite3.connect(":memory:").execute("select sum(value) from json_each('[1,2,39]')").fetchone())
		    print(subprocess.run([sys.executable, "-c", "print(6*7)"], capture_output=True).stdout)
		    print(len(json.dumps(list(range(100000)))), re.sub("(.)b", r"\1c", "ab bb"))
		    ctypes.CDLL(None).puts(b"by ctypes"); sys.stdout.flush()
		    if sys.argv[1:] == ["fault"]: ctypes.string_at(8)
		    raise ValueError(sys.argv)
	END
	PYTHON=$(python3 -c 'import sys; print(sys.executable)')
	lazily same_as_native "$PYTHON" work.py a
	by_signal same_as_native "$PYTHON" work.py fault
}

@test "python, without privileges" {
	requires python3
	PYTHON=$(python3 -c 'import sys; print(sys.executable)')
	"${UNDER[@]}" true
	drop_privileges
	"${UNDER[@]}" test -x "$PYTHON" || PYTHON=/usr/bin/python3
	same_as_native "$PYTHON" -c 'import os, sys; print(os.readlink("/proc/self/exe") == os.path.realpath(sys.executable))'
}

@test "perl" {
	requires perl
	by_signal lazily same_as_native perl -e 'use strict; my %h = map { $_ => $_ ** 2 } 1 .. 50; print "$^X $h{7}\n";
		my $pid = fork; if (!$pid) { exit 3 } waitpid $pid, 0; print $? >> 8, "\n"; local $SIG{ALRM} = sub { die "alarm\n" };
		eval { alarm 1; sleep 60 }; print $@; kill "SEGV", $$'
}

@test "gcc: what it compiles runs, and a compile error is told" {
	requires gcc
	cp "$ROOT/testprogs/prog1.c" .
	built() {
		"${UNDER[@]}" "$1" gcc -O2 -o "prog-${1##*/}" prog1.c && "./prog-${1##*/}"
	}
	[ "$(each_loader built | sort -u)" = "hello!" ]
	echo 'int main(void) { return undefined; }' >wrong.c
	same_as_native gcc -c wrong.c
}

@test "a sanitizer's report" {
	requires gcc
	gcc -fsanitize=address -g -o overflow -x c - <<<'#include <stdlib.h>
		int main(int n, char **v) { char *p = malloc(10); p[0] = (char)n; if (n > 1) n = p[8 + n] + !v; free(p); return n - 1; }' || skip "gcc has no address sanitizer"
	same_as_native ./overflow
	for loader in $LOADERS; do
		expect "exit 1" "$loader" ./overflow past
		[[ $(found err) == *"heap-buffer-overflow"*"READ of size 1"* ]]
	done
}

@test "git: a repository is made, changed and told" {
	requires git
	session() {
		rm -rf "work-${1##*/}"
		(
			export GIT_AUTHOR_DATE="2020-01-01T00:00Z" GIT_COMMITTER_DATE="2020-01-01T00:00Z" GIT_CONFIG_NOSYSTEM=1 HOME=$PWD
			run_git() {
				# shellcheck disable=SC2086 # a loader or none
				${LOADER_OF_GIT} git -c user.name=A -c user.email=a@b -c init.defaultBranch=main "$@"
			}
			LOADER_OF_GIT=${1#native}
			run_git init -q "work-${1##*/}" && cd "work-${1##*/}" || exit
			seq 1 100 >file && run_git add file && run_git commit -qm first
			sed -i 's/^50$/fifty/' file && run_git commit -qam second
			run_git log --stat --format=%H
			run_git diff HEAD~ | tail -n 5
			run_git gc -q && run_git fsck
			run_git checkout -q nothing || echo "status $?"
		) 2>&1
	}
	session native >native.log
	grep -q 'fifty' native.log
	for loader in $LOADERS; do
		session "$loader" >loaded.log
		cut_warning loaded.log
		diff native.log loaded.log
	done
}

@test "make, itself and its shell; a suite of unittest" {
	requires python3
	unset MAKEFLAGS MAKELEVEL
	printf 'all: a.up b.up c.up\n\t@cat $^; echo made $(words $^)\n%%.up: %%.low\n\ttr a-z A-Z <$< >$@\nclean:\n\trm -f *.up\n' >Makefile
	for letter in a b c; do echo "$letter" >"$letter.low"; done
	same_as_native make clean
	same_as_native make -B
	same_as_native make nothing
	make -B >native.log
	for loader in $LOADERS; do
		"$loader" make -B SHELL="$loader" .SHELLFLAGS="/bin/sh -c" | diff native.log -
	done
	cat >suite.py <<-'END'
		import os, subprocess, sys, tempfile, threading, unittest
		class Suite(unittest.TestCase):
		    def test_files(self):
		        with tempfile.TemporaryDirectory() as folder:
		            open(os.path.join(folder, "x"), "w").write("y")
		            self.assertEqual(os.listdir(folder), ["x"])
		    def test_child(self):
		        self.assertEqual(subprocess.run([sys.executable, "-c", "exit(4)"]).returncode, 4)
		    def test_threads(self):
		        threads = [threading.Thread(target=lambda: None) for _ in range(20)]
		        [t.start() for t in threads]; [t.join() for t in threads]
		    def test_fails(self):
		        self.assertEqual(1, 2)
		unittest.main(testRunner=unittest.TextTestRunner(stream=open(os.devnull, "w")), verbosity=0)
	END
	same_as_native python3 suite.py
	grep -q '^exit 1$' "$BATS_TEST_TMPDIR/native.status"
}

@test "sqlite3, curl" {
	requires sqlite3 curl
	same_as_native sqlite3 numbers.db "drop table if exists t; create table t(a, b); with recursive c(n) as (select 1
		union all select n + 1 from c where n < 2000) insert into t select n, n * n from c; select sum(b), count(*) from t"
	echo content >file
	same_as_native curl -s "file://$PWD/file" "file://$PWD/nothing"
}

@test "node: workers, a child, an exception" {
	requires node
	cat >work.js <<-'END'
		const { Worker, isMainThread, parentPort } = require('worker_threads');
		if (!isMainThread) { let s = 0; for (let i = 0; i < 1e5; i++) s += i; parentPort.postMessage(s); return; }
		const results = [];
		for (let i = 0; i < 3; i++)
		  new Worker(__filename).on('message', (m) => { results.push(m); if (results.length === 3) finish(); });
		function finish() {
		  console.log(results, require('fs').realpathSync('/proc/self/exe') === require('fs').realpathSync(process.execPath));
		  console.log(require('child_process').execFileSync(process.execPath, ['-p', '6 * 7']).toString());
		  process.exit(new Array(1000).fill(1).map((x, i) => i * x).length === 1000 ? 7 : 8);
		}
	END
	same_as_native node work.js
}

@test "java: threads, collections, null checks by SIGSEGV" {
	requires java
	cat >Work.java <<-'END'
		import java.util.*;
		public class Work {
		  static int[] none;
		  public static void main(String[] arguments) throws Exception {
		    List<byte[]> kept = new ArrayList<>();
		    Thread[] threads = new Thread[3];
		    for (int t = 0; t < threads.length; t++) {
		      threads[t] = new Thread(() -> { for (int i = 0; i < 20000; i++) { byte[] b = new byte[1000]; synchronized (kept) { if (i % 100 == 0) kept.add(b); } } });
		      threads[t].start();
		    }
		    for (Thread thread : threads) thread.join();
		    System.gc();
		    int caught = 0;
		    for (int i = 0; i < 20000; i++) try { caught += none[0]; } catch (NullPointerException e) { caught++; }
		    System.out.println(kept.size() + " " + caught + " " + arguments.length);
		    System.exit(5);
		  }
		}
	END
	command -v javac >/dev/null && javac -d . Work.java || skip "no Java compiler"
	same_as_native java -Xmx64m -cp . Work a b
}

@test "gdb debugs under a loader" {
	requires gdb gcc
	gcc -g -o prog4 "$ROOT/testprogs/prog4.c"
	for loader in $LOADERS; do
		ran 0 "$loader" "$(type -P gdb)" -nx -batch -ex run -ex bt ./prog4
		[[ $output == *"SIGSEGV"*"main () at"* ]]
	done
}
