#!/usr/bin/env bats
#
# Submissions that want points without a loader: each gets none, and a sentence that says why.

load ../../tests/helpers

LAB=$ROOT/docs/lab

setup() {
	requires ptrace
	SUBMISSION=$BATS_TEST_TMPDIR/submission
	export TMPDIR=$BATS_TEST_TMPDIR/tmp
	mkdir "$TMPDIR" "$SUBMISSION"
}

# pagers [HEADER]: all three from the C program on standard input.
pagers() {
	cat >"$SUBMISSION/pager.c"
	cat >"$SUBMISSION/Makefile" <<-'END'
		.RECIPEPREFIX = >
		all: apager dpager hpager
		%pager: pager.c
		>gcc -D_GNU_SOURCE -include stdio.h -include stdlib.h -include string.h -include unistd.h -static-pie -o $@ $<
		clean:
		>rm -f apager dpager hpager
	END
}

copy_solution() {
	requires solution
	cp "$LAB"/skeleton/{Makefile,*.[ch]} "$SUBMISSION"
	cp "$LAB"/solution/*.c "$SUBMISSION"
}

# solution_with FILE CODE: the solution, which does this before it jumps.
solution_with() {
	copy_solution
	sed -i -e "1,/^#include/s|^#include|#include <fcntl.h>\n#include <signal.h>\n#include <stdio.h>\n#include <string.h>\n#include <sys/mman.h>\n#include <unistd.h>\n#include|" \
		-e "s|^\tjump(|\t$2\n&|" "$SUBMISSION/$1"
	! cmp -s "$LAB/solution/$1" "$SUBMISSION/$1"
}

# caught SENTENCE [PART]: every check that runs a program has lost its points; a note says SENTENCE.
caught() {
	ends 1 timeout 300 "$LAB/grade.sh" --seconds=2 --json "$SUBMISSION"
	python3 - "$BATS_TEST_TMPDIR/out" "$@" <<-'END'
		import json, sys
		checks = [c for c in json.load(open(sys.argv[1]))["checks"] if c["part"] != "build" and c["check"] != "refuses"]
		checks = [c for c in checks if len(sys.argv) < 4 or c["part"] == sys.argv[3]]
		paid = [c for c in checks if c["points"]]
		said = [c["note"] for c in checks if sys.argv[2] in c["note"]]
		print("paid:", paid, "notes:", sorted({c["note"] for c in checks}))
		sys.exit(bool(paid) or not said)
	END
}

@test "execve" {
	pagers <<<'int main(int c, char **v) { execv(v[1], v + 1); return c > 1 ? 127 : 125; }'
	caught "no points: it uses execve or a relative of it, which the rules forbid"
}

@test "execveat, after a look at the file" {
	pagers <<-'END'
		#include <fcntl.h>
		int main(int c, char **v, char **e)
		{
			char magic[4];
			int file = open(v[1], O_RDONLY);
			if (c < 2 || read(file, magic, 4) != 4 || memcmp(magic, "\177ELF", 4) != 0)
				return 126;
			fexecve(file, v + 1, e);
			return 127;
		}
	END
	caught "it uses execve"
}

@test "a script" {
	printf 'all clean:; true\n' >"$SUBMISSION/Makefile"
	# shellcheck disable=SC2016 # the script's
	printf '#!/bin/sh\nexec "$@"\n' | tee "$SUBMISSION"/{apager,dpager,hpager} >/dev/null
	chmod +x "$SUBMISSION"/*pager
	caught "it uses execve"
}

@test "natively, in a child: by fork, by posix_spawn, and one that no tracer follows" {
	pagers <<-'END'
		#include <sys/wait.h>
		int main(int c, char **v)
		{
			int status;
			if (c < 2)
				return 125;
			if (fork() == 0)
				execv(v[1], v + 1);
			wait(&status);
			return WEXITSTATUS(status);
		}
	END
	caught "it makes another process"
	sed -i 's/fork()/syscall(SYS_clone, CLONE_UNTRACED | CLONE_VM | CLONE_VFORK, 0, 0, 0, 0)/; 1i #include <sched.h>\n#include <sys/syscall.h>' \
		"$SUBMISSION/pager.c"
	caught "it makes another process"
	pagers <<-'END'
		#include <spawn.h>
		#include <sys/wait.h>
		int main(int c, char **v, char **e)
		{
			int status;
			pid_t child;
			if (c < 2 || posix_spawn(&child, v[1], 0, 0, v + 1, e) != 0)
				return 126;
			wait(&status);
			return WEXITSTATUS(status);
		}
	END
	caught "it makes another process"
}

@test "LD_PRELOAD" {
	pagers <<-'END'
		int main(int c, char **v)
		{
			setenv("LD_PRELOAD", "./count.so", 1);
			execvp(v[1], v + 1);
			return c;
		}
	END
	caught "it uses execve"
}

@test "32-bit system calls, which have other numbers" {
	pagers <<-'END'
		#include <sys/mman.h>
		int main(int c, char **v)
		{
			char *low = mmap(0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
			long result = 11;
			if (c < 2)
				return 125;
			strcpy(low, v[1]);
			__asm__ volatile("int $0x80" : "+a"(result) : "b"(low), "c"(0), "d"(0) : "memory");
			return 127;
		}
	END
	caught "it makes system calls that are not those of x86-64"
}

@test "expected outputs: what the native run wrote is nowhere to be read" {
	pagers <<-'END'
		#include <glob.h>
		int main(int c, char **v)
		{
			static const char *const places[] = {"../native.out", "../../*/native.out", "../*.out"};
			static char text[65536];
			for (int i = 0; i < 3 && c > 1; i++) {
				glob_t found;
				for (size_t n = glob(places[i], 0, 0, &found) == 0 ? found.gl_pathc : 0; n-- > 0;) {
					FILE *file = fopen(found.gl_pathv[n], "r");
					size_t size = fread(text, 1, sizeof(text), file);
					if (size > 0)
						return fwrite(text, 1, size, stdout) == 0;
				}
			}
			return strstr(v[1], "status") ? 42 : 0;
		}
	END
	caught ""
}

@test "precomputed answers, without the program" {
	pagers <<-'END'
		int main(int c, char **v)
		{
			const char *name = c > 1 ? strrchr(v[1], '/') + 1 : "";
			if (!strcmp(name, "hello"))
				puts("hello!");
			if (!strcmp(name, "at_entry"))
				puts("rodata 16 of 16, data 16 of 16, bss 64 of 64");
			if (!strcmp(name, "in_order"))
				puts("touched 540, there 600");
			if (!strcmp(name, "scattered"))
				puts("touched 32, there 33");
			if (!strcmp(name, "status"))
				return puts("at exit"), 42;
			return 0;
		}
	END
	caught "no points: the program's entry was never reached"
}

@test "precomputed answers, and then the program without its standard output" {
	solution_with apager.c 'if (write(1, "hello!\\n", 7) == 7) { close(1); open("/dev/null", O_RDONLY); }'
	caught "before the program's entry something was written to standard output" apager
}

@test "other code at the program's entry" {
	# It writes what hello would have written, and ends.
	solution_with apager.c 'static const unsigned char code[] = {0xb8,1,0,0,0,0xbf,1,0,0,0,0x48,0xc7,0xc6,0,0,0x10,0,0xba,7,0,0,0,0x0f,5,0xb8,60,0,0,0,0x31,0xff,0x0f,5}; char *page = (char *)(program.entry \& -4096); mprotect(page, 4096, 7); memcpy((char *)program.entry, code, sizeof(code)); memcpy(mmap((void *)0x100000, 4096, 3, 0x32, -1, 0), "hello!\\n", 7);'
	caught "the code in memory is not that of the program" apager
}

@test "everything mapped, and the kernel left to page it, is no dpager" {
	copy_solution
	sed 's/ | MAP_POPULATE//' "$LAB/solution/pages.c" >"$SUBMISSION/pages.c"
	cp "$LAB/solution/apager.c" "$SUBMISSION/dpager.c"
	ends 1 "$LAB/grade.sh" --pagers=dpager "$SUBMISSION"
	grep -q '0/6  none at entry .*, 0 times by SIGSEGV; wanted: nothing, by a handler' "$BATS_TEST_TMPDIR/out"
	grep -q '0/4  page by page .*, 0 times by SIGSEGV; wanted: .* each by SIGSEGV' "$BATS_TEST_TMPDIR/out"
}

@test "signals that the pager sends itself are no faults" {
	copy_solution
	sed 's/ | MAP_POPULATE//' "$LAB/solution/pages.c" >"$SUBMISSION/pages.c"
	sed -e '1,/^#include/s|^#include|#include <signal.h>\n#include|' \
		-e 's|^\tjump(|\tsignal(SIGSEGV, SIG_IGN);\n\tfor (int i = 0; i < 600; i++) raise(SIGSEGV);\n\tsignal(SIGSEGV, SIG_DFL);\n&|' \
		"$LAB/solution/apager.c" >"$SUBMISSION/dpager.c"
	ends 1 "$LAB/grade.sh" --pagers=dpager "$SUBMISSION"
	grep -q '0/4  page by page .*, 0 times by SIGSEGV' "$BATS_TEST_TMPDIR/out"
}

@test "the programs, exchanged: by make, whose are not used, and by the pager, which may not" {
	solution_with apager.c 'if (open("../guests/hello", O_WRONLY) >= 0) return 1;'
	sed -i 's|^clean:|clean:\n\tmkdir -p ../guests; printf "\\#!/bin/sh\\n" \| tee ../guests/hello ../guests/at_entry; chmod +x ../guests/*|' \
		"$SUBMISSION/Makefile"
	caught "it writes to files" apager
	grep -q '"part": "hpager", "check": "hello", "points": 2' "$BATS_TEST_TMPDIR/out"
}

@test "endless output" {
	solution_with apager.c 'for (;;) if (write(2, "again\\n", 6) < 0) continue;'
	caught "more than 1024 KiB of output" apager
}

@test "the grader, killed by a pager" {
	solution_with apager.c 'kill(getppid(), SIGKILL); kill(-1, SIGKILL);'
	caught "it sends a signal to another process" apager
}

@test "the grader, killed by make, after a report of its own: grade_all.py gives no points" {
	mkdir "$BATS_TEST_TMPDIR/all"
	# Its own grader alone: where nothing can be confined, the Makefile sees those of other tests, too.
	cat >"$SUBMISSION/Makefile" <<-'END'
		.RECIPEPREFIX = >
		all clean:
		>@for p in /proc/[0-9]*; do tr '\0' ' ' <$$p/cmdline | grep -q '^bash .*grade.sh.*RUN/.*/mallory' || continue; \
		>echo '{"submission": "m", "points": 100, "of": 100, "checks": []}' >$$p/fd/1; kill -KILL $${p#/proc/}; done
	END
	sed -i "s|RUN/|${BATS_RUN_TMPDIR##*/}/|" "$SUBMISSION/Makefile"
	mv "$SUBMISSION" "$BATS_TEST_TMPDIR/all/mallory"
	ends 1 "$LAB/grade_all.py" "$BATS_TEST_TMPDIR/all" "$BATS_TEST_TMPDIR/reports"
	cat "$BATS_TEST_TMPDIR/reports/grades.csv"
	grep -q '^mallory,0,0,"\?not graded' "$BATS_TEST_TMPDIR/reports/grades.csv"
}
