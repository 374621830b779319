#!/usr/bin/env bats
#
# The loader lab: what students get builds and says what is missing; the grader gives full
# marks to a solution and to this toolkit's loaders, and takes from a broken submission the points that
# it should, in bounded time, and leaves nothing behind.

load ../../tests/helpers

LAB=$ROOT/docs/lab

# What glibc calls at exit, another register, the stack pointer, and how the solution's jump() clears these two.
case $(uname -m) in
aarch64) FIRST=x0 OTHER=x19 STACK=sp CLEAR_FIRST='s/mov x0, 0/mov x0, sp/' CLEAR_OTHER='s/mov x19, 0/mov x19, sp/' ;;
*) FIRST=rdx OTHER=rbx STACK=rsp CLEAR_FIRST='s/xor %%edx, %%edx/mov %%rsp, %%rdx/' CLEAR_OTHER='s/xor %%ebx, %%ebx/mov %%esp, %%ebx/' ;;
esac

setup_file() {
	"$LAB/grade.sh" --programs="$BATS_FILE_TMPDIR/programs"
}

setup() {
	SUBMISSION=$BATS_TEST_TMPDIR/submission
	PROGRAMS=--programs=$BATS_FILE_TMPDIR/programs
	# The grader's own files: none may be left.
	export TMPDIR=$BATS_TEST_TMPDIR/tmp
	mkdir "$TMPDIR"
}

# Without compiled files that somebody who tried the lab has left.
copy_skeleton() {
	mkdir -p "$SUBMISSION/guests"
	cp "$LAB"/skeleton/{Makefile,*.[ch]} "$SUBMISSION"
	cp "$LAB"/skeleton/guests/{Makefile,*.[ch]} "$SUBMISSION/guests"
}

copy_solution() {
	requires solution
	copy_skeleton
	cp "$LAB"/solution/*.c "$SUBMISSION"
}

# append FILE LINE
append() {
	echo "$2" >>"$SUBMISSION/$1"
}

# change FILE SED: a mistake in the solution. That it is one is checked.
change() {
	cp "$SUBMISSION/$1" "$BATS_TEST_TMPDIR/before"
	sed -i "$2" "$SUBMISSION/$1"
	! cmp -s "$BATS_TEST_TMPDIR/before" "$SUBMISSION/$1" || {
		echo "nothing changed in $1: $2"
		return 1
	}
}

# insert FILE CODE: before the jump, or before the last statement that leads to it.
insert() {
	change "$1" "1,/^#include/s|^#include|#include <sys/mman.h>\n#include <unistd.h>\n#include|" &&
		change "$1" "s|^\tjump(|\t$2\n&|"
}

# grade [OPTION]...: writes report.json; sets status.
grade() {
	status=0
	"${UNDER[@]}" timeout 100 "$LAB/grade.sh" "$PROGRAMS" --json "$@" "$SUBMISSION" \
		>"$BATS_TEST_TMPDIR/report.json" 2>"$BATS_TEST_TMPDIR/errors" 3>&- 4>&- || status=$?
	left_nothing
}

# No process has a file of this test as its program or working directory, and no temporary file is left.
left_nothing() {
	local found
	found=$(readlink /proc/[0-9]*/cwd /proc/[0-9]*/exe 2>/dev/null | grep -F "$TMPDIR/") || true
	[ -z "$found" ] || {
		echo "left running: $found"
		return 1
	}
	[ -z "$(ls -A "$TMPDIR")" ] || {
		echo "left in TMPDIR: $(ls -A "$TMPDIR")"
		return 1
	}
}

# without_namespaces: what follows runs where the kernel gives none.
without_namespaces() {
	requires user_namespaces
	under unshare -r bash -c 'echo 0 >/proc/sys/user/max_pid_namespaces; exec "$@"' without
}

