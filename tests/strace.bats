#!/usr/bin/env bats
#
# --trace as a strace for static programs: arguments and results of system calls, --only, how often each was made.
# strace itself is the oracle.

# shellcheck disable=SC2034 # helpers read LOADERS

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	TRACE=$BATS_TEST_TMPDIR/trace
}

# kinds FILE: the kinds of events of a trace, each once.
kinds() {
	sed '1,/^events$/d; /^end\t/d' "$1" | cut -f 4 | sort -u | tr '\n' ' '
}

# new_folder: as both runs find it.
new_folder() {
	rm -rf folder && mkdir folder && echo "some text" >folder/a && printf 'tab\t, quote ", byte \001\n' >folder/b
	touch -d 2020-02-02 folder/*
}

# as_strace_says COMMAND...: run natively under strace, and under on_demand_loader with --trace, it makes the same
# calls with the same arguments and results. What strace looks into (structs, what was read) are addresses for us;
# addresses, process IDs and numbers that strace has names for may differ, and so may names of calls that it does not know.
as_strace_says() {
	requires strace python3 lazy
	new_folder
	strace -o native "$@" >native.out 2>native.err || true
	new_folder
	"$ROOT/on_demand_loader" --guard=require --retire=never --trace="$TRACE" --only=calls "$@" >out 2>err || true
	cmp native.out out
	python3 "$ROOT/share/trace/trace_calls.py" "$TRACE" found
	python3 - native found <<-'PYTHON'
		import re, sys
		CALL = re.compile(r"(\w+)\((.*)\)\s+= (\S+(?: E\w+)?)")
		ARGUMENT = re.compile(r'\s*("(?:[^"\\]|\\.)*"(?:\.\.\.)?|\{(?:[^{}]|\{[^{}]*\})*\}(?=,|$)|\[.*?\](?=,|$)|[^,]+)')
		def calls(path):
		    lines = [line for line in open(path, errors="replace") if not re.match(r"---|\+\+\+|execve", line)]
		    return [CALL.match(line).groups() for line in lines]
		def is_address(text):
		    return bool(re.fullmatch(r"0x[0-9a-f]+|NULL", text))
		def same(native, found):
		    native, found = re.sub(r" /\*.*", "", native.strip()), found.strip()
		    return sorted(native.split("|")) == sorted(found.split("|")) or is_address(found) and (is_address(native) or native[0] in '{["~' or native.isupper()
		        or re.match(r"[A-Z][A-Z0-9_]+", native)) or native.isdigit() and is_address(found) \
		        or re.fullmatch(r"0x[0-9a-f]+", native) and found.isdigit() and int(native, 16) == int(found)
		def differs(native, found):
		    if native[0] != found[0] and not native[0].startswith("syscall_0x"):
		        return True
		    pairs = list(zip(ARGUMENT.findall(native[1]), ARGUMENT.findall(found[1])))
		    own_number = native[0] in ("getpid", "gettid", "set_tid_address", "getppid", "clone", "fork", "vfork", "wait4", "kill")
		    return any(not same(a, b) for a, b in pairs if not own_number) or not own_number and not same(native[2], found[2])
		native, found = calls(sys.argv[1]), calls(sys.argv[2])
		wrong = [f"strace: {n}\nloader: {f}" for n, f in zip(native, found) if differs(n, f)]
		if wrong or len(native) != len(found):
		    print(len(native), len(found), *wrong[:5], sep="\n")
		    sys.exit(1)
		print(len(native), "calls")
	PYTHON
}

@test "arguments and results as strace has them: files, directories, memory, signals, clocks" {
	requires static_busybox bash-static
	as_strace_says busybox ls -a folder
	as_strace_says busybox ls -l folder
	as_strace_says busybox cat folder/a folder/b /nowhere
	as_strace_says busybox sh -c 'cd folder; echo word >>c; read x <b; umask 027; kill -0 $$; test -r c'
	as_strace_says busybox mkdir folder/d
	as_strace_says busybox rmdir folder
	as_strace_says busybox cp folder/b folder/e
	as_strace_says busybox ln -sf target folder/link
	as_strace_says busybox readlink /proc/self/exe
	as_strace_says busybox mv folder/a folder/f
	as_strace_says busybox rm folder/b
	as_strace_says busybox chmod 640 folder/a
	as_strace_says busybox dd if=folder/a of=folder/g bs=3 count=2
	as_strace_says busybox date +%Y
	as_strace_says busybox usleep 10
	as_strace_says "$ROOT/prog1"
	musl-gcc -D_GNU_SOURCE -x c -static -o flags - <<-'C'
		#include <fcntl.h>
		#include <unistd.h>

		int main(void)
		{
			int ends[2];

			pipe2(ends, 0);
			pipe2(ends, O_CLOEXEC | O_NONBLOCK);
			return dup3(1, 9, 0) + dup3(1, 9, O_CLOEXEC) - 18;
		}
	C
	as_strace_says ./flags
	as_strace_says bash-static -c 'cd folder; read x <a; echo $x; [ -e b ] && echo there; umask'
}

@test "text: long paths, bytes that are counted, pointers that lead nowhere, pages that are not there" {
	requires python3 lazy
	long=$(printf 'x%.0s' {1..100})
	"$ROOT/on_demand_loader" --retire=never --trace="$TRACE" busybox cat "/$long" 2>/dev/null || true
	grep -q "	arguments	0	0	0	open.*\"/${long:0:71}\"\.\.\., O_RDONLY" "$TRACE"
	# The bytes of a string that has not been touched are revealed for the call; no call is told twice.
	"$ROOT/on_demand_loader" --retire=never --trace="$TRACE" "$GUESTS/musl-static/hello" >out
	grep -q '	arguments	0	0	0	writev\?(1, ' "$TRACE"
	# What the program is told stays what it is told natively, with bad pointers and everything.
	with_options --retire=never --trace="$TRACE" --only=calls
	LOADERS="$ROOT/on_demand_loader $ROOT/hybrid_loader"
	for guest in call_edges call_vectors call_mask_sizes call_raw_numbers call_files; do
		same_as_native "$GUESTS/musl-static/$guest"
	done
}

@test "signals in calls, threads and forks change nothing, and each result is its own call's" {
	requires lazy
	with_options --retire=never --trace="$TRACE" --only=calls,signals,threads
	LOADERS="$ROOT/on_demand_loader $ROOT/hybrid_loader"
	for guest in signal_interrupt signal_no_restart signal_mask process_fork process_vfork thread_same_pages; do
		[ ! -x "$GUESTS/musl-static/$guest" ] || repeated 10 same_as_native "$GUESTS/musl-static/$guest"
	done
	python3 "$ROOT/share/trace/trace_calls.py" "$TRACE" found
	grep -q ' = ' found
}

@test "--only: the file has these and no others" {
	run_only() {
		"$ROOT/on_demand_loader" --retire=never --trace="$TRACE" --only="$1" bash-static -c 'trap : USR1; kill -USR1 $$; (:)'
		kinds "$TRACE"
	}
	requires bash-static lazy
	[ "$(run_only faults)" = "fault " ]
	[ "$(run_only pages)" = "reveal " ]
	[ "$(run_only calls)" = "arguments call result " ]
	[ "$(run_only signals)" = "signal " ]
	[ "$(run_only threads)" = "fork " ]
	[ "$(run_only signals,faults)" = "fault signal " ]
	# The tools read what is left, and the story is whole all the same.
	python3 "$ROOT/share/trace/trace_json.py" "$TRACE" json
	"$ROOT/on_demand_loader" --explain --trace="$TRACE" --only=signals "$ROOT/prog3" 2>story
	[ "$(kinds "$TRACE")" = "" ]
	grep -q 'write of' story
	grep -q 'call set_tid_address' story
}

@test "--only: what cannot be meant is refused" {
	for loader in on_demand_loader hybrid_loader; do
		expect "exit 125" "$ROOT/$loader" --trace=t --only=faults,cals "$ROOT/prog3"
		is_one_line "$loader: " '^--only=cals is unknown; did you mean calls\?$'
		expect "exit 125" "$ROOT/$loader" --trace=t --only=faults, "$ROOT/prog3"
		is_one_line "$loader: " '^--only= is unknown; there are faults, pages, calls, signals and threads$'
		expect "exit 125" "$ROOT/$loader" --only=calls "$ROOT/prog3"
		is_one_line "$loader: " '^--only says what --trace=FILE writes, and there is no --trace$'
	done
	expect "exit 125" "$ROOT/all_at_once_loader" --only=calls "$ROOT/prog3"
}

@test "--stats counts each call as strace -c does" {
	requires strace static_busybox python3 lazy
	new_folder
	strace -o native busybox ls -la folder >/dev/null
	"$ROOT/on_demand_loader" --retire=never --stats=stats busybox ls -la folder >/dev/null
	python3 - <<-'PYTHON'
		import collections, json, re
		native = collections.Counter(re.findall(r"^(\w+)\(", open("native").read(), re.M))
		del native["execve"]
		stats = json.load(open("stats"))
		found = stats["calls_by_name"]
		known = {name: count for name, count in native.items() if not name.startswith("syscall_0x")}
		assert {name: count for name, count in found.items() if name in known} == known, (found, native)
		assert len(found) == len(native), (found, native)
		assert sum(native.values()) == stats["calls"]
	PYTHON
	"$ROOT/on_demand_loader" --retire=never --stats busybox ls -la folder 2>text >/dev/null
	[ "$(grep -c '^    [a-z0-9_]* *[0-9]*$' text)" = 5 ]
}
