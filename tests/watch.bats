#!/usr/bin/env bats
# --explain, --trace, --step and --pause: what one sees is true, and the program does what it does
# without anybody looking.
#
# Runs without huge pages: what it expects is what becomes of a small .bss whose pages are hidden.

load helpers

setup() {
	cd "$ROOT" || return
	TRACE=$BATS_TEST_TMPDIR/trace
	ENGINES=$(engines_here)
}

# story LOADER [ARG]...: the run's stderr into 'story', which must end well and say hello! on stdout.
story() {
	"$@" >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/story" </dev/null
	cut_warning "$BATS_TEST_TMPDIR/story"
	grep -q 'hello!' "$BATS_TEST_TMPDIR/out"
}

told() {
	grep -E -e "$1" "$BATS_TEST_TMPDIR/story" || {
		echo "nothing like this is told: $1"
		return 1
	}
}

# Addresses of symbols as binutils have them, 0 where there is none.
address_of() {
	echo "0x$(nm "$1" | awk -v name="$2" '$3 == name { print $1 }' | sed 's/^0*//')"
}

@test "--explain tells headers, mappings, stack, registers and faults of prog1" {
	local start
	start=$(readelf -lW prog1 | awk '$1 == "LOAD" { sub("^0x0*", "", $3); print $3; exit }')
	for loader in $LOADERS; do
		story "$loader" --explain ./prog1
		told "e_entry +$(address_of ./prog1 _start) .*_start"
		[ "$(grep -c ' PT_LOAD ' "$BATS_TEST_TMPDIR/story")" -eq "$(readelf -lW prog1 | grep -c ' LOAD ')" ]
		told "mmap 0x$start-0x[0-9a-f]+ r-[-x], the file from 0x0 on"
		told '\| rw- \.bss '
		told 'argv\[0\] -> "./prog1"'
		told 'AT_PHDR'
		told "(rip|pc) +$(address_of ./prog1 _start), _start\+0x0 in .text"
		told 'others +0'
	done
	told 'The end: exit status 0'
	requires lazy
	told 'write of 0x[0-9a-f]+, first\+0x0 in .bss, by main\+0x[0-9a-f]+ in .text'
	told '64 pages, filled: a stream goes on upwards'
}

@test "--explain: the picture says what becomes of the loader, and how far the stack may grow" {
	ulimit -S -s 4096
	story ./hybrid_loader --explain ./prog1
	told 'this loader +\| goes, but for its resident code'
	told 'stack +\| grows downwards, to 4096 KiB at most'
	story ./all_at_once_loader --explain ./prog1
	told 'this loader +\| goes before the program starts'
	story ./all_at_once_loader --explain --stats="$BATS_TEST_TMPDIR/stats" ./prog1
	told 'this loader +\| goes before the program starts'
}

@test "odd names: text stays whole lines without control characters, JSON is UTF-8, a trace has ten fields" {
	local odd=$BATS_TEST_TMPDIR/$'o\nd\td\e[7m\xff'
	cp "$GUESTS/musl-static/hello" "$odd"
	story ./on_demand_loader --explain --trace="$TRACE" "$odd" $'a\nb\e[7m'
	[ "$(grep -acP '[\x01-\x08\x0b-\x1f\x7f]' "$BATS_TEST_TMPDIR/story")" -eq 0 ]
	grep -aq 'argv\[1\] -> "a?b?\[7m"$' "$BATS_TEST_TMPDIR/story"
	grep -aq $'^program\t.*/o?d?d?\\[7m' "$TRACE"
	story ./on_demand_loader --explain=json "$odd" $'\xc3\xa4\xed\xa0\x80\xc0\x80\xf4\x90\x80\x80\xf0\x9f\x98\x80'
	python3 - "$BATS_TEST_TMPDIR/story" <<-'END'
		import json, sys
		objects = [json.loads(line.decode()) for line in open(sys.argv[1], "rb")]
		assert objects[0]["program"].endswith("/o\nd\td\x1b[7m\ufffd"), objects[0]
		text = [o["text"] for o in objects if o.get("name") == "argv[1]"][0]
		assert text == "\xe4" + 9 * "\ufffd" + "\U0001f600", text
	END
}

@test "--explain: each word of the stack is where a native debugger would find it" {
	story ./hybrid_loader --explain=json "$GUESTS/musl-static/hello" a 'b c'
	python3 - "$BATS_TEST_TMPDIR/story" <<-'END'
		import json, sys
		objects = [json.loads(line) for line in open(sys.argv[1])]
		words = [o for o in objects if o["what"] == "word"]
		stack = [o for o in objects if o["what"] == "stack"][0]
		at = int(words[0]["address"], 16)
		assert at == int(stack["stack_pointer"], 16) and at % 16 == 0
		assert words[0]["name"] == "argc" and words[0]["value"] == "0x3"
		assert [w["text"] for w in words[1:4]][1:] == ["a", "b c"]
		names = [w["name"] for w in words]
		for name in ("AT_PHDR", "AT_ENTRY", "AT_RANDOM", "AT_EXECFN", "AT_NULL"):
		    assert names.count(name) == 1, name
		for before, word in zip(words, words[1:]):
		    step = 16 if before["name"].startswith(("AT_", "type")) else 8
		    assert int(word["address"], 16) - int(before["address"], 16) == step, word
	END
}