# loses LIST [PATTERN]: exactly these checks, as part:check, separated by commas, and all of their
# points; a note of the report looks like PATTERN. Nothing lost is exit status 0. All checks together have 100 points.
loses() {
	python3 - "$BATS_TEST_TMPDIR/report.json" "$status" "$@" <<-'END' || {
		import json, re, sys
		report = json.load(open(sys.argv[1]))
		lost = [c for c in report["checks"] if c["points"] < c["of"]]
		found = ",".join(c["part"] + ":" + c["check"] for c in lost)
		problems = []
		if found != sys.argv[3]:
		    problems.append("lost:\n  %s\nexpected:\n  %s" % (found, sys.argv[3]))
		part = len(report["checks"]) < 43
		if (report["of"] != 100 and not part) or report["points"] != report["of"] - sum(c["of"] for c in lost):
		    problems.append("%(points)d points of %(of)d" % report)
		if sys.argv[2] != ("1" if lost else "0"):
		    problems.append("exit status " + sys.argv[2])
		if len(sys.argv) > 4 and not any(re.search(sys.argv[4], c["note"]) for c in lost):
		    problems.append("no note like " + sys.argv[4])
		if problems:
		    print("\n".join(problems + [str(c) for c in lost]))
		    sys.exit(1)
	END
		cat "$BATS_TEST_TMPDIR/errors"
		return 1
	}
}

# all_of PART...: every check of these pagers but EXCEPT.
EXCEPT=none
all_of() {
	local part check list=
	for part in "$@"; do
		for check in hello status args auxv entry data walk heap null rodata refuses; do
			list+=,$part:$check
		done
		case $part in
		apager) list+=",apager:literal,apager:all at entry" ;;
		dpager) list+=",dpager:none at entry,dpager:page by page" ;;
		hpager) list+=",hpager:literal,hpager:no .bss at entry,hpager:looks ahead,hpager:few in vain" ;;
		esac
	done
	tr , '\n' <<<"${list#,}" | grep -Ev ":($EXCEPT)$" | paste -sd,
}

# ---- what students get ---------------------------------------------------------------------

@test "the skeleton builds without a warning and says which step is missing" {
	copy_skeleton
	make -C "$SUBMISSION" all guests >"$BATS_TEST_TMPDIR/log" 2>&1
	[ "$(grep -ci 'warning' "$BATS_TEST_TMPDIR/log")" = 0 ]
	for pager in apager dpager hpager; do
		record found "$SUBMISSION/$pager" "$SUBMISSION/guests/build/hello"
		[ "$(cat "$BATS_TEST_TMPDIR/found.status")" = "exit 125" ]
		[ ! -s "$BATS_TEST_TMPDIR/found.out" ]
		grep -Eq "^$pager: step 1 is missing: .*2-elf.md" "$BATS_TEST_TMPDIR/found.err"
		record found "$SUBMISSION/$pager"
		[ "$(cat "$BATS_TEST_TMPDIR/found.status")" = "exit 125" ]
		grep -q "usage" "$BATS_TEST_TMPDIR/found.err"
	done
}

@test "the skeleton's guests run natively, and measure measures them" {
	copy_skeleton
	make -s -C "$SUBMISSION" all guests
	record found "$SUBMISSION/measure" "$SUBMISSION/guests/build/status"
	[ "$(cat "$BATS_TEST_TMPDIR/found.status")" = "exit 42" ]
	grep -Eq '^wall [0-9.]+ ms, .*peak RSS [1-9][0-9]* KB, page faults [1-9]' \
		"$BATS_TEST_TMPDIR/found.err"
	record found "$SUBMISSION/measure" "$SUBMISSION/guests/build/null"
	[ "$(cat "$BATS_TEST_TMPDIR/found.status")" = "exit 139" ]
	record found "$SUBMISSION/measure" ./nowhere
	[ "$(cat "$BATS_TEST_TMPDIR/found.status")" = "exit 127" ]
	[ "$(cat "$BATS_TEST_TMPDIR/found.err")" = "measure: ./nowhere cannot be run: No such file or directory" ]
	record found "$SUBMISSION/guests/build/entry"
	[ "$(cat "$BATS_TEST_TMPDIR/found.out")" = $'stack aligned\nregisters zero' ]
}

