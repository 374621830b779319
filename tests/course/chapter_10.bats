#!/usr/bin/env bats
#
# The exercises of docs/course/10-interpreter.md: who begins, and what it is told.

load ../helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

@test "exercise 10.1: an interpreter need not interpret" {
	gcc -o program -Wl,--dynamic-linker="$GUESTS/musl-static/hello" "$ROOT/testprogs/empty.c"
	same_as_native ./program a 'b c'
	grep -q '^argv\[2\] "b c"' "$BATS_TEST_TMPDIR/loaded.out"
}

# Each word: the type of an entry that is made 0, and how the program ends.
@test "exercise 10.2: ld.so finds itself without AT_BASE, and jumps to AT_ENTRY" {
	requires gdb
	for type in 7:0 9:11; do
		gdb -nx -batch -ex 'handle SIGSEGV SIGBUS SIGSYS nostop noprint pass' -ex 'starti' -ex 'python
import gdb
sp = int(gdb.parse_and_eval("(unsigned long)$sp"))
memory = gdb.selected_inferior()
word = lambda a: int.from_bytes(memory.read_memory(a, 8), "little")
at = sp + 8 * (word(sp) + 2)
while word(at): at += 8
at += 8
while word(at) != '"${type%:*}"': at += 16
memory.write_memory(at + 8, bytes(8))' -ex continue "$GUESTS/glibc-dynamic/hello" >out 2>&1 </dev/null || true
		cat out
		if [ "${type#*:}" = 0 ]; then
			grep -q '^hello!' out
		else
			grep -q 'SIGSEGV' out
		fi
	done
}

@test "exercise 10.3: first touches before the program's own first instruction" {
	requires dispatch
	"$ROOT/on_demand_loader" --policy=none --retire=never --trace=trace "$GUESTS/glibc-dynamic/hello" >/dev/null
	bias=$(awk '$1 == "bias" { print $2 }' trace)
	before=$(awk -v bias="$bias" '$4 == "fault" { if ($8 == "execute" && substr($5, 1, 8) == substr(bias, 1, 8)) exit; n++ } END { print n + 0 }' trace)
	echo "$before before it"
	[ "$before" -ge 20 ] && [ "$before" -le 80 ]
}