@test "--explain: types of the auxiliary vector and counts are decimal, as in <elf.h>" {
	story ./hybrid_loader --explain ./prog1
	told '^ +0x[0-9a-f]+ +16 +AT_HWCAP$'
	told '^ +0x[0-9a-f]+ +33 +AT_SYSINFO_EHDR$'
	told '^ +0x[0-9a-f]+ +4096 +bytes of a page$'
	told "^ +0x[0-9a-f]+ +$(address_of ./prog1 _start) +where it begins$"
	mapfile -t types < <(grep -oE ' [0-9]+ +AT_[A-Z0-9_]+$' "$BATS_TEST_TMPDIR/story")
	[ "${#types[@]}" -ge 20 ]
	printf '#include <elf.h>\n' >"$BATS_TEST_TMPDIR/types.c"
	for type in "${types[@]}"; do
		read -r number name <<<"$type"
		printf '#ifdef %s\n_Static_assert(%s == %s, "%s");\n#endif\n' "$name" "$name" "$number" "$name"
	done >>"$BATS_TEST_TMPDIR/types.c"
	gcc -fsyntax-only "$BATS_TEST_TMPDIR/types.c"
}

@test "--explain shows the beginning of a long environment, --explain=json all of it" {
	story env -i A=1 B=2 C=3 D=4 E=5 ./hybrid_loader --explain ./prog1
	told 'envp\[2\] -> "C=3"$'
	told '^ +\.\.\. +2 more variables$'
	told ' 0 +envp\[5\]  the end$'
	[ "$(grep -c 'envp\[[34]\]' "$BATS_TEST_TMPDIR/story")" -eq 0 ]
	story env -i A=1 B=2 C=3 ./hybrid_loader --explain ./prog1
	[ "$(grep -c 'more variables' "$BATS_TEST_TMPDIR/story")" -eq 0 ]
	story env -i A=1 B=2 C=3 D=4 E=5 ./hybrid_loader --explain=json ./prog1
	told '"name": "envp\[4\]".* "text": "E=5"'
}

@test "--explain=json is an object a line, and tells what the text tells" {
	for loader in $LOADERS; do
		story "$loader" --explain=json ./prog1
		python3 - "$BATS_TEST_TMPDIR/story" "$loader" "$ENGINES" <<-'END'
			import json, sys, collections
			objects = [json.loads(line) for line in open(sys.argv[1])]
			kinds = collections.Counter(o["what"] for o in objects)
			assert kinds["header"] == kinds["plan"] == kinds["stack"] == kinds["jump"] == 1, kinds
			assert kinds["segment"] == objects[0]["phnum"], kinds
			if "all_at_once" not in sys.argv[2] and sys.argv[3]:
			    assert kinds["fault"] > 10 and kinds["end"] == 1, kinds
			    assert [o["number"] for o in objects if o["what"] == "fault"] == list(range(1, kinds["fault"] + 1))
		END
	done
}

@test "--explain names symbols of a static PIE, of Go, and none of a stripped program" {
	requires go_guests
	story ./on_demand_loader --explain "$GUESTS/glibc-pie/hello"
	told 'by _dl_relocate_static_pie\+0x'
	./on_demand_loader --explain "$GUESTS/go/go_hello" >/dev/null 2>"$BATS_TEST_TMPDIR/story" || true
	told 'by runtime\.rt0_go'
	cp "$GUESTS/musl-static/hello" "$BATS_TEST_TMPDIR/hello"
	strip "$BATS_TEST_TMPDIR/hello"
	story ./on_demand_loader --explain "$BATS_TEST_TMPDIR/hello"
	told 'write of 0x[0-9a-f]+ in \.[a-z]+, by 0x[0-9a-f]+ in \.text'
}

@test "--explain: sections and symbols that are nonsense have no effect on the run" {
	seeded
	python3 - "$GUESTS/musl-static/hello" "$BATS_TEST_TMPDIR" <<-'END'
		import os, random, struct, sys
		data = open(sys.argv[1], "rb").read()
		shoff = struct.unpack_from("<Q", data, 0x28)[0]
		chance = random.Random(int(os.environ["SEED"]))
		for number in range(100):
		    mutant = bytearray(data)
		    for _ in range(chance.choice((1, 3, 20))):
		        place = chance.choice((chance.randrange(0x28, 0x30), chance.randrange(0x3a, 0x40),
		                               chance.randrange(shoff, len(data)), chance.randrange(shoff, len(data))))
		        mutant[place] = chance.choice((0, 1, 0x7f, 0x80, 0xff, chance.randrange(256)))
		    open(f"{sys.argv[2]}/mutant{number}", "wb").write(mutant)
	END
	for mutant in "$BATS_TEST_TMPDIR"/mutant*; do
		chmod +x "$mutant"
		story ./hybrid_loader --explain "$mutant"
		told 'The jump' >/dev/null
	done
}