@test "the skeleton's marks are those for building it, and the report says why" {
	copy_skeleton
	grade
	loses "$(all_of apager dpager hpager)" "^step 1 is missing: read_program"
}

# ---- full marks ----------------------------------------------------------------------------

@test "a solution without a guard for system calls has full marks" {
	copy_solution
	grade
	loses ""
}

@test "the solution builds without a warning, and only with the skeleton's files" {
	copy_solution
	make -C "$SUBMISSION" CC="gcc -Werror" >"$BATS_TEST_TMPDIR/log" 2>&1 || {
		cat "$BATS_TEST_TMPDIR/log"
		return 1
	}
	for file in "$LAB"/solution/*.[ch]; do
		[ -e "$LAB/skeleton/${file##*/}" ]
	done
}

@test "the solution's folder is laid over the skeleton, and the report says so" {
	requires solution
	ends 0 "$LAB/grade.sh" "$PROGRAMS" --checks=hello "$LAB/solution"
	grep -q '^submission: .*/solution, laid over the skeleton, because it has no Makefile$' "$BATS_TEST_TMPDIR/out"
}

@test "the Makefile is found one folder down" {
	copy_solution
	mkdir "$BATS_TEST_TMPDIR/hand_in"
	mv "$SUBMISSION" "$BATS_TEST_TMPDIR/hand_in/anna"
	ends 0 "$LAB/grade.sh" "$PROGRAMS" --checks=hello "$BATS_TEST_TMPDIR/hand_in"
	grep -q "^submission: .*/hand_in; its Makefile is in anna/$" "$BATS_TEST_TMPDIR/out"
}

# Without rights over its own namespace, a loader makes a child in a user namespace, to change /proc/self/exe.
@test "the three loaders of this toolkit have full marks" {
	[ "$(id -u)" = 0 ] || requires user_namespaces
	ends 0 fresh_make -C "$ROOT" lab-reference
	SUBMISSION=$ROOT/build/lab-reference grade
	loses ""
}

@test "without namespaces a solution has full marks, and one sentence says what is not promised" {
	copy_solution
	without_namespaces
	grade
	loses ""
	[ "$(wc -l <"$BATS_TEST_TMPDIR/errors")" = 1 ]
	grep -q 'no namespaces here: .* can change this user.s files and this grader' "$BATS_TEST_TMPDIR/errors"
}

@test "where no process may be traced a solution has full marks, and one sentence says so" {
	copy_solution
	under "$GUESTS/tools/deny" ptrace:EPERM --
	grade
	loses ""
	grep -q 'no process may be traced here, or .*: the grader cannot see' "$BATS_TEST_TMPDIR/errors"
}

# ---- a term's variant ----------------------------------------------------------------------

# adapt BLOCK AHEAD WALK: the solution as a student writes it in a term with these numbers.
adapt() {
	copy_solution
	change predict.c "s/? 2 : 1/? $2 : 1/"
	change dpager.c 's|^\treturn segment != NULL.*|\tif (segment == NULL \|\| bring_in(\&program, segment, page, page + PAGE_SIZE) != 0)\
		return false;\
	for (uintptr_t i = 0, other = page - page % (BLOCK * PAGE_SIZE); i < BLOCK; i++, other += PAGE_SIZE)\
		if (other >= segment->start \&\& other < segment->end)\
			bring_in(\&program, segment, other, other + PAGE_SIZE); // fails where it is there\
	return true;|'
	change dpager.c "s/BLOCK/$1/g"
	[ "$3" = up ] || {
		change predict.c 's/page + (1 + ahead)/page - (1 + ahead)/'
		change hpager.c 's/page += PAGE_SIZE/page -= PAGE_SIZE/'
		change hpager.c 's/page >= segment->end/page < segment->start/'
	}
}

# adapt_to SEED
adapt_to() {
	local block ahead walk
	{ read -r _ block _ && read -r _ ahead _ && read -r _ walk _; } < <("$LAB/variant.sh" "$1")
	adapt "$block" "$ahead" "$walk"
}

