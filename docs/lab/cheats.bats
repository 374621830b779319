#!/usr/bin/env bats
#
# Submissions that want points without a loader. Each loses the points of every check that its trick is for, and a
# note says why. A pager that does nothing right has at most 16 of 100 points: 10 for a Makefile, 6 for refusing files.

load ../../tests/helpers

LAB=$ROOT/docs/lab

setup_file() {
	"$LAB/grade.sh" --programs="$BATS_FILE_TMPDIR/programs"
}

setup() {
	requires ptrace
	PROGRAMS=--programs=$BATS_FILE_TMPDIR/programs
	SUBMISSION=$BATS_TEST_TMPDIR/submission
	export TMPDIR=$BATS_TEST_TMPDIR/tmp
	mkdir "$TMPDIR" "$SUBMISSION"
}

# pagers: all three from the C program on standard input.
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

# kernel_pages CODE [FUNCTIONS]: a dpager that maps all of the program, but brings in nothing. It does CODE before it
# jumps.
kernel_pages() {
	copy_solution
	sed 's/ | MAP_POPULATE//' "$LAB/solution/pages.c" >"$SUBMISSION/pages.c"
	cp "$LAB/solution/apager.c" "$SUBMISSION/dpager.c"
	[ -n "$1" ] || return 0
	sed -i -e "s|^int main|${2-}\n&|" -e "s|^\tjump(|\t$1\n&|" \
		-e "1,/^#include/s|^#include|#include <fcntl.h>\n#include <setjmp.h>\n#include <signal.h>\n#include <string.h>\n#include <sys/mman.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n#include|" \
		"$SUBMISSION/dpager.c"
}

# no_pages_by_handler PAGES
no_pages_by_handler() {
	ends 1 "$LAB/grade.sh" "$PROGRAMS" --pagers=dpager --checks="hello,none at entry,page by page" "$SUBMISSION"
	cat "$BATS_TEST_TMPDIR/out"
	grep -q '2/2  hello' "$BATS_TEST_TMPDIR/out"
	grep -q "0/6  none at entry .*, $1 pages by SIGSEGV; wanted: no page, and a handler" "$BATS_TEST_TMPDIR/out"
	grep -q "0/4  page by page .*, $1 pages by SIGSEGV; wanted: .* each by SIGSEGV" "$BATS_TEST_TMPDIR/out"
}

# caught SENTENCE [OPTION]...: every check of apager, or of what the options name, has lost its points; a note says
# SENTENCE. A pager that is no loader may refuse files.
caught() {
	ends 1 "${UNDER[@]}" timeout 300 "$LAB/grade.sh" "$PROGRAMS" --seconds=2 --json --pagers=apager "${@:2}" "$SUBMISSION"
	python3 - "$BATS_TEST_TMPDIR/out" "$1" <<-'END'
		import json, sys
		checks = [c for c in json.load(open(sys.argv[1]))["checks"] if c["part"] != "build" and c["check"] != "refuses"]
		paid = [c for c in checks if c["points"]]
		said = [c["note"] for c in checks if sys.argv[2] in c["note"]]
		print("paid:", paid, "notes:", sorted({c["note"] for c in checks}))
		sys.exit(bool(paid) or not said)
	END
}

# at_most POINTS: what the whole submission gets, of 100.
at_most() {
	timeout 300 "${UNDER[@]}" "$LAB/grade.sh" --json "$SUBMISSION" >"$BATS_TEST_TMPDIR/report.json" || true
	cat "$BATS_TEST_TMPDIR/report.json"
	python3 - "$BATS_TEST_TMPDIR/report.json" "$1" <<-'END'
		import json, sys
		report = json.load(open(sys.argv[1]))
		sys.exit(report["of"] != 100 or report["points"] > int(sys.argv[2]) or len(report["checks"]) != 43)
	END
}

# without_namespaces: what follows runs where the kernel gives none.
without_namespaces() {
	requires user_namespaces
	under unshare -r bash -c 'echo 0 >/proc/sys/user/max_pid_namespaces; exec "$@"' without
}