# dies LOADER PROGRAM SIGNAL WORDS [ARG]...: the last line of the program's story has these words about its end.
dies() {
	local words options
	read -ra options <<<"$LOADER_OPTIONS"
	"./$1" "${options[@]}" --explain "$2" "${@:5}" >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/story" || true
	words=$(tail -n 1 "$BATS_TEST_TMPDIR/story")
	[[ $words =~ ^"The end: killed by $3"$4$ ]] && return
	echo "$1 $2: $words"
	return 1
}

# tells_the_access LOADER
tells_the_access() {
	dies "$1" ./prog4 SIGSEGV ': read of 0x0, by main\+0x[0-9a-f]+ in \.text'
	# The instruction is the one that a debugger stops at.
	address=$(address_of ./prog4 main)
	"./$1" --explain=json ./prog4 2>"$BATS_TEST_TMPDIR/story" || true
	python3 - "$BATS_TEST_TMPDIR/story" "$address" "$(objdump -d --no-show-raw-insn prog4 | sed -n '/<main>:/,/^$/p')" <<-'END'
		import json, re, sys
		end = [json.loads(line) for line in open(sys.argv[1]) if line.startswith("{")][-1]
		assert end["what"] == "end" and end["signal"] == "SIGSEGV", end
		assert end["address"] == "0x0" and end["section"] is None and end["detail"] == "read", end
		offset = int(end["instruction"], 16) - int(sys.argv[2], 16)
		assert end["by"] == f"main+{offset:#x}", end
		code = dict(re.findall(r"^ +([0-9a-f]+):\t(\S.*)$", sys.argv[3], re.M))
		assert re.search(r"[[(]", code[end["instruction"][2:]]), code
	END
	dies "$1" "$GUESTS/musl-pie/wild_access" SIGSEGV \
		': write of 0x[0-9a-f]+, main\+0x0 in \.text, by main\+0x[0-9a-f]+ in \.text' write_text
	dies "$1" "$GUESTS/musl-static/wild_access" SIGSEGV \
		': execute of 0x[0-9a-f]+, in_data\+0x0 in \.data, by in_data.*' execute_data
	# A signal that was sent reports no access.
	dies "$1" "$GUESTS/musl-static/aborts" SIGABRT ''
	# The guest's handler has given up before.
	of_this_processor "$GUESTS/glibc-static/signal_fatal"
	dies "$1" "$GUESTS/glibc-static/signal_fatal" SIGSEGV ': write of 0x10, by on_fault.*'
}

@test "--explain: the end of a program that an access kills says where it was" {
	requires lazy
	tells_the_access on_demand_loader
	# A program with pages that hybrid_loader hides.
	LOADER_OPTIONS=--engine=mprotect dies hybrid_loader "$GUESTS/glibc-static/prog4" SIGSEGV ': read of 0x0, by main\+0x[0-9a-f]+ in \.text'
}

@test "--explain: where hybrid_loader hides no page it says so, too" {
	requires dispatch
	tells_the_access hybrid_loader
}

# tells_other_accesses LOADER
tells_other_accesses() {
	cat >"$BATS_TEST_TMPDIR/ends.c" <<-'END'
		#include <pthread.h>
		#include <stdint.h>
		#include <sys/wait.h>
		#include <unistd.h>
		static int read_there(uint64_t address) { return *(volatile char *)address; }
		static void *thread(void *none) { return (void *)(uint64_t)read_there(0x30); }
		int main(int argc, char **argv)
		{
			pthread_t other;
			if (argc == 1) return read_there(UINT64_C(1) << 54);
			if (argc == 2) return pthread_create(&other, NULL, thread, NULL) + pthread_join(other, NULL);
			if (fork() == 0) return read_there(0x50);
			return wait(&argc) > 0 && WTERMSIG(argc) == 11;
		}
	END
	# Not glibc, whose threads end lazy paging since 2.42: they have guard pages by markers of their own.
	musl-gcc -static -pthread -o "$BATS_TEST_TMPDIR/ends" "$BATS_TEST_TMPDIR/ends.c"
	what="read of 0x40000000000000"
	# x86-64 does not tell the handler which address it was.
	[ "$(uname -m)" != x86_64 ] || what="access of an address that no page can have"
	dies "$1" "$BATS_TEST_TMPDIR/ends" SIGSEGV ": $what, by read_there.*"
	dies "$1" "$BATS_TEST_TMPDIR/ends" SIGSEGV ': read of 0x30, by read_there.*' thread
	ran 139 "./$1" --explain "$BATS_TEST_TMPDIR/ends" thread
	dies "$1" "$GUESTS/musl-static/wild_access" SIGSEGV ': execute of 0x0, by 0x0' jump_null
	"./$1" --explain "$BATS_TEST_TMPDIR/ends" a child 2>"$BATS_TEST_TMPDIR/story" || true
	grep -q 'killed (thread .*): read of 0x50, by read_there' "$BATS_TEST_TMPDIR/story"
	[ "$(tail -n 1 "$BATS_TEST_TMPDIR/story")" = "The end: exit status 1" ]
}

@test "--explain: an address that no page can have, a thread, a child, a jump to NULL" {
	requires lazy
	tells_other_accesses on_demand_loader
}

@test "--explain: the same where hybrid_loader hides no page" {
	requires dispatch
	tells_other_accesses hybrid_loader
}