@test "variant.sh: a seed always gives the same numbers, others give others; no seed is 125" {
	local seed seeds=(autumn-2026 spring-2027 autumn-2027 spring-2028)
	for seed in "${seeds[@]}" "${seeds[@]}"; do
		ends 0 "$LAB/variant.sh" "$seed"
		cat "$BATS_TEST_TMPDIR/out" >>"$BATS_TEST_TMPDIR/$seed"
		grep -Eqx 'block (2|4|8|16) dpager: .*' "$BATS_TEST_TMPDIR/out"
		grep -Eqx 'ahead ([3-9]|10) hpager: .*' "$BATS_TEST_TMPDIR/out"
		grep -Eqx 'walk (up|down) hpager: .*' "$BATS_TEST_TMPDIR/out"
		grep -Eqx "pages ([4-9][0-9]|10[0-3]) both: .*" "$BATS_TEST_TMPDIR/out"
	done
	for seed in "${seeds[@]}"; do
		head -n 4 "$BATS_TEST_TMPDIR/$seed" | cmp - <(tail -n 4 "$BATS_TEST_TMPDIR/$seed")
	done
	[ "$(cd "$BATS_TEST_TMPDIR" && md5sum "${seeds[@]}" | cut -c 1-32 | sort -u | wc -l)" = 4 ]
	ends 0 "$LAB/variant.sh" --help
	refuses "name one SEED" "$LAB/variant.sh"
	ends 125 "$LAB/variant.sh" 'autumn 2026'
	refuses "'': name one SEED" "$LAB/grade.sh" --variant= "$LAB"
}

@test "the solution of this term has full marks in its own variant, that of another term loses what differs" {
	local here=autumn-2026 other=spring-2027 some="hello,none at entry,looks ahead,few in vain"
	adapt_to $here
	grade --variant=$here --pagers=dpager,hpager --checks="$some,block by block"
	loses ""
	grade --variant=$other --pagers=dpager,hpager --checks="$some,block by block"
	loses "dpager:block by block,hpager:looks ahead" "wanted: blocks of"
	grade --pagers=dpager,hpager --checks="$some,page by page"
	loses "dpager:page by page,hpager:looks ahead" "wanted: as many pages as were touched"
	adapt_to $other
	grade --variant=$other --pagers=dpager,hpager --checks="$some,block by block"
	loses ""
	copy_solution
	grade --variant=$here --pagers=dpager,hpager --checks="$some,block by block"
	loses "dpager:block by block,hpager:looks ahead" "with one touch, .*; wanted: [0-9]* pages with one touch"
}

# ---- one mistake each ----------------------------------------------------------------------

@test "does not build: no points at all" {
	copy_solution
	append pages.c 'int x = ;'
	grade
	loses "build:builds,build:no warning,$(all_of apager dpager hpager)" "pages.c.*error"
}

@test "no Makefile, and an empty directory" {
	mkdir "$SUBMISSION"
	grade
	loses "build:builds,build:no warning,$(all_of apager dpager hpager)" "there is no Makefile"
}

@test "one pager of three does not build: the others are graded" {
	copy_solution
	append dpager.c 'int x = ;'
	grade --checks=hello,status
	loses "build:builds,build:no warning,dpager:hello,dpager:status" "there is no dpager"
}

@test "a Makefile that does not end" {
	mkdir "$SUBMISSION"
	printf 'all:\n\tsetsid sleep 1000 & sleep 1000\n' >"$SUBMISSION/Makefile"
	sed 's/^make_seconds=60/make_seconds=1/' "$LAB/grade.sh" >"$BATS_TEST_TMPDIR/grade.sh"
	chmod +x "$BATS_TEST_TMPDIR/grade.sh"
	ln -s "$LAB/skeleton" "$LAB/apart.c" "$LAB/witness.c" "$LAB/machine" "$BATS_TEST_TMPDIR/"
	LAB=$BATS_TEST_TMPDIR grade
	loses "build:builds,build:no warning,$(all_of apager dpager hpager)" "make: out of time"
}

@test "compiles with a warning" {
	copy_solution
	append apager.c 'static int unused;'
	grade --checks=hello
	loses "build:no warning" "warning.*unused"
}