# make_also COMMAND: the submission is the skeleton, and its Makefile runs a command as well.
make_also() {
	cp "$LAB"/skeleton/{Makefile,*.[ch]} "$SUBMISSION"
	printf '%s\n' "$1" >"$SUBMISSION/also.sh"
	sed -i '0,/^all:.*/s//&\n\tbash also.sh/' "$SUBMISSION/Makefile"
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
	requires int_0x80
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
	caught "it makes system calls of another architecture"
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
	caught "no points: the pager never reached the program's entry"
}

@test "precomputed answers, and then the program without its standard output" {
	solution_with apager.c 'if (write(1, "hello!\\n", 7) == 7) { close(1); open("/dev/null", O_RDONLY); }'
	caught "before the program's entry the pager wrote to standard output"
}

@test "other code at the program's entry" {
	requires x86_code
	# It writes what hello would have written, and ends.
	solution_with apager.c 'static const unsigned char code[] = {0xb8,1,0,0,0,0xbf,1,0,0,0,0x48,0xc7,0xc6,0,0,0x10,0,0xba,7,0,0,0,0x0f,5,0xb8,60,0,0,0,0x31,0xff,0x0f,5}; char *page = (char *)(program.entry \& -4096); mprotect(page, 4096, 7); memcpy((char *)program.entry, code, sizeof(code)); memcpy(mmap((void *)0x100000, 4096, 3, 0x32, -1, 0), "hello!\\n", 7);'
	caught "the code or the constants in memory are not the program's"
}

@test "everything mapped, and the kernel left to page it, is no dpager" {
	kernel_pages ''
	no_pages_by_handler 0
}

@test "signals that the pager sends itself are no faults" {
	kernel_pages 'signal(SIGSEGV, SIG_IGN); for (int i = 0; i < 1000; i++) raise(SIGSEGV); signal(SIGSEGV, SIG_DFL);'
	no_pages_by_handler 0
}

@test "SIGSEGVs on a page of the pager's own, before the jump" {
	kernel_pages 'static volatile char *page; page = mmap(0, 4096, 0, 0x22, -1, 0); sigaction(SIGSEGV, \&(struct sigaction){.sa_handler = on_fault, .sa_flags = SA_NODEFER}, 0); for (int i = 0; i < 1000; i++) if (!sigsetjmp(back, 1)) *page = 1; signal(SIGSEGV, SIG_DFL);' \
		'static sigjmp_buf back; static void on_fault(int number) { (void)number; siglongjmp(back, 1); }'
	no_pages_by_handler 0
}

@test "signals with the contents of a page fault, from a handler that serves nothing" {
	for call in 'syscall(SYS_rt_sigqueueinfo, getpid(), SIGSEGV, \&info)' \
		'syscall(SYS_rt_tgsigqueueinfo, getpid(), getpid(), SIGSEGV, \&info)' \
		'syscall(424, open("/proc/self", O_RDONLY), SIGSEGV, \&info, 0)'; do
		kernel_pages "signal(SIGALRM, on_alarm); signal(SIGSEGV, SIG_IGN); ualarm(100, 0);" \
			"static void on_alarm(int n) { (void)n; for (int i = 0; i < 1000; i++) { siginfo_t info = {.si_signo = SIGSEGV, .si_code = SEGV_MAPERR}; info.si_addr = (char *)0x4c0000 + i * 4096; $call; } }"
		# Under load the alarm may ring before the program's entry, or after its end.
		sed -i 's|^\tjump(|\ton_alarm(0);\n&|' "$SUBMISSION/dpager.c"
		caught "it sends a signal with contents of its own" --pagers=dpager --checks="none at entry,page by page"
	done
}