@test "--explain: a symbol that marks code for disassemblers is no name of it" {
	local program=$GUESTS/glibc-static/prog1 entry text
	entry=$(readelf -hW "$program" | sed -n 's/.*Entry point address: *//p')
	text=$(readelf -SW "$program" | sed -n 's/.* \.text *PROGBITS *\([0-9a-f]*\).*/0x\1/p')
	objcopy --add-symbol "\$x=.text:$((entry - text)),local" "$program" "$BATS_TEST_TMPDIR/marked"
	readelf -sW "$BATS_TEST_TMPDIR/marked" | grep -q "NOTYPE *LOCAL .* [$]x$"
	run ./all_at_once_loader --explain "$BATS_TEST_TMPDIR/marked"
	[[ $output == *"$entry"*" where it begins: _start"* ]]
}

@test "--explain: a dynamically linked program is two files, and both have names" {
	for loader in $LOADERS; do
		ran 0 "$loader" --explain "$GUESTS/glibc-dynamic/hello"
		[ "$(grep -c '^1. What the file says$' <<<"$output")" -eq 1 ]
		[ "$(grep -c '^2. What goes where$' <<<"$output")" -eq 1 ]
		[[ $output == *"where it begins: _start"*"Its interpreter, where the process begins:"*"/ld-linux"*"   The interpreter:"*"AT_BASE"* ]]
	done
}

@test "--explain: a dynamically linked program's faults are the interpreter's, then its own" {
	requires dispatch
	# Else the linker of riscv64 puts _start into the page that the interpreter reads the program's headers in.
	gcc -o "$BATS_TEST_TMPDIR/hello" -Wl,-z,separate-code "$ROOT/testprogs/hello.c"
	run "$ROOT/on_demand_loader" --policy=none --explain "$BATS_TEST_TMPDIR/hello"
	# The story has the interpreter's work, which relocates the program, and then the program's
	# first instruction: on riscv64 that of load_gp, which the interpreter calls by DT_PREINIT_ARRAY.
	local first=_start
	! nm "$BATS_TEST_TMPDIR/hello" | grep -q ' load_gp$' || first=load_gp
	grep -q '^ *[0-9]* .* in .data.rel.ro, by .* in .text' <<<"$output"
	grep -q "^ *[0-9]* execute of .*, $first+0x0 in .text" <<<"$output"
}

@test "--explain: a file that cannot be loaded is told as far as it goes, then refused in one line" {
	gcc -o "$BATS_TEST_TMPDIR/lost" -Wl,--dynamic-linker=/nowhere/ld.so "$ROOT/testprogs/prog1.c"
	for loader in $LOADERS; do
		status=0
		output=$("$loader" --explain "$BATS_TEST_TMPDIR/lost" 2>&1) || status=$?
		[ "$status" -eq 127 ]
		mapfile -t lines <<<"$output"
		[[ $output == *PT_INTERP* ]]
		[[ ${lines[-1]} == "${loader##*/}: $BATS_TEST_TMPDIR/lost: its interpreter /nowhere/ld.so: "* ]]
	done
}

@test "--explain: an unknown format is refused" {
	ran 125 ./hybrid_loader --explain=yaml ./prog1
	[[ $output == *"there are text and json" ]]
}

@test "colour on a terminal only, and not with NO_COLOR" {
	requires terminals
	story ./hybrid_loader --explain ./prog1
	[ "$(grep -c $'\033' "$BATS_TEST_TMPDIR/story")" -eq 0 ]
	run env -u NO_COLOR python3 tests/tools/on_terminal.py '' ./hybrid_loader --explain ./prog1
	[[ $output == *$'\033[1m'* ]]
	run env NO_COLOR=1 python3 tests/tools/on_terminal.py '' ./hybrid_loader --explain ./prog1
	[[ $output != *$'\033'* && $output == *hello!* ]]
}

@test "--step waits for a key at each phase and each fault, and c goes on without" {
	requires terminals
	for loader in $LOADERS; do
		run python3 tests/tools/on_terminal.py 'xxxxx' "$loader" --step ./prog4
		[[ $output == *"4. The jump"* ]]
	done
	# Four phases and a fault; each key is typed only when nothing happens any more.
	ran 0 python3 tests/tools/on_terminal.py 'xxxxc' ./hybrid_loader --step ./prog1
	[[ $output == *hello!* && $output == *"press any key to go on"* ]]
}

@test "--step: Ctrl-D goes on without a key, typed before or while the loader waits" {
	requires terminals
	run python3 tests/tools/on_terminal.py 'x\x04' ./hybrid_loader --step ./prog1
	[[ $status = 0 && $output == *hello!* ]]
	# util-linux's script types it as soon as its own input ends.
	run timeout "$HANGS" script -qec "./hybrid_loader --step ./prog1" /dev/null </dev/null
	[[ $status = 0 && $output == *hello!* ]]
}

@test "--step: Ctrl-C ends the program at a fault, the loader at a phase, as SIGINT does" {
	requires terminals
	for keys in 'x\x03' ${ENGINES:+'xxxxx\x03'}; do
		ran 130 python3 tests/tools/on_terminal.py "$keys" ./hybrid_loader --step ./prog1
		[[ $output != *hello!* ]]
	done
}