@test "argc and argv begin with the pager's own name" {
	copy_solution
	for pager in apager dpager hpager; do
		change $pager.c 's/argv + 1/argv/'
	done
	grade --checks=hello,args
	loses apager:args,dpager:args,hpager:args "line 1 of stdout: 'argc 6', in a native run 'argc 5'"
}

@test "the pager's own entry in the auxiliary vector" {
	copy_solution
	change stack.c 's/case AT_ENTRY:/case AT_IGNORE:/'
	grade --checks=hello,auxv
	loses apager:auxv,dpager:auxv,hpager:auxv "AT_ENTRY wrong.*AT_ENTRY is not 0x[0-9a-f]*, the program's entry"
}

# dies_with SENTENCE: everything fails for the same reason, which the report says once a pager.
dies_with() {
	requires ptrace
	ends 1 "$LAB/grade.sh" "$PROGRAMS" --pagers=apager "$SUBMISSION"
	cat "$BATS_TEST_TMPDIR/out"
	grep -q "^  0/[0-9]* .*$1" "$BATS_TEST_TMPDIR/out"
}

@test "AT_PHDR is that of the pager" {
	copy_solution
	change stack.c 's/case AT_PHDR:/case AT_IGNORE:/'
	dies_with "at the entry AT_PHDR is not 0x400040, where the program's headers are"
}

@test "rdx, on arm64 x0, is not zero: that check's points, and no others" {
	requires ptrace
	copy_solution
	change jump.c "$CLEAR_FIRST"
	grade
	loses apager:entry,dpager:entry,hpager:entry "registers not zero.*at the entry $FIRST is not 0: glibc calls it as a function at exit"
	make -s -C "$SUBMISSION" apager
	status=0
	"$SUBMISSION/apager" "$BATS_FILE_TMPDIR/programs/guests/hello" || status=$?
	[ "$status" != 0 ]
}

@test "the stack is not aligned" {
	copy_solution
	change stack.c 's/& ~15ul);/\& ~15ul) - 1;/'
	dies_with "at the entry the stack is not aligned"
}

@test "argc is not that of the argv after it" {
	copy_solution
	change stack.c 's/\*next++ = argc;/*next++ = argc + 1;/'
	dies_with "at the entry the word at $STACK, argc, is"
}

@test "what comes after the file's bytes on their last page is not cleared" {
	copy_solution
	change pages.c 's/if (from < middle \&\& middle == file_pages_end.*/if (0)/'
	dies_with "not zero (step 2)"
}

@test "a hint is kept where the program hangs until the time limit" {
	requires ptrace
	copy_solution
	change stack.c 's/case AT_PHDR:/case AT_IGNORE:/'
	cd "$BATS_TEST_TMPDIR"
	make -s -C "$SUBMISSION" apager
	gcc -std=gnu17 -D_GNU_SOURCE -o witness "$LAB/witness.c"
	gcc -static -no-pie -nostdlib -o hangs -x c - <<<'void _start(void) { for (;;); }'
	./witness report hangs "$SUBMISSION/apager" hangs 3>&- 4>&- &
	witness=$!
	status=0
	eventually grep -qs '^hint at the entry AT_PHDR is not' report || status=1
	kill "$witness"
	[ "$status" = 0 ]
}

@test "a register that is not zero" {
	copy_solution
	change jump.c "$CLEAR_OTHER"
	grade --checks=hello,entry
	loses apager:entry,dpager:entry,hpager:entry "registers not zero.*at the entry $OTHER is not 0"
}

@test "everything is writable" {
	copy_solution
	change program.c 's/return (flags & PF_R ? PROT_READ : 0)/return PROT_WRITE | PROT_READ/'
	grade --checks=hello,rodata
	loses apager:rodata,dpager:rodata,hpager:rodata "exit 0, in a native run SIGSEGV"
}

@test "every file is a program" {
	copy_solution
	change program.c 's/^\tif (reason != NULL)$/\tif (0)/'
	change program.c 's/STATUS_NOT_LOADABLE/0/'
	grade --checks=hello,refuses
	loses apager:refuses,dpager:refuses,hpager:refuses "text: exit 0, wanted: exit 126"
}