@test "touches by the pager's own handler, which leaves the pages to the kernel" {
	# The first touch of the program makes the handler touch every page, and leave each to the kernel.
	kernel_pages 'for (size_t i = 0; i < program.count; i++) mprotect((void *)program.segments[i].start, program.segments[i].end - program.segments[i].start, 0); static char stack[65536]; sigaltstack(\&(stack_t){.ss_sp = stack, .ss_size = sizeof(stack)}, 0); sigaction(SIGSEGV, \&(struct sigaction){.sa_handler = on_fault, .sa_flags = SA_NODEFER \| SA_ONSTACK}, 0);' \
		'static struct program program; static sigjmp_buf back; static void inner(int n) { (void)n; siglongjmp(back, 1); } static void on_fault(int n) { (void)n; for (size_t i = 0; i < program.count; i++) { signal(SIGSEGV, inner); for (volatile char *p = (char *)program.segments[i].start; p < (char *)program.segments[i].end; p += 4096) if (!sigsetjmp(back, 1)) (void)*p; mprotect((void *)program.segments[i].start, program.segments[i].end - program.segments[i].start, program.segments[i].protection); } signal(SIGSEGV, SIG_DFL); }'
	sed -i 's|^\tstatic struct program program;||' "$SUBMISSION/dpager.c"
	ends 1 "$LAB/grade.sh" "$PROGRAMS" --pagers=dpager --checks="hello,page by page" "$SUBMISSION"
	cat "$BATS_TEST_TMPDIR/out"
	grep -q '2/2  hello' "$BATS_TEST_TMPDIR/out"
	grep -q '0/4  page by page .* there 540, 1 pages by SIGSEGV; wanted: .* each by SIGSEGV' "$BATS_TEST_TMPDIR/out"
}

@test "answers for the programs that the pager recognizes by their contents, after the entry" {
	requires x86_code
	# The entry's page is the program's. The next touch is answered with what a native run has written.
	python3 - "$BATS_FILE_TMPDIR/programs/guests" >"$SUBMISSION/answers.h" <<-'END'
		import json, pathlib, subprocess, sys
		print("static const struct answer { unsigned hash; int status, size; const char *text; } answers[] = {")
		for guest in sorted(pathlib.Path(sys.argv[1]).iterdir()):
		    if guest.name in ("text", "dynamic"):
		        continue
		    words = ["one", "two words", "", "four"] if guest.name == "args" else []
		    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "EMPTY": ""}
		    done = subprocess.run([guest, *words], capture_output=True, env=environment, check=False)
		    hash = 0
		    for byte in guest.read_bytes():
		        hash = (hash * 31 + byte) % 2**32
		    text = done.stdout
		    if guest.name == "at_entry":
		        text = b"rodata 16 of 16, data 16 of 16, bss 64 of 64\n"
		    print("{%du, %d, %d, %s}," % (hash, done.returncode, len(text), json.dumps(text.decode())))
		print("};")
	END
	pagers <<-'END'
		#include <elf.h>
		#include <fcntl.h>
		#include <signal.h>
		#include <sys/mman.h>
		#include "answers.h"
		static const struct answer *found;
		static void on_fault(int number)
		{
			(void)number;
			if (write(1, found->text, found->size) != found->size)
				_exit(1);
			if (found->status >= 0)
				_exit(found->status);
			signal(SIGSEGV, SIG_DFL);
		}
		int main(int c, char **v)
		{
			static unsigned char bytes[1 << 24];
			static char stack[65536];
			int file = c > 1 ? open(v[1], O_RDONLY) : -1;
			ssize_t size = read(file, bytes, sizeof(bytes));
			unsigned hash = 0;
			for (ssize_t i = 0; i < size; i++)
				hash = hash * 31 + bytes[i];
			for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++)
				if (answers[i].hash == hash)
					found = &answers[i];
			if (found == NULL)
				return puts(c > 1 ? v[1] : "usage"), 126;
			Elf64_Ehdr *header = (void *)bytes;
			Elf64_Phdr *segments = (void *)(bytes + header->e_phoff);
			unsigned long page = header->e_entry & -4096ul;
			for (int i = 0; i < header->e_phnum; i++)
				if (segments[i].p_type == PT_LOAD && page >= segments[i].p_vaddr && page < segments[i].p_vaddr + segments[i].p_filesz)
					mmap((void *)page, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, file, segments[i].p_offset + page - segments[i].p_vaddr);
			sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof(stack)}, 0);
			sigaction(SIGSEGV, &(struct sigaction){.sa_handler = on_fault, .sa_flags = SA_ONSTACK}, 0);
			unsigned long *top = mmap(0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			__asm__ volatile("mov %0, %%rsp; xor %%edx, %%edx; jmp *%1" : : "r"(top + 256), "r"(header->e_entry) : "rdx");
		}
	END
	# The program without libc has no main(), and one page of code: it runs from its entry, as it is.
	caught "the program did not run from its entry through main() to its end" \
		--checks="hello,status,args,data,walk,heap,null,rodata,literal,all at entry"
	at_most 20
}