@test "--step: Ctrl-Z stops the job at a phase and at a fault, and fg goes on" {
	requires terminals
	for keys in 'x\x1ac' ${ENGINES:+'xxxxx\x1ac'}; do
		ran any python3 tests/tools/on_terminal.py "$keys" \
			bash -c 'set -m; ./hybrid_loader --step ./prog1; echo "stopped: $?"; fg; echo "ended: $?"'
		[[ $output == *"stopped: 148"* && $output == *hello!* && $output == *"ended: 0"* ]]
	done
}

@test "--step: a job in the background goes on without a key, and so does one without a terminal of its own" {
	requires terminals setsid
	run python3 tests/tools/on_terminal.py '' bash -c 'set -m; ./hybrid_loader --step ./prog1 & wait; echo "ended: $?"'
	[[ $output == *hello!* && $output == *"ended: 0"* ]]
	run python3 tests/tools/on_terminal.py '' setsid --wait ./hybrid_loader --step ./prog1
	[[ $status = 0 && $output == *hello!* ]]
}

@test "--step without a terminal says so and goes on" {
	ran 0 ./hybrid_loader --step ./prog1 </dev/null
	[[ $output == *"standard input is not a terminal"* && $output == *hello!* ]]
	# Once, though the story begins with the headers of two files.
	run ./hybrid_loader --step "$(command -v env)" true </dev/null
	[ "$(grep -c "standard input is not a terminal" <<<"$output")" = 1 ]
}

# paused LOADER PROGRAM: starts it with --pause, and waits until it says so; its ID in $process.
paused() {
	: >"$BATS_TEST_TMPDIR/err" # not what the loader before said
	"$1" --pause "${@:2}" >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" 3>&- 4>&- &
	child=$!
	until grep -q 'waits for a debugger' "$BATS_TEST_TMPDIR/err"; do
		kill -0 "$child"
		sleep 0.02
	done
	process=$(sed -n 's/.* process \([0-9]*\) waits .*/\1/p' "$BATS_TEST_TMPDIR/err")
}

@test "--pause waits before the first instruction until SIGCONT comes" {
	for loader in $LOADERS; do
		paused "$loader" ./prog1
		[ "$process" -eq "$child" ]
		[ ! -s "$BATS_TEST_TMPDIR/out" ]
		kill -CONT "$process"
		wait "$child"
		grep -q hello! "$BATS_TEST_TMPDIR/out"
	done
}

@test "--trace: every event in order, nothing lost, and what it says adds up" {
	for loader in on_demand_loader hybrid_loader; do
		for engine in $(engines_here); do
			for program in ./prog1 "$GUESTS/musl-static/call_vectors"; do
				"./$loader" "--engine=$engine" --trace="$TRACE" \
					--stats="$BATS_TEST_TMPDIR/stats" "$program" >/dev/null
				python3 tests/tools/check_trace.py "$TRACE" "$BATS_TEST_TMPDIR/stats"
			done
		done
	done
}

@test "--trace: each kind of instruction reads or writes, with each engine" {
	for engine in $(engines_here); do
		./on_demand_loader "--engine=$engine" --policy=none --trace="$TRACE" "$GUESTS/musl-static/memory_accesses" >"$BATS_TEST_TMPDIR/said"
		awk -F '\t' '$4 == "fault" && $9 ~ /^pages[+]/ { print $8 }' "$TRACE" | diff "$BATS_TEST_TMPDIR/said" -
		[ -s "$BATS_TEST_TMPDIR/said" ]
	done
}

@test "--trace and --explain: guests with threads, signals, forks and exec run as natively" {
	for guest in thread_many thread_same_pages thread_exit_race signal_storm signal_threads process_fork_tree \
		process_vfork process_exec_thread process_spawn signal_exec memory_protect \
		signal_actions signal_status thread_leader_gone signal_fault_info; do
		with_options "--trace=$TRACE"
		# Its threads are killed in the middle of events. The reader waits two seconds for each of these, and the
		# ring has no room for what comes meanwhile if there is an event for each page.
		[ "$guest" != thread_exit_race ] || with_options "--trace=$TRACE" --policy=block
		of_variants_that_leave only_under on_demand_loader,hybrid_loader in_all_variants "$guest"
		tail -n 1 "$TRACE" | grep -q '^end'
		"$GUESTS/musl-static/$guest" >"$BATS_TEST_TMPDIR/native" 2>&1 || true
		for loader in on_demand_loader hybrid_loader; do
			"./$loader" --explain "$GUESTS/musl-static/$guest" >"$BATS_TEST_TMPDIR/found" 2>/dev/null || true
			grep -v '^ *$' "$BATS_TEST_TMPDIR/found" | diff - <(grep -v '^ *$' "$BATS_TEST_TMPDIR/native") || {
				# What it writes on stderr is left out of one of the two.
				"$GUESTS/musl-static/$guest" 2>/dev/null | diff "$BATS_TEST_TMPDIR/found" -
			}
		done
	done
}