@test "everything is in memory at entry, though it should come on demand" {
	copy_solution
	insert dpager.c 'for (size_t i = 0; i < program.count; i++) bring_in(\&program, \&program.segments[i], program.segments[i].start, program.segments[i].end);'
	grade --pagers=dpager
	loses "dpager:none at entry,dpager:page by page" "bss 64 of 64, 0 pages by SIGSEGV; wanted: no page"
}

@test "mapped at entry, but not in memory" {
	copy_solution
	change pages.c 's/ | MAP_POPULATE//'
	grade --pagers=apager,hpager
	loses "apager:all at entry,hpager:looks ahead" "bss 0 of 64; wanted: all"
}

@test "prediction that never predicts, and one that always does" {
	copy_solution
	change predict.c 's/^\treturn ahead;/\treturn 0;/'
	grade --pagers=hpager --checks="walk,looks ahead,few in vain"
	loses "hpager:looks ahead" "touched 540, there 540"
	copy_solution
	change predict.c 's/^\treturn ahead;/\treturn 2;/'
	grade --pagers=hpager --checks="walk,looks ahead,few in vain"
	loses "hpager:few in vain" "touched 32, there 9[0-9]"
}

@test "crashes before the program starts" {
	copy_solution
	insert apager.c '*(volatile char *)16 = 1;'
	grade --pagers=apager
	loses "$(EXCEPT=refuses all_of apager)" "SIGSEGV, in a native run exit 0; died at address 0x10, before the program's entry"
}

@test "a fault outside of the program is served for ever" {
	copy_solution
	change fault.c 's/^\tsigaction(number/\tif (0) &/'
	grade --seconds=1 --pagers=dpager --checks=hello,null
	loses dpager:null "out of time, in a native run SIGSEGV"
}

@test "loops for ever before the program starts: three runs are enough" {
	copy_solution
	insert apager.c 'for (;;) pause();'
	grade --seconds=1 --pagers=apager
	loses "$(all_of apager)" "not run, because 3 runs of apager were out of time"
}

@test "writes for ever" {
	copy_solution
	insert hpager.c 'for (;;) if (write(1, "again\\n", 6) < 0) continue;'
	grade --pagers=hpager
	loses "$(EXCEPT=refuses all_of hpager)" "more than 1024 KiB of output"
}

@test "takes all memory: the grader's limit ends it" {
	copy_solution
	insert apager.c 'while (mmap(0, 1 << 24, 3, MAP_PRIVATE \| MAP_ANONYMOUS, -1, 0) != MAP_FAILED) { }\n\t_exit(9);'
	grade --pagers=apager
	loses "$(EXCEPT=refuses all_of apager)" "exit 9, in a native run exit 0"
}

@test "leaves a process in a session of its own: it gets no points for that, and is gone afterwards" {
	requires ptrace
	copy_solution
	insert apager.c 'if (fork() == 0) for (setsid();;) pause();'
	grade --pagers=apager
	loses "$(EXCEPT=refuses all_of apager)" "no points: it makes another process"
}

# ---- the grader itself ---------------------------------------------------------------------

@test "grade.sh: --help is 0, wrong usage 125 with one sentence that names what was wrong" {
	ends 0 "$LAB/grade.sh" --help
	grep -q '^ *--pagers=LIST ' "$BATS_TEST_TMPDIR/out"
	refuses "name the DIRECTORY" "$LAB/grade.sh"
	refuses "--sideways: no such option" "$LAB/grade.sh" --sideways "$LAB"
	refuses "--seconds=0: N must be 1 to 99" "$LAB/grade.sh" --seconds=0 "$LAB"
	refuses "--pagers=vpager: name some of apager, dpager and hpager" "$LAB/grade.sh" --pagers=vpager "$LAB"
	refuses "name one DIRECTORY" "$LAB/grade.sh" "$LAB" "$LAB"
	refuses "nowhere: is no directory" "$LAB/grade.sh" "$BATS_TEST_TMPDIR/nowhere"
	[ ! -s "$BATS_TEST_TMPDIR/out" ]
}

