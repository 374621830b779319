#!/usr/bin/env bats
#
# --profile=auto: which files a program uses is learned from a run as usual, and read ahead when a start
# finds them not in memory.

load helpers

setup() {
	requires learner
	[ "$(stat -f -c %T "$BATS_TEST_TMPDIR")" != tmpfs ] || skip "files here are always in memory"
	cd "$ROOT" || return 1
	fresh_cache
	# A program of one's own is evicted without harm to others.
	PROGRAM=$BATS_TEST_TMPDIR/program
	cp build/guests/glibc-static/prog3 "$PROGRAM"
	sync "$PROGRAM"
}

# An empty cache; a learner may still be writing to the one before.
fresh_cache() {
	XDG_CACHE_HOME=$(mktemp -d "$BATS_TEST_TMPDIR/cache.XXXXXX")
	export XDG_CACHE_HOME
	FOLDER=$XDG_CACHE_HOME/pagewise
}

# has_files N [WORD OF FIND]...: whether there are N in the folder.
has_files() {
	[ "$(find "$FOLDER" -type f "${@:2}" 2>/dev/null | wc -l)" = "$1" ]
}

# there_are N [WORD OF FIND]...: waits until there are.
there_are() {
	eventually has_files "$@" || { echo "there are not $1 files:" && ls -la "$FOLDER" && false; }
}

# profiles N: waits until there are N of them; a learner writes after its program has ended.
profiles() {
	there_are "$1" ! -name '*.partial-*'
}

find_profile() {
	PROFILE=$(find "$FOLDER" -type f ! -name '*.partial-*' 2>/dev/null | head -1)
}

# learned PROGRAM [ARG]...: runs it until there is its profile, the only one, which is $PROFILE then.
learned() {
	fresh_cache
	./hybrid_loader --profile=auto "$@" >/dev/null </dev/null || true
	profiles 1
	find_profile
}

# learned_runs N: waits until the profile says so.
learned_runs() {
	eventually grep -qx "learned $1" "$PROFILE" || { grep '^learned' "$PROFILE" && false; }
}

# files: the paths that the profile has, with their roles.
files() {
	awk '/^files / { left = $2; next } left > 0 { left--; print $1, $7 }' "$PROFILE"
}

@test "a run is learned from, and the profile says what it used" {
	for loader in $LOADERS; do
		fresh_cache
		ran 0 "$loader" --profile=auto "$PROGRAM"
		[[ $output == hello* ]]
		profiles 1
		find_profile
		[ "$(head -1 "$PROFILE")" = "page-profile 2" ]
		[ "$(stat -c %a "$PROFILE")" = 600 ]
		[ "$(files)" = "p $PROGRAM" ]
		learned_runs 1
	done
}

@test "with a dynamic program its interpreter and libraries are learned, and what Python reads" {
	requires python3
	python=$(python3 -c 'import os, sys; print(os.path.realpath(sys.executable))')
	learned "$python" -c 'import argparse'
	files
	[ "$(files | head -1)" = "p $python" ]
	# By their names without links: before glibc 2.34 these have its version in them.
	[[ $(files | sed -n 2p) == "i "*/ld-@(linux|2.)* ]]
	[[ $(files) == *"m "*/libc@(.so.6|-2.)* ]]
	# Which of them one run finds depends on the time that it has; the next cold runs find the others. arm64 and riscv64 are
	# emulated where they are tested: there that time is too short, and a part is enough of what --learn finds in ten times as much.
	local enough=20
	if [ "$MACHINE" != x86-64 ]; then
		enough=$(($("$python" -v -c 'import argparse' 2>&1 | grep -c '^# code object from .*pyc') / 4))
		[ "$enough" -ge 3 ]
		./hybrid_loader --learn="$PROFILE" "$python" -c 'import argparse' >/dev/null </dev/null
	fi
	[ "$(files | grep -c '^r .*\.pyc$')" -ge "$enough" ]
}