@test "--trace: threads, children, signals and the end of lazy paging are in it" {
	requires lazy
	./on_demand_loader --retire=never --trace="$TRACE" "$GUESTS/musl-static/thread_many" >/dev/null
	[ "$(cut -f 4 "$TRACE" | grep -cx thread)" -gt 10 ]
	./on_demand_loader --retire=never --trace="$TRACE" "$GUESTS/musl-static/process_fork_tree" >/dev/null
	[ "$(awk -F '\t' '$4 == "fork" { print $2 }' "$TRACE" | sort -u | wc -l)" -gt 5 ]
	./on_demand_loader --trace="$TRACE" "$GUESTS/musl-static/signal_storm" >/dev/null
	grep -q $'\tsignal\t.*\tSIG' "$TRACE"
	./on_demand_loader --retire=3 --trace="$TRACE" ./prog1 >/dev/null
	grep -q $'\tretire\t' "$TRACE"
}

@test "--trace: a program that dies by a signal is traced to its end" {
	ran 139 ./on_demand_loader --trace="$TRACE" "$GUESTS/musl-static/wild_access" write_text
	tail -n 1 "$TRACE" | grep -q $'^end\t[0-9]*\t0\tsignal 11$'
}

# unsplit_engine: $engine is one that splits no mapping where every second page is touched. A process has 65530 mappings.
unsplit_engine() {
	engine=$(engines_of guard userfaultfd | head -n 1)
	[ -n "$engine" ] || skip "neither guard markers nor userfaultfd work here"
}

@test "--trace: when the ring is full, what is lost is counted" {
	# The reader is stopped, so the ring must run over: 131072 pages and two events for each.
	unsplit_engine
	paused ./on_demand_loader "--engine=$engine" --policy=none --trace="$TRACE" "$GUESTS/musl-static/every_second_page"
	kill -STOP "$child"
	kill -CONT "$process"
	# However long that takes, the program runs to its end meanwhile.
	until grep -q '^State:.Z' "/proc/$process/status"; do sleep 0.1; done
	kill -CONT "$child"
	wait "$child"
	read -r word events lost end < <(tail -n 1 "$TRACE" | tr '\t' ' ')
	echo "$word $events $lost $end"
	[ "$events" -eq "$(sed '1,/^events$/d' "$TRACE" | grep -vc '^end')" ]
	[ "$lost" -gt 0 ]
	grep -Eq "$lost events? (is|are) missing" "$BATS_TEST_TMPDIR/err"
	grep -q 'every second page' "$BATS_TEST_TMPDIR/out"
}

@test "--trace: a file that cannot be written is said, before the run or after it" {
	ran 125 ./hybrid_loader --trace=/nowhere/trace ./prog1
	[[ $output == *"the trace cannot be written to /nowhere/trace"* && $output != *hello!* ]]
	requires dev_full
	ran 125 ./hybrid_loader --trace=/dev/full ./prog1
	[[ $output == *"the trace cannot be written to /dev/full"* && $output == *hello!* ]]
}

@test "--trace to a FIFO, and to the standard output that the program has, too" {
	mkfifo "$BATS_TEST_TMPDIR/fifo"
	timeout "$HANGS" cat "$BATS_TEST_TMPDIR/fifo" >"$TRACE" 3>&- 4>&- &
	timeout "$HANGS" ./on_demand_loader --trace="$BATS_TEST_TMPDIR/fifo" ./prog1
	wait $!
	tail -n 1 "$TRACE" | grep -q $'^end\t.*\texit 0$'
	timeout "$HANGS" ./on_demand_loader --trace=/dev/stdout ./prog1 | cat >"$TRACE"
	grep -q 'hello!' "$TRACE"
	grep -q $'^end\t.*\texit 0$' "$TRACE"
}

@test "--trace: the program has no descriptor of the loader's, whichever of the first three are closed" {
	for closed in '' '<&-' '>&-' '<&- >&-' '<&- 2>&-'; do
		bash -c '"$0" '"$closed" "$GUESTS/musl-static/descriptors" >"$BATS_TEST_TMPDIR/native" 3>&- 4>&- || true
		bash -c '"$0" "$@" '"$closed" ./on_demand_loader --trace="$TRACE" "$GUESTS/musl-static/descriptors" \
			>"$BATS_TEST_TMPDIR/found" 3>&- 4>&- || true
		diff "$BATS_TEST_TMPDIR/native" "$BATS_TEST_TMPDIR/found"
		[ "$(head -n 1 "$TRACE")" = "page-trace 1" ]
		tail -n 1 "$TRACE" | grep -q '^end'
	done
}

@test "--trace and --explain: the one shared mapping that the program finds has the events" {
	for loader in on_demand_loader hybrid_loader; do
		for option in "--trace=$TRACE" --explain; do
			"./$loader" "$option" "$GUESTS/musl-static/maps" 2>/dev/null >"$BATS_TEST_TMPDIR/found"
			[ "$(grep 'rw-s' "$BATS_TEST_TMPDIR/found" | sed 's/  .*//')" = "zero (deleted)" ]
		done
	done
}