@test "grade.sh: --checks makes those alone, --programs builds them once" {
	copy_skeleton
	ends 1 "$LAB/grade.sh" "$PROGRAMS" --checks='heap,few in vain' "$SUBMISSION"
	[ "$(tail -n 1 "$BATS_TEST_TMPDIR/out")" = "total: 10 of 15" ]
	ends 125 "$LAB/grade.sh" "$PROGRAMS" --checks=heap,haep "$SUBMISSION"
	says "--checks=heap,haep: there is no check 'haep' here"
	built=$(stat -c %y "$BATS_FILE_TMPDIR/programs/guests/hello")
	ends 0 "$LAB/grade.sh" "$PROGRAMS"
	[ "$(stat -c %y "$BATS_FILE_TMPDIR/programs/guests/hello")" = "$built" ]
	ends 125 "$LAB/grade.sh" --programs="$BATS_TEST_TMPDIR/no/where"
	[ -z "$(ls -A "$TMPDIR")" ]
}

@test "what make leaves running is ended, in a session of its own and with an empty environment" {
	mkdir "$SUBMISSION"
	printf 'all clean:\n\t(setsid env -i sleep 4322 &) >/dev/null 2>&1\n' >"$SUBMISSION/Makefile"
	for mode in : without_namespaces; do
		$mode
		grade --checks=hello
		if pgrep -f 'sleep 4322'; then false; fi
	done
}

@test "grade.sh: the report for people says once what many checks have in common" {
	copy_skeleton
	ends 1 "$LAB/grade.sh" "$PROGRAMS" "$SUBMISSION"
	cat "$BATS_TEST_TMPDIR/out"
	diff - "$BATS_TEST_TMPDIR/out" <<-END
		submission: $SUBMISSION
		build
		  5/5  builds
		  5/5  no warning
		apager, dpager, hpager
		  0/90  41 checks: step 1 is missing: read_program() in program.c (see docs/course/2-elf.md)
		        hello, status, args, auxv, entry, data, walk, heap, null, rodata, refuses, literal,
		        all at entry, none at entry, page by page, no .bss at entry, looks ahead, few in vain
		total: 10 of 100
	END
}

@test "grade.sh: ended by a signal, it leaves nothing behind" {
	copy_solution
	insert apager.c 'for (setsid();;) pause();'
	"$LAB/grade.sh" "$PROGRAMS" --seconds=3 "$SUBMISSION" >"$BATS_TEST_TMPDIR/out" 2>&1 3>&- 4>&- &
	grader=$!
	until pgrep -f "^[^ ]*/witness .*$TMPDIR/.*/submission/apager" >/dev/null; do
		kill -0 "$grader"
		sleep 0.1
	done
	kill "$grader"
	status=0
	wait "$grader" || status=$?
	[ "$status" = 125 ]
	left_nothing
}

@test "grade.sh: the submission stays as it was" {
	copy_solution
	(cd "$SUBMISSION" && find . -type f -exec md5sum {} + | sort) >"$BATS_TEST_TMPDIR/sums"
	grade --checks=hello
	(cd "$SUBMISSION" && find . -type f -exec md5sum {} + | sort) | cmp - "$BATS_TEST_TMPDIR/sums"
}

@test "README.md names each check with its points, and those of the three pagers are 100" {
	copy_skeleton
	grade
	python3 - "$BATS_TEST_TMPDIR/report.json" "$LAB/README.md" <<-'END'
		import json, re, sys
		checks = {(c["part"], c["check"]): c["of"] for c in json.load(open(sys.argv[1]))["checks"]}
		rows = re.findall(r"^\| `(.*?)` \| (.*?) \| (\d+) \|", open(sys.argv[2]).read(), re.M)
		table = {}
		for check, parts, points in rows:
		    for part in parts.split(", "):
		        table[part, check] = int(points)
		print(set(checks.items()) ^ set(table.items()))
		sys.exit(checks != table or sum(table.values()) != 100)
	END
}