@test "the text that a program prints, changed in its memory" {
	kernel_pages 'for (size_t i = 0; i < program.count; i++) { char *start = (char *)program.segments[i].start; size_t size = program.segments[i].file_end - program.segments[i].start; char *text = memmem(start, size, "rodata %ld of 16", 16); if (text) { mprotect(start, size, 3); strcpy(text, "rodata 16 of 16, data 16 of 16, bss 64 of 64\\n"); mprotect(start, size, program.segments[i].protection); } }'
	cp "$SUBMISSION/dpager.c" "$SUBMISSION/apager.c"
	caught "the code or the constants in memory are not the program's" --checks="all at entry"
}

@test "a process that make leaves, in a session of its own and with an empty environment, exchanges the witness" {
	# It looks in every place where a grader may keep its witness. Without namespaces it can reach those that are kept.
	cp -r "$BATS_FILE_TMPDIR/programs" "$BATS_TEST_TMPDIR/programs"
	make_also "setsid env -i PATH=$PATH bash leaves.sh '$BATS_TEST_TMPDIR/programs/witness' </dev/null >/dev/null 2>&1 &"
	cat >"$SUBMISSION/witness" <<-'END'
		#!/bin/sh
		printf 'entered\nran\nfault 1000000\n' >"$1"
		shift 3
		exec "$@"
	END
	cat >"$SUBMISSION/leaves.sh" <<-'END'
		chmod +x witness
		for _ in {1..3000}; do
			for place in ../witness ../programs*/witness "$1"; do
				if [ -x "$place" ] && ! cmp -s witness "$place"; then
					cp witness "$place.new" && mv "$place.new" "$place"
				fi
			done
			sleep 0.01
		done
	END
	at_most 20
	if unshare -rm true 2>/dev/null; then diff -r "$BATS_FILE_TMPDIR/programs" "$BATS_TEST_TMPDIR/programs"; fi
	without_namespaces
	at_most 20
	if pgrep -f "leaves.sh $BATS_TEST_TMPDIR"; then false; fi
	mkdir "$BATS_TEST_TMPDIR/all"
	mv "$SUBMISSION" "$BATS_TEST_TMPDIR/all/mallory"
	ends 0 "$LAB/grade_all.py" "$BATS_TEST_TMPDIR/all" "$BATS_TEST_TMPDIR/reports"
	grep -q '^mallory,10,100,' "$BATS_TEST_TMPDIR/reports/grades.csv"
}

@test "the grader's own files, changed by make" {
	requires user_namespaces
	cp -r "$LAB" "$BATS_TEST_TMPDIR/lab"
	make_also "for file in '$BATS_TEST_TMPDIR'/lab/*.* '$BATS_TEST_TMPDIR'/lab/skeleton/guests/*.c ../here/new ../said/report '$BATS_FILE_TMPDIR'/programs/*; do
		echo 'int main(void) { return 0; }' >\"\$file\"; rm -f \"\$file\"; done; echo 'exit 0' >>~/.bashrc; cp also.sh \"\$TMPDIR\"
		unshare -rm mount -o remount,bind,rw / && touch '$BATS_TEST_TMPDIR/lab/new'; exit 0"
	HOME=$BATS_TEST_TMPDIR LAB=$BATS_TEST_TMPDIR/lab at_most 10
	[ ! -e "$BATS_TEST_TMPDIR/.bashrc" ]
	diff -r "$ROOT/docs/lab" "$BATS_TEST_TMPDIR/lab"
	[ -z "$(ls -A "$TMPDIR")" ]
	ends 0 "$LAB/grade.sh" "$PROGRAMS" --checks=hello "$LAB/skeleton" || [ "$(tail -n 1 "$BATS_TEST_TMPDIR/out")" = "total: 10 of 16" ]
}