@test "the program goes on when nobody reads the story any more, or the trace has become too long" {
	mkfifo "$BATS_TEST_TMPDIR/fifo"
	head -n 400 "$BATS_TEST_TMPDIR/fifo" >/dev/null 3>&- 4>&- &
	env -i ./on_demand_loader --policy=none --retire=never --explain ./prog1 \
		>"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/fifo"
	grep -q 'hello!' "$BATS_TEST_TMPDIR/out"
	unsplit_engine
	ran 125 bash -c 'ulimit -f 8; "$@"' - ./on_demand_loader "--engine=$engine" --policy=none --trace="$TRACE" \
		"$GUESTS/musl-static/every_second_page"
	[[ $output == *"every second page"* && $output == *"cannot be written"*"File too large"* ]]
}

@test "--trace: times are those of the reader where the program is denied a clock" {
	"$GUESTS/tools/deny" clock_gettime:EPERM -- ./on_demand_loader --trace="$TRACE" ./prog1
	sed '1,/^events$/d' "$TRACE" | awk -F '\t' '$1 != "end" && $1 > 60000000000 { exit 1 }'
}

@test "a loader that is killed takes the program with it, and children that it traced go on" {
	./on_demand_loader --explain "$GUESTS/musl-static/process_daemon" >"$BATS_TEST_TMPDIR/out" 2>/dev/null
	"$GUESTS/musl-static/process_daemon" | diff "$BATS_TEST_TMPDIR/out" -
}

@test "--trace shows that calls which touch nothing bring in nothing" {
	requires go_guests bash-static
	# mmap(NULL, 64 MiB) says nothing about what is there; terminals' requests are a page at most.
	./on_demand_loader --trace="$TRACE" "$GUESTS/go/go_hello" >/dev/null || true
	[ "$(awk -F '\t' '$8 == "mmap"' "$TRACE" | wc -l)" -gt 5 ]
	[ "$(awk -F '\t' '$8 == "mmap" && $6 > 0' "$TRACE" | wc -l)" -eq 0 ]
	./on_demand_loader --trace="$TRACE" "$(type -P bash-static)" -c 'test -t 0' || true
	[ "$(awk -F '\t' '$8 == "ioctl"' "$TRACE" | wc -l)" -gt 0 ]
	[ "$(awk -F '\t' '$8 == "ioctl" && $6 > 2' "$TRACE" | wc -l)" -eq 0 ]
}

@test "a loader that is killed while it is stopped leaves nobody behind" {
	for loader in $LOADERS; do
		"$loader" --stats="$TRACE" sh -c 'kill -STOP $$; exit' "$BATS_TEST_TMPDIR/its_name" 3>&- 4>&- &
		process=$!
		until [[ $(cat /proc/$process/stat) == *") T "* ]]; do sleep 0.02; done
		kill -KILL "$process"
		wait "$process" || true
		while grep -qF "$BATS_TEST_TMPDIR/its_name" /proc/[1-9]*/cmdline 2>/dev/null; do sleep 0.02; done
	done
}

@test "the init of a PID namespace, which no signal of its own kills, ends with the program's status" {
	requires user_namespaces
	for loader in $LOADERS; do
		expect "exit 139" unshare --user --map-root-user --pid --fork "$loader" --stats="$TRACE" ./prog4
	done
}

@test "a signal that was queued for the loader reaches the program as one that was queued" {
	requires python3
	local loader output=$BATS_TEST_TMPDIR/out
	for loader in $LOADERS; do
		: >"$output"
		"$loader" --stats="$TRACE" "$(type -P python3)" -c 'if True:
			import signal
			signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
			print("ready", flush=True)
			print("SI_QUEUE", signal.sigwaitinfo([signal.SIGUSR1]).si_code == -1)' >"$output" 3>&- 4>&- &
		until grep -q ready "$output"; do sleep 0.02; done
		"$(type -P kill)" --queue 7 --signal USR1 $!
		wait $!
		grep -qx "SI_QUEUE True" "$output"
	done
}

@test "--stats counts calls that have no name by their numbers; --explain names both engines" {
	requires lazy
	musl-gcc -static -x c -o "$BATS_TEST_TMPDIR/unnamed" - <<<'long syscall(long); int main(void) { return syscall(480) != -1; }'
	expect "exit 0" ./on_demand_loader --retire=never --stats "$BATS_TEST_TMPDIR/unnamed"
	found err | grep -qx '    480  *1'
	requires userfaultfd
	expect "exit 0" ./on_demand_loader --engine=userfaultfd --explain ./prog1
	found err | grep -q 'pages are hidden, by userfaultfd, those of the file by '
}

@test "children that are traced go on when the loader is killed, even if nobody waits for it" {
	requires static_busybox python3
	python3 - ./on_demand_loader --retire=never --explain "$(command -v busybox)" \
		sh -c '(echo begun; sleep 1; echo child) & wait' <<-'END'
		import subprocess, sys
		loader = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
		assert loader.stdout.readline() == b"begun\n"
		try:
		    loader.wait(0.5)
		except subprocess.TimeoutExpired:
		    loader.kill()
		rest = subprocess.Popen(["timeout", "10", "cat"], stdin=loader.stdout, stdout=subprocess.PIPE)
		assert rest.communicate()[0] == b"child\n"
	END
}