@test "guests run alike while they are learned from, and with what was learned" {
	with_options --profile=auto
	for guest in hello heap thread_many process_fork process_reap process_wait \
		process_daemon process_exec_self process_vfork lifecycle descriptors \
		descriptor_seen memory_no_mappings memory_unmap proc_identity signal_child process_pidfd \
		memory_core; do
		fresh_cache
		same_as_native "$GUESTS/musl-static/$guest"
		same_as_native "$GUESTS/glibc-pie/$guest"
		same_as_native "$GUESTS/glibc-pie/$guest"
	done
}

@test "a program that is learned from has one page more, and that is all it sees" {
	local maps=$GUESTS/musl-static/maps
	"$maps" | sort >"$BATS_TEST_TMPDIR/native"
	./all_at_once_loader --profile=auto "$maps" | sort >"$BATS_TEST_TMPDIR/learned"
	ran any diff "$BATS_TEST_TMPDIR/native" "$BATS_TEST_TMPDIR/learned"
	[ "$(grep -c '^[<>]' <<<"$output")" = 1 ]
	[[ $output == *"> anonymous        1000 r-xp"* ]]
}

@test "a program that is learned from has no child, and is nobody else's" {
	requires python3
	python=$(python3 -c 'import os, sys; print(os.path.realpath(sys.executable))')
	for loader in "" $LOADERS; do
		fresh_cache
		# shellcheck disable=SC2086 # no word, or two
		ran any bash -c 'PARENT=$$ "$@"; exit $?' - ${loader:+"$loader" --profile=auto} "$python" -c '
import os, sys
for how in (0, 0x40000000):
    try:
        os.waitpid(-1, os.WNOHANG | how)
        sys.exit("there is a child")
    except ChildProcessError:
        pass
print("parent", os.getppid() == int(os.environ["PARENT"]))
'
		echo "${loader:-native}: $status $output"
		[ "$status $output" = "0 parent True" ]
		[ -z "$loader" ] || profiles 1
	done
}

@test "what is not in memory is read ahead, under every loader; what is there is left alone" {
	learned "$PROGRAM"
	for loader in $LOADERS; do
		evict "$PROGRAM"
		ran 0 "$loader" -v --profile=auto "$PROGRAM"
		[[ $output == *"KiB of 1 file,"* ]]
		# Nothing waits for what is asked for but not used.
		cat "$PROGRAM" >/dev/null
		run "$loader" -v --profile=auto "$PROGRAM"
		[[ $output != *"reads ahead"* ]]
		[[ $output == *"all files that its profile names (1) are in memory already"* ]]
	done
}

