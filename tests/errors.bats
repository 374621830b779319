#!/usr/bin/env bats
#
# What is at the edge: headers that only look wrong are no errors, what dies natively may be refused instead,
# and a message stays one line whatever the name is. ways_out.bats has the refusals.

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	cp "$GUESTS/musl-static/hello" good
}

# cut_at NAME LENGTH: the first LENGTH bytes of the good program.
cut_at() {
	head -c "$2" good >"$1"
	chmod +x "$1"
}

@test "an unreadable directory in PATH does not hide the program after it" {
	mkdir first second
	cp good first/tool && chmod -x first/tool
	cp good second/tool
	under env -i "PATH=$PWD/first:$PWD/second"
	same_as_native tool
}

@test "a message that cannot be written ends no program, and changes no status" {
	mkfifo pipe
	exec 9<>pipe
	exec 8>pipe 9<&-
	for loader in $LOADERS; do
		[ "$("$loader" -v "$ROOT/prog1" 2>&8)" = hello! ]
		[ "$(ulimit -f 0 && "$loader" -v "$ROOT/prog1" 2>file)" = hello! ]
		ran 126 bash -c '"$@" 2>&8' bash "$loader" "$ROOT/LICENSE"
		ran 126 bash -c 'ulimit -f 0 && "$@" 2>file' bash "$loader" "$ROOT/LICENSE"
	done
	exec 8>&-
}

# dies_or_refuses LOADER PROGRAM: natively this is SIGBUS at the first missing page, or SIGSEGV.
dies_or_refuses() {
	record found "$@"
	case $(found status) in
	"signal 7" | "signal 11") ;;
	"exit 126")
		is_one_line "${1##*/}: $2: " . ;;
	*)
		explain found "$@"
		return 1 ;;
	esac
}

@test "a program cut inside its segments" {
	size=$(stat -c %s good)
	for length in 1000 4096 5000 $((size / 2)) $((size / 4)); do
		cut_at "cut_$length" "$length"
		each_loader dies_or_refuses "./cut_$length"
	done
}

@test "header fields that the kernel ignores" {
	patched class 4 '\1'
	patched data 5 '\2'
	patched abi 7 '\11'
	patched version 20 '\7'
	patched ehsize 52 '\0\0'
	for name in data abi version ehsize; do
		same_as_native "./$name"
	done
	# riscv64's kernel compares the class.
	if (./class) >/dev/null 2>&1; then
		same_as_native ./class
	else
		expect_refusal 126 'has EI_CLASS 1, not 2: the file is damaged; build it or copy it again' ./class
	fi
}

@test "an entry point outside the program" {
	patched entry 24 '\0\0\0\0\0\0\0\0'
	# Natively the jump kills it. Either is right; anything else is not.
	each_loader dies_or_refuses ./entry
}

@test "a newline in the program's name does not make two lines" {
	for loader in $LOADERS; do
		expect "exit 127" "$loader" $'./two\nlines'
		is_one_line "${loader##*/}: ./two" .
	done
}

# tells_no_terminal COMMAND...: whatever becomes of it, stderr holds nothing that a terminal obeys.
tells_no_terminal() {
	record found "${@:2}"
	grep -qF -e "$1" "$BATS_TEST_TMPDIR/found.err" &&
		! LC_ALL=C grep -qP '[\x01-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|(?<![\xc2-\xf4])\x9b' \
			"$BATS_TEST_TMPDIR/found.err" && return
	explain found "${@:2}"
	return 1
}

@test "control characters in names do not reach the terminal" {
	name=$'\e]0;title\a\e[2J\302\2331m\2331m\r\t'
	shown='?]0;title??[2J??1m?1m??'
	cp good "$name"
	for loader in $LOADERS; do
		tells_no_terminal "./$shown" "$loader" "./$name/missing"
		tells_no_terminal "did you mean ./$shown" "$loader" $'./\e]0;titl\a\e[2J\302\2331m\2331m\r\t'
		tells_no_terminal "--$shown" "$loader" "--$name" ./good
		tells_no_terminal "=$shown" "$loader" "--explain=$name" ./good
		tells_no_terminal "leave out =$shown" "$loader" "--plan=$name" ./good
		tells_no_terminal "$shown" "$loader" "--stats=/nowhere/$name" ./good
		tells_no_terminal "--stats would overwrite ./$shown" "$loader" "--stats=./$name" ./good
		tells_no_terminal "took $shown" "$loader" --profile "$name"
		tells_no_terminal "$shown: statistics" "$loader" --stats "./$name"
		tells_no_terminal "$shown" "$loader" --verbose "./$name"
		tells_no_terminal "$shown" "$loader" --explain "./$name"
		tells_no_terminal "there is no option -?" "$loader" $'-\e' ./good
	done
	for loader in $LOADERS; do
		tells_no_terminal "$shown: /proc/self/exe stays" "$GUESTS/tools/confine" "$loader" --verbose "./$name"
	done
	# The interpreter's name is the file's.
	gcc -o dynamic -Wl,--dynamic-linker=$'/lib/\e[2J' "$ROOT/testprogs/prog1.c"
	for loader in $LOADERS; do
		tells_no_terminal "/lib/?[2J" "$loader" ./dynamic
	done
}

# refuses_long LOADER STATUS SENTENCE NAME
refuses_long() {
	expect "exit $2" "$1" "$4" && is_one_line "${1##*/}: $(cut -c 1-512 <<<"$4")...: " "^$3\$"
}

@test "a very long name leaves room for what is wrong with it" {
	long=.$(printf '/%0200d' 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0)
	each_loader refuses_long 127 'no such file: check its path' "$long"
	each_loader refuses_long 126 'cannot be opened: File ?name too long; check its path' "$long$long$long"
	expect_refusal 126 'cannot be opened: File ?name too long; check its path' "./$(printf '%0300d' 0)"
}