@test "a stopped program that is watched gets the SIGCONT that its loader gets, once" {
	for options in --explain --trace="$TRACE" --stats="$BATS_TEST_TMPDIR/stats"; do
		./on_demand_loader "$options" "$GUESTS/musl-static/signal_continue" \
			>"$BATS_TEST_TMPDIR/out" 2>/dev/null 3>&- 4>&- &
		until grep -q '^State:.*stopped' "/proc/$!/status"; do sleep 0.02; done
		kill -CONT $!
		wait $!
		[ "$(cat "$BATS_TEST_TMPDIR/out")" = "SIGCONT came 1 times" ]
	done
}

@test "a watched program that its child continues goes on, and its loader with it" {
	local option program=$GUESTS/musl-static/signal_continue
	for loader in $LOADERS; do
		for option in --explain --explain=json; do
			expect "exit 0" "$loader" "$option" "$program" by-child
			[ "$(found out)" = "it goes on" ]
		done
	done
	with_options "--stats=$TRACE"
	in_all_variants signal_continue by-child
	for option in --trace ${ENGINES:+--record}; do
		with_options "$option=$TRACE"
		only_under on_demand_loader,hybrid_loader in_all_variants signal_continue by-child
	done
}

@test "a program that is watched: signals for its group, a timer and a signal from before its start" {
	requires perl setsid
	with_options "--stats=$BATS_TEST_TMPDIR/stats"
	under setsid -w
	in_all_variants signal_group
	under setsid -w perl -e 'alarm 1; exec @ARGV' --
	by_signal same_as_native "$(command -v busybox)" sleep 10
	grep -q 'signal 14' "$BATS_TEST_TMPDIR/loaded.status"
	under perl -MPOSIX -e 'sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGUSR1)); kill USR1 => $$; exec @ARGV' --
	of_variants_that_leave in_all_variants signal_status
}

# The last prctl is PR_SET_TSC: an instruction that reads the processor's clock raises SIGSEGV.
@test "a program that is watched: a signal at its parent's death, orphans it adopts, and no clock of the processor" {
	under python3 -c 'if True:
		import ctypes, os, sys
		prctl = ctypes.CDLL(None).prctl
		prctl(1, 10, 0, 0, 0), prctl(36, 1, 0, 0, 0), prctl(26, 2, 0, 0, 0)
		os.execv(sys.argv[1], sys.argv[1:])'
	for option in --stats --layout --learn; do
		with_options "$option=$BATS_TEST_TMPDIR/output$option"
		in_all_variants process_attributes
	done
	grep -q "adopts orphans 1" "$BATS_TEST_TMPDIR/loaded.out"
	with_options "--trace=$BATS_TEST_TMPDIR/output"
	only_under on_demand_loader,hybrid_loader in_all_variants process_attributes
}

@test "--explain: nothing of the story is lost where writing does not block" {
	requires lazy
	python3 - ./on_demand_loader --policy=none --retire=never --explain ./prog1 <<-'END'
		import os, subprocess, sys, time
		reader, writer = os.pipe()
		os.set_blocking(writer, False)
		loader = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=writer)
		os.close(writer)
		time.sleep(1)
		lines = open(reader, errors="replace").read().splitlines()
		assert loader.wait() == 0
		assert lines[-1] == "The end: exit status 0", lines[-1]
		assert sum(" of 0x" in line for line in lines) > 900, len(lines)
	END
}

@test "--stats and --explain say why nothing was hidden; --record names no policy" {
	local small=$GUESTS/glibc-static/hello
	expect "exit 0" ./hybrid_loader --stats "$small"
	grep -q 'no page was hidden: its \.bss has [0-9]* KiB, and below 1024 KiB it is left to the kernel; --engine=guard' \
		"$BATS_TEST_TMPDIR/found.err"
	requires lazy
	expect "exit 0" ./on_demand_loader "--record=$BATS_TEST_TMPDIR/profile" --stats ./prog1
	grep -q '(policy none, engine [a-z]' "$BATS_TEST_TMPDIR/found.err"
	story ./hybrid_loader --explain "--profile=$BATS_TEST_TMPDIR/profile" ./prog1
	told "^   The reason: the profile's pages came before entry"
	expect "exit 0" ./hybrid_loader --stats ./prog1
	if grep 'no page was hidden' "$BATS_TEST_TMPDIR/found.err"; then false; fi
}

# intercepted COUNT HOW NAME LOADER [OPTION]...: --stats says so, and the JSON has this name.
intercepted() {
	local count=$1 how=$2 name=$3 json=$BATS_TEST_TMPDIR/stats
	shift 3
	expect "exit 0" "$@" --stats ./prog1
	found err | grep -Ex "  system calls intercepted +$count  for [0-9]+ pages \($how\)"
	expect "exit 0" "$@" "--stats=$json" ./prog1
	grep -Ex "  \"interception\": $name," "$json"
}

@test "--stats names how system calls were intercepted" {
	local how="by Syscall User Dispatch" name='"dispatch"'
	# The kernel decides there: see loader/resident/pager/rewrite.h.
	[ "$(uname -m)" != aarch64 ] || how="by .*" name='"(dispatch|rewriting)"'
	intercepted 0 "not intercepted: --guard=none" null ./on_demand_loader --guard=none
	intercepted 0 "not intercepted" null ./all_at_once_loader
	requires lazy
	intercepted "[1-9][0-9]*" "$how" "$name" ./on_demand_loader
}