# pages_not_asked_for FILE: how many of its pages are in memory that $PROFILE does not have.
pages_not_asked_for() {
	python3 - "$1" "$PROFILE" <<-'END'
		import ctypes, os, sys
		name, profile = sys.argv[1:]
		lines = open(profile).read().split("\n")
		first = next(i for i, line in enumerate(lines) if line.startswith("files 1 ")) + 2
		known = set()
		for line in lines[first:first + int(lines[first - 1].split()[4], 16)]:
		    start, length = (int(word, 16) for word in line.split()[:2])
		    known |= set(range(start // 4096, (start + length + 4095) // 4096))
		libc = ctypes.CDLL(None)
		libc.mmap.restype = ctypes.c_void_p
		libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
		size = os.path.getsize(name)
		pages = (ctypes.c_ubyte * ((size + 4095) // 4096))()
		memory = libc.mmap(None, size, 1, 1, os.open(name, os.O_RDONLY), 0)
		libc.mincore(ctypes.c_void_p(memory), ctypes.c_size_t(size), pages)
		print(sum(page & 1 for i, page in enumerate(pages) if i not in known))
	END
}

@test "a cold start with a profile reads nothing else of the program: reading its headers starts no read-ahead" {
	requires dispatch
	# Its code is in its first pages; the pages after them are never touched.
	gcc -static -x c -o "$PROGRAM" - <<-'END'
		#include <stdio.h>
		static const char unused[1 << 20] __attribute__((used)) = {1};
		int main(void) { return puts("hello") < 0; }
	END
	sync "$PROGRAM"
	learned "$PROGRAM"
	# all_at_once_loader reads all of it.
	for loader in ./on_demand_loader ./hybrid_loader; do
		evict "$PROGRAM"
		ran 0 "$loader" -v --profile=auto "$PROGRAM"
		[[ $output == *"KiB of 1 file,"*hello* ]]
		# Of pages of its own a start reads the headers, and the last one for the profile's name.
		ran 0 pages_not_asked_for "$PROGRAM"
		[ "$output" -le 2 ]
	done
}

@test "a warm start changes nothing; cold ones are learned from until the profile knows enough" {
	learned "$PROGRAM"
	before=$(stat -c %i "$PROFILE")
	for ((i = 0; i < 5; i++)); do ./hybrid_loader --profile=auto "$PROGRAM"; done
	[ "$(stat -c %i "$PROFILE")" = "$before" ]
	for ((i = 2; i <= 4; i++)); do
		evict "$PROGRAM"
		./hybrid_loader --profile=auto "$PROGRAM"
		learned_runs "$i"
	done
	before=$(stat -c %i "$PROFILE")
	evict "$PROGRAM"
	./hybrid_loader --profile=auto "$PROGRAM"
	sleep 0.2
	[ "$(stat -c %i "$PROFILE")" = "$before" ]
	# A day later it is time to learn again.
	touch -d '2 days ago' "$PROFILE"
	evict "$PROGRAM"
	./hybrid_loader --profile=auto "$PROGRAM"
	learned_runs 5
}

@test "a program at two paths is one entry, whatever the time of each is" {
	learned "$PROGRAM"
	mkdir "$BATS_TEST_TMPDIR/other"
	cp "$PROGRAM" "$BATS_TEST_TMPDIR/other/program"
	touch -d 2020-02-02 "$BATS_TEST_TMPDIR/other/program"
	sync "$BATS_TEST_TMPDIR/other/program"
	evict "$BATS_TEST_TMPDIR/other/program"
	ran any ./hybrid_loader -v --profile=auto "$BATS_TEST_TMPDIR/other/program"
	[[ $output == *"of 1 file,"* ]]
	learned_runs 2
	[ "$(files)" = "p $BATS_TEST_TMPDIR/other/program" ]
}

@test "each script has a profile of its own, however its interpreter is started" {
	requires python3
	python=$(python3 -c 'import os, sys; print(os.path.realpath(sys.executable))')
	cd "$BATS_TEST_TMPDIR" || return 1
	printf '%s\n' "#!$python" 'print(1)' >a.py
	printf '%s\n' "#!$python" 'import json; print(2)' >b.py
	chmod +x a.py b.py
	fresh_cache
	"$ROOT/hybrid_loader" --profile=auto ./a.py
	profiles 1
	grep -qx "program ./a.py" "$FOLDER"/*
	# The same script by its interpreter: in a folder, after options, by another path.
	run "$ROOT/hybrid_loader" -v --profile=auto "$python" -W ignore "$PWD/a.py"
	[[ $output != *"there is no profile"* && $output == *1 ]]
	run "$ROOT/hybrid_loader" -v --profile=auto "$python" -Bs b.py
	[[ $output == *"there is no profile of it yet"* && $output == *2 ]]
	profiles 2
	grep -qx "program $python b.py" "$FOLDER"/*
	# Without a script, with code or with a module: others.
	run "$ROOT/hybrid_loader" -v --profile=auto "$python" -Sc 'print(3)' a.py
	[[ $output == *"there is no profile of it yet"* && $output == *3 ]]
	profiles 3
	run "$ROOT/hybrid_loader" -v --profile=auto "$python" -m json.tool --help
	[[ $output == *"there is no profile of it yet"* ]]
	profiles 4
	# An edited script keeps its profile; a file that is named serves another script, too.
	echo 'print(4)' >>a.py
	run "$ROOT/hybrid_loader" -v --profile=auto ./a.py
	[[ $output != *"there is no profile"* && $output == *4 ]]
	run "$ROOT/hybrid_loader" -v --profile="$(grep -lx "program ./a.py" "$FOLDER"/*)" ./b.py
	[[ $output != *ignored* && $output == *2 ]]
	profiles 4
}

@test "what is given to a program that is no interpreter does not count" {
	echo data >"$BATS_TEST_TMPDIR/data"
	learned "$PROGRAM" "$BATS_TEST_TMPDIR/data"
	run ./hybrid_loader -v --profile=auto "$PROGRAM"
	[[ $output != *"there is no profile"* ]]
}

# with_files LINE...: the profile with these lines for its files, each with a range of 1 MiB.
with_files() {
	local file count=$#
	sed -i '/^learned/,$d' "$PROFILE"
	{
		printf 'learned 1\nfiles %d %d\n' "$count" "$count"
		printf '%s\n' "$@"
		for ((file = 0; file < count; file++)); do echo "0 100000 1"; done
	} >>"$PROFILE"
}

# line_of FILE: as a profile has it, with one range.
line_of() {
	python3 - "$1" <<-'END'
		import os, sys
		status = os.stat(sys.argv[1])
		print(f"m {status.st_size:x} {status.st_mtime_ns // 10**9:x} {status.st_mtime_ns % 10**9:x} 1 - {sys.argv[1]}")
	END
}

@test "files that are gone, changed, no files, or nobody's business are skipped, and the program runs" {
	local other=$BATS_TEST_TMPDIR/other line changed
	learned "$PROGRAM"
	mkfifo "$BATS_TEST_TMPDIR/fifo"
	printf '%300000s' x >"$other"
	sync "$other"
	line=$(line_of "$other")
	printf '%300000s' x >"$BATS_TEST_TMPDIR/changed"
	changed=$(line_of "$BATS_TEST_TMPDIR/changed")
	echo more >>"$BATS_TEST_TMPDIR/changed"
	with_files "$line" "$changed" "m 1000 0 0 1 - $BATS_TEST_TMPDIR/fifo" "m 1000 0 0 1 - /dev/zero" \
		"m 1000 0 0 1 - /nowhere" "m 1000 0 0 1 - $BATS_TEST_TMPDIR" "m 1000 0 0 1 - /proc/self/mem" "$line"
	evict "$other"
	ran 0 timeout "$HANGS" ./hybrid_loader -v --profile=auto "$PROGRAM"
	[[ $output == *"not read ahead: /nowhere: No such file"* ]]
	[[ $output == *"not read ahead: $BATS_TEST_TMPDIR/changed has changed"* ]]
	[[ $output == *"not read ahead: $BATS_TEST_TMPDIR/fifo has changed"* ]]
	[[ $output == *"not read ahead: /dev/zero has changed"* ]]
	[[ $output == *"of 2 files,"* && $output == *hello* ]]
}

@test "of ranges that go on after a file's end only what there is is read" {
	learned "$PROGRAM"
	# One range of the program, however many were learned.
	awk '/^files / { $3 = 1 } /^p / { $5 = 1 } { print } /^p / { print "0 7fffffffffffffff 1"; exit }' "$PROFILE" \
		>"$BATS_TEST_TMPDIR/changed"
	cat "$BATS_TEST_TMPDIR/changed" >"$PROFILE"
	evict "$PROGRAM"
	ran 0 timeout "$HANGS" ./hybrid_loader -v --profile=auto "$PROGRAM"
	[[ $output == *"$(($(stat -c %s "$PROGRAM") / 1024)) KiB of 1 file,"* ]]
}

# reproducers: the profiles of tests/fuzz/corpus, each as one of $PROGRAM, in a folder.
reproducers() {
	local file text
	mkdir "$BATS_TEST_TMPDIR/corpus"
	for file in tests/fuzz/corpus/profile/*; do
		text=$BATS_TEST_TMPDIR/corpus/${file##*/}
		sed -e "s|^key .*|$(grep '^key ' "$PROFILE")|" -e "s| - /.*| - $PROGRAM|" "$file" >"$text"
		chmod 600 "$text"
	done
}

@test "whatever numbers a profile has, it does not stop a start, nor page-profile" {
	make -s page-profile 3>&- 4>&-
	learned "$PROGRAM"
	reproducers
	for text in "$BATS_TEST_TMPDIR"/corpus/*; do
		for loader in $LOADERS; do
			cat "$text" >"$PROFILE"
			ran 0 timeout "$HANGS" "$loader" --profile=auto "$PROGRAM"
			[[ $output == hello* ]]
			run timeout "$HANGS" "$loader" --profile="$text" "$PROGRAM"
			[[ $status == 0 || $status == 125 ]]
		done
		for command in show warm merge; do
			run timeout "$HANGS" build/share/page-profile "$command" "$text"
			[[ $status == 0 || $status == 125 ]]
		done
	done
}

@test "of a profile that says that more is written than there is memory nothing is brought in" {
	# The kernel starts no program with more .bss than there is memory.
	half=$(($(awk '/^MemTotal:/ { print $2 }' /proc/meminfo) * 512))
	[ "$half" -gt $((64 << 20)) ] || skip "needs more than 128 MiB of memory"
	requires medium_model
	musl-gcc -static -mcmodel=medium -DHALF="${half}UL" -x c -o "$PROGRAM" - <<-'END'
		static volatile char memory[HALF];
		int main(void)
		{
			memory[12345] = 7;
			return memory[12345];
		}
	END
	"$PROGRAM" || [ $? = 7 ] || skip "no program may have half of the memory as .bss here"
	learned "$PROGRAM"
	sed "/^runs/,\$d" "$PROFILE" >"$BATS_TEST_TMPDIR/changed"
	printf 'runs 1\n0 80000000 w\nlearned 1\nfiles 0 0\n' >>"$BATS_TEST_TMPDIR/changed"
	for loader in $LOADERS; do
		ran 7 timeout "$HANGS" "$loader" -v --profile="$BATS_TEST_TMPDIR/changed" "$PROGRAM"
		[[ $output == *"MiB of its profile are left to the kernel"* ]]
	done
}

@test "a damaged profile is made anew" {
	learned "$PROGRAM"
	for text in "" "page-profile 2" "page-profile 3" $'page-profile 2\nprogram x\nkey y\nruns 0\nlearned 1\nfiles 9 9\n'; do
		printf '%s' "$text" >"$PROFILE"
		ran 0 ./hybrid_loader -v --profile=auto "$PROGRAM"
		[[ $output == *"the profile $PROFILE is damaged"*"the loader learns from this run"* ]]
		learned_runs 1
	done
}

@test "--verbose does not promise to learn where it cannot" {
	ran 0 bash -c 'ulimit -n 4; exec ./hybrid_loader -v --profile=auto "$0"' "$PROGRAM" 3>&- 4>&-
	[[ $output == *"nothing is learned from this run: "* && $output != *"the loader learns from this run"$'\n'* ]]
	[[ $output == *" cannot be opened: "* && $output != *"no profile of it yet"* ]]
}

@test "from a profile that others may write nothing is read ahead" {
	learned "$PROGRAM"
	cp "$PROFILE" "$BATS_TEST_TMPDIR/profile"
	evict "$PROGRAM"
	chmod 666 "$BATS_TEST_TMPDIR/profile"
	run ./hybrid_loader -v --profile="$BATS_TEST_TMPDIR/profile" "$PROGRAM"
	[[ $output == *"no file is read ahead: other users may write to the profile"* ]]
	if [ "$(id -u)" = 0 ]; then
		chmod 644 "$BATS_TEST_TMPDIR/profile"
		chown 12345 "$BATS_TEST_TMPDIR/profile"
		run ./hybrid_loader -v --profile="$BATS_TEST_TMPDIR/profile" "$PROGRAM"
		[[ $output == *"no file is read ahead: the profile $BATS_TEST_TMPDIR/profile belongs to user 12345, and the loader runs as user 0"* ]]
		chown 0 "$BATS_TEST_TMPDIR/profile"
	fi
	evict "$PROGRAM"
	chmod 644 "$BATS_TEST_TMPDIR/profile"
	run ./hybrid_loader -v --profile="$BATS_TEST_TMPDIR/profile" "$PROGRAM"
	[[ $output == *"KiB of 1 file,"* ]]
}

@test "a user who owns neither program nor libraries learns, asks and reads ahead" {
	requires root
	local user=65534 folder
	folder=$(mktemp -d /tmp/cold.XXXXXX)
	chmod 755 "$folder"
	cp hybrid_loader "$PROGRAM" "$folder"
	sync "$folder/program"
	mkdir "$folder/cache" && chown "$user" "$folder/cache"
	as_user() {
		XDG_CACHE_HOME=$folder/cache setpriv --reuid="$user" --regid="$user" --clear-groups \
			"$folder/hybrid_loader" "$@"
	}
	as_user --profile=auto "$folder/program"
	eventually grep -qrs "^learned 1" "$folder/cache/pagewise"
	evict "$folder/program"
	ran any as_user -v --profile=auto "$folder/program"
	[[ $output == *"KiB of 1 file,"* ]]
	# Nothing waits for what is asked for but not used.
	cat "$folder/program" >/dev/null
	run as_user -v --profile=auto "$folder/program"
	[[ $output != *"reads ahead"* ]]
	rm -r "$folder"
}

# on_overlay COMMAND...: where the folder `both` is an overlay of two others.
on_overlay() {
	unshare --user --map-root-user --mount bash -c \
		'mount -t overlay -o "lowerdir=$0/one:$0/two" none "$0/both" && "$@"' "$BATS_TEST_TMPDIR" "$@"
}

@test "on overlayfs, which has no read that may not wait, files are read ahead, too" {
	requires nowait
	local program=$BATS_TEST_TMPDIR/both/program loader
	mkdir "$BATS_TEST_TMPDIR"/{one,two,both}
	mv "$PROGRAM" "$BATS_TEST_TMPDIR/one"
	on_overlay true || skip "overlayfs cannot be mounted here"
	export -f evict
	on_overlay ./hybrid_loader --profile=auto "$program"
	profiles 1
	for loader in $LOADERS; do
		on_overlay evict "$program"
		ran any on_overlay "$loader" -v --profile=auto "$program"
		[[ $output == *"KiB of 1 file,"* ]]
		on_overlay cat "$program" >/dev/null
		run on_overlay "$loader" -v --profile=auto "$program"
		[[ $output == *"all files that its profile names (1) are in memory already"* ]]
	done
}

@test "a program that is killed, or dies, leaves a whole profile or none" {
	for guest in aborts "loop"; do
		fresh_cache
		if [ "$guest" = aborts ]; then
			./hybrid_loader --profile=auto "$GUESTS/musl-static/aborts" >/dev/null 2>&1 || true
		else
			timeout -s KILL 0.2 ./hybrid_loader --profile=auto "$(command -v sleep)" 5 || true
		fi
		for ((i = 0; i < 20; i++)); do
			[ ! -d "$FOLDER" ] || [ -z "$(ls "$FOLDER")" ] || break
			sleep 0.05
		done
		find_profile
		[ -z "$PROFILE" ] || learned_runs 1
		echo "$guest: ${PROFILE:-none}"
	done
}

@test "many processes at once leave one whole profile and no other file" {
	for ((i = 0; i < 20; i++)); do ./hybrid_loader --profile=auto "$PROGRAM" >/dev/null & done
	wait
	profiles 1
	find_profile
	sleep 0.5
	there_are 1
	learned_runs 1
	run ./hybrid_loader -v --profile=auto "$PROGRAM"
	[[ $output != *"learned"* && $output == *hello* ]]
}

@test "no room for a profile, or no folder: the program runs, and nothing is left" {
	ran 0 bash -c 'trap "" XFSZ; ulimit -f 0; exec ./hybrid_loader --profile=auto "$0"' "$PROGRAM"
	[[ $output == hello* ]]
	sleep 0.3
	there_are 0
	# Too few descriptors to learn, or to read a profile.
	for few in 8 10 12; do
		ran 0 bash -c 'ulimit -n "$0"; exec ./hybrid_loader --profile=auto "$1"' "$few" "$PROGRAM"
		[[ $output == hello* ]]
	done
	printf x >"$BATS_TEST_TMPDIR/file"
	XDG_CACHE_HOME=$BATS_TEST_TMPDIR/file/x ran 0 ./hybrid_loader -v --profile=auto "$PROGRAM"
	[[ $output == *"nothing is learned"* && $output == *hello* ]]
}

@test "a pipe's reader does not wait for the learner, and a program that runs on is learned from" {
	./hybrid_loader --profile=auto "$(command -v sleep)" 0 | cat
	learned "$PROGRAM"
	fresh_cache
	./hybrid_loader --profile=auto "$(command -v sleep)" 1000 &
	profiles 1
	kill $! # it still runs
	wait || true
}

@test "the bench evicts, runs natively and with a profile in turn, and keeps every run" {
	requires python3
	ran 0 bench/cold.py --rounds=2 --json="$BATS_TEST_TMPDIR/cold.json" --picture="$BATS_TEST_TMPDIR/cold.svg" \
		--loader=./hybrid_loader --loader=./all_at_once_loader "$PROGRAM"
	[[ $output == *"./hybrid_loader --profile=auto, medians of 2 rounds"*"geometric mean"*"./all_at_once_loader"*"geometric mean"* ]]
	python3 - "$BATS_TEST_TMPDIR" <<-'END'
		import json, sys, xml.etree.ElementTree
		result = json.load(open(sys.argv[1] + "/cold.json"))
		(program,) = result["programs"]
		assert program["files"] == 1 and program["file_bytes"] > 500000
		for by in ("native", "./hybrid_loader", "./all_at_once_loader"):
		    for cold in (False, True):
		        assert len([run for run in program["runs"] if (run["by"], run["cold"]) == (by, cold)]) == 2
		assert xml.etree.ElementTree.parse(sys.argv[1] + "/cold.svg")
	END
	for wrong in "--rounds=0 sh" "--wrong sh" "" "--rounds=1 /nowhere" "--read-ahead=many sh"; do
		# shellcheck disable=SC2086 # words
		ran 125 bench/cold.py $wrong
		[[ $output == "cold.py: "* ]]
		[ "${#lines[@]}" = 1 ]
	done
}

@test "what cannot be learned is left out: memory without a file that has a name" {
	musl-gcc -static -D_GNU_SOURCE -x c -o "$PROGRAM" - <<-'END'
		#include <sys/mman.h>
		int main(void)
		{
			char *shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
			*shared = 7;
			return *shared;
		}
	END
	for loader in $LOADERS; do
		fresh_cache
		expect "exit 7" "$loader" --profile=auto "$PROGRAM"
		profiles 1
		find_profile
		[ "$(grep -c /dev/zero "$PROFILE")" = 0 ]
		expect "exit 7" "$loader" --profile=auto "$PROGRAM"
	done
}

@test "a user learns from a program and libraries that are another user's" {
	program=$(type -P env)
	drop_privileges "$program"
	for loader in $LOADERS; do
		fresh_cache
		chmod 777 "$XDG_CACHE_HOME"
		expect "exit 0" "${UNDER[@]}" "$loader" --profile=auto "$program" true
		profiles 1
		# Their times of access are left alone only where that is permitted (O_NOATIME).
		expect "exit 0" "${UNDER[@]}" "$loader" --profile=auto "$program" true
		[ -z "$(found out)$(found err)" ]
	done
}

# exchanged_while LOADER: an empty cache is exchanged for a link while a program runs.
exchanged_while() {
	local program other
	program=$(readlink -f "$(type -P cat)")
	fresh_cache
	chmod 777 "$XDG_CACHE_HOME"
	"${UNDER[@]}" "$1" --profile=auto "$program" </dev/null
	profiles 1
	find_profile
	rm "$PROFILE"
	# Root's cache, in a folder of a user who may exchange it.
	[ "$(id -u)" != 0 ] || [ "${#UNDER[@]}" != 0 ] || chown 12345 "$XDG_CACHE_HOME"
	mkfifo "$XDG_CACHE_HOME/wait"
	"${UNDER[@]}" "$1" --profile=auto "$program" <"$XDG_CACHE_HOME/wait" &
	exec 9>"$XDG_CACHE_HOME/wait"
	# The program has its own name once learning has begun. It ends when this test closes the FIFO.
	eventually grep -qx cat "/proc/$!/comm"
	other=$XDG_CACHE_HOME/other
	mkdir -m 777 "$other"
	echo kept >"$other/${PROFILE##*/}"
	chmod 666 "$other"/*
	mv "$FOLDER" "$FOLDER.moved"
	ln -s other "$FOLDER"
	exec 9>&-
	wait $!
	eventually grep -qs "^learned 1" "$FOLDER.moved/${PROFILE##*/}"
	[ "$(cat "$other"/*)" = kept ]
}

@test "a cache that is exchanged for a link while a program runs leads nowhere else" {
	for loader in $LOADERS; do
		exchanged_while "$loader"
	done
	[ "$(id -u)" = 0 ] || return 0
	drop_privileges "$(readlink -f "$(type -P cat)")"
	exchanged_while "${LOADERS##* }"
}

@test "a link in the cache is neither read nor followed, and a profile takes its place" {
	local other=$BATS_TEST_TMPDIR/other
	learned "$PROGRAM"
	mv "$PROFILE" "$other"
	ln -s "$other" "$PROFILE"
	cp "$other" "$BATS_TEST_TMPDIR/before"
	evict "$PROGRAM"
	ran 0 ./hybrid_loader -v --profile=auto "$PROGRAM"
	[[ $output == *"the profile $PROFILE cannot be read: "* ]]
	profiles 1
	[ ! -L "$PROFILE" ]
	cmp "$other" "$BATS_TEST_TMPDIR/before"
}

# silent COMMAND [ARG]...: where the folder `silent` has a FUSE server that never answers.
silent() {
	unshare --user --map-root-user --mount \
		python3 tests/tools/silent_fuse.py "$BATS_TEST_TMPDIR/silent" "$@"
}

@test "no name is looked up on a file system that may not answer, and no process stays behind" {
	requires python3 user_namespaces
	bash=$(readlink -f "$(type -P bash)")
	mkdir "$BATS_TEST_TMPDIR/silent"
	ln -s silent "$BATS_TEST_TMPDIR/link"
	run silent true
	[ "$status" = 0 ] || skip "$output"
	for loader in $LOADERS; do
		for name in silent silent/file link/some/file ../"${BATS_TEST_TMPDIR##*/}"/silent/file; do
			fresh_cache
			ran 0 timeout "$HANGS" bash -c "$(declare -f silent)"'; silent "$@"' - bash -c '
				"$@" || exit
				until [ -n "$(find "$0" -type f ! -name "*.partial-*" 2>/dev/null)" ]; do sleep 0.05; done
				# The watchers of other tests do not see this file system.
				mounts=$(readlink /proc/self/ns/mnt)
				watched() {
					for process in $(grep -ls "(pagewise-watch) [^Z]" /proc/[0-9]*/stat); do
						[ "$(readlink "${process%stat}ns/mnt")" != "$mounts" ] || return 0
					done
					return 1
				}
				while watched; do sleep 0.05; done
			' "$FOLDER" "$loader" --profile=auto "$bash" -c "name=$BATS_TEST_TMPDIR/$name; exit 0"
			echo "$loader $name: $status $output"
		done
	done
}