@test "the solution, by links and by make" {
	requires solution user_namespaces
	cp "$LAB"/skeleton/{Makefile,*.[ch]} "$SUBMISSION"
	ln -sf "$LAB"/solution/*.c "$SUBMISSION"
	caught "there is no apager"
	ends 1 "$LAB/grade.sh" "$PROGRAMS" --checks=hello "$SUBMISSION"
	grep -q '^submission: .*; [0-9]* links that lead out of it are left out$' "$BATS_TEST_TMPDIR/out"
	rm "$SUBMISSION"/*.c
	make_also :
	sed -i "1i copied := \$(shell cp '$LAB'/solution/*.c .)" "$SUBMISSION/Makefile"
	caught "step 1 is missing"
}

@test "points, written to every descriptor, by make and by the pager" {
	local line='{"submission": "m", "points": 100, "of": 100, "checks": []}'
	make_also "for n in {1..255}; do printf '%s\n' '$line' >&\$n; done 2>/dev/null; for f in /proc/[0-9]*/fd/*; do printf '%s\n' '$line' >\$f; done 2>/dev/null; exit 0"
	at_most 10
	solution_with apager.c 'for (int file = 1; file < 300; file++) dprintf(file, "entered\\nran\\nfault 1000\\n");'
	caught "before the program's entry the pager wrote to standard output"
}

@test "the witness, from inside: ptrace, its memory, its limits" {
	for code in 'ptrace(PTRACE_ATTACH, getppid(), 0, 0)' 'syscall(SYS_process_vm_writev, getppid(), 0, 0, 0, 0, 0)' \
		'prlimit(getppid(), RLIMIT_CPU, \&(struct rlimit){0}, 0)' 'syscall(SYS_unshare, CLONE_NEWUSER)'; do
		solution_with apager.c "$code;"
		sed -i '1i #include <sched.h>\n#include <sys/ptrace.h>\n#include <sys/resource.h>\n#include <sys/syscall.h>' "$SUBMISSION/apager.c"
		caught "it reaches into another process" --checks=hello,entry
	done
	solution_with apager.c 'char path[64]; sprintf(path, "/proc/%d/mem", getppid()); open(path, O_RDWR);'
	caught "it writes to files" --checks=hello,entry
}

@test "pagers that are links to what can run a program, or are the program" {
	make_also "rm -f apager dpager hpager; ln -s /usr/bin/env apager; ln -s '$BATS_FILE_TMPDIR/programs/guests/hello' dpager; cp '$BATS_FILE_TMPDIR/programs/guests/hello' hpager; exit 0"
	sed -i 's/^all: .*/all: measure/' "$SUBMISSION/Makefile"
	caught "it uses execve"
	caught "the pager itself is at the program's addresses" --pagers=dpager,hpager
}

@test "the programs, exchanged: by make, whose are not used, and by the pager, which may not" {
	solution_with apager.c 'if (open("../guests/hello", O_WRONLY) >= 0) return 1;'
	sed -i 's|^clean:|clean:\n\tmkdir -p ../guests; printf "\\#!/bin/sh\\n" \| tee ../guests/hello ../guests/at_entry; chmod +x ../guests/*|' \
		"$SUBMISSION/Makefile"
	caught "it writes to files"
}

@test "endless output" {
	solution_with apager.c 'for (;;) if (write(2, "again\\n", 6) < 0) continue;'
	caught "more than 1024 KiB of output"
}

@test "the grader, killed by a pager" {
	solution_with apager.c 'kill(getppid(), SIGKILL); kill(-1, SIGKILL);'
	caught "it sends a signal to another process"
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
	ends 0 "$LAB/grade_all.py" "$BATS_TEST_TMPDIR/all" "$BATS_TEST_TMPDIR/reports"
	grep -q '^mallory,10,100,' "$BATS_TEST_TMPDIR/reports/grades.csv"
	# Where there are no namespaces, make reaches the grader.
	without_namespaces
	ends 1 "${UNDER[@]}" "$LAB/grade_all.py" "$BATS_TEST_TMPDIR/all" "$BATS_TEST_TMPDIR/reports"
	cat "$BATS_TEST_TMPDIR/reports/grades.csv"
	grep -q '^mallory,0,0,"\?not graded' "$BATS_TEST_TMPDIR/reports/grades.csv"
}
