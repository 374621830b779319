#!/usr/bin/env bats
#
# Programs that cannot be loaded: 127 not found, 126 found but not loadable, one line on stderr.

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	cp "$GUESTS/musl-static/hello" good
}

# patched NAME OFFSET BYTES: a copy of the good program with BYTES (as for printf) at OFFSET.
patched() {
	cp good "$1"
	# shellcheck disable=SC2059
	printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# cut_at NAME LENGTH: the first LENGTH bytes of the good program.
cut_at() {
	head -c "$2" good >"$1"
	chmod +x "$1"
}

@test "the good program is one" {
	same_as_native ./good
}

@test "a path that does not exist" {
	expect_refusal 127 'no such' ./missing
	expect_refusal 127 'no such' "$BATS_TEST_TMPDIR/missing/prog" argument
	expect_refusal 127 . ""
}

@test "a path through a file, and a name that is too long" {
	expect_refusal 126 . ./good/prog
	expect_refusal 126 . "./$(printf '%0300d' 0)"
}

@test "a name that is not in PATH" {
	# A directory of PATH that one may not search would make it 126, as with env(1).
	PATH=/usr/bin:/bin expect_refusal 127 'no such|not found|PATH' no_such_program_anywhere
	# Only a slash makes a path: a file in the working directory is not found by its name.
	under env PATH=/nonexistent
	for loader in $LOADERS; do
		expect "exit 127" "${UNDER[@]}" "$loader" good
	done
}

@test "an unreadable directory in PATH does not hide the program behind it" {
	mkdir first second
	cp good first/tool && chmod -x first/tool
	cp good second/tool
	under env -i "PATH=$PWD/first:$PWD/second"
	same_as_native tool
}

@test "a directory" {
	expect_refusal 126 'directory' /tmp
	expect_refusal 126 'directory' ./
}

@test "a device and a FIFO" {
	mkfifo pipe && chmod +x pipe
	expect_refusal 126 . /dev/null
	expect_refusal 126 . ./pipe
}

@test "a file that may not be executed" {
	chmod -x good
	expect_refusal 126 'permi|execut' ./good
}

@test "a program that may be executed but not read, by an unprivileged user" {
	chmod 711 "$BATS_TEST_TMPDIR"
	cp good secret && chmod 111 secret
	drop_privileges
	"${UNDER[@]}" test -x ./secret || skip "an unprivileged user may not reach $PWD"
	for loader in $LOADERS; do
		expect "exit 126" "${UNDER[@]}" "$loader" ./secret
		is_one_line "${loader##*/}: ./secret: " 'read'
	done
}

@test "a loop of symbolic links" {
	ln -s one two && ln -s two one
	expect_refusal 126 . ./one
}

@test "an empty file" {
	: >empty && chmod +x empty
	expect_refusal 126 . ./empty
}

@test "a text file and a script" {
	echo "just text, longer than the sixty-four bytes that an ELF header has in a 64-bit file" >text
	printf '#!/bin/sh\necho hi\n' >script
	chmod +x text script
	expect_refusal 126 'ELF|magic' ./text
	expect_refusal 126 . ./script
}

@test "a program cut short" {
	for length in 1 4 10 63 64 65 100 120 300; do
		cut_at "cut_$length" "$length"
		expect_refusal 126 . "./cut_$length"
	done
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

@test "a wrong magic number" {
	patched magic 1 'X'
	expect_refusal 126 'ELF|magic' ./magic
}

@test "a 32-bit program" {
	patched i386 4 '\1'
	printf '\3\0' | dd of=i386 bs=1 seek=18 conv=notrunc status=none
	expect_refusal 126 '32|i386|machine' ./i386
}

@test "header fields that the kernel ignores" {
	patched class 4 '\1'
	patched data 5 '\2'
	patched abi 7 '\11'
	patched version 20 '\7'
	patched ehsize 52 '\0\0'
	for name in class data abi version ehsize; do
		same_as_native "./$name"
	done
}

@test "another machine" {
	patched arm 18 '\267\0'
	expect_refusal 126 'machine' ./arm
}

@test "a relocatable object and a core file" {
	cp "$GUESTS/object/hello.o" object && chmod +x object
	expect_refusal 126 'type' ./object
	patched core 16 '\4'
	expect_refusal 126 'type' ./core
}

@test "a dynamically linked program, with the name of its interpreter" {
	interpreter=$(readelf -l "$GUESTS/dynamic/hello" | sed -n 's/.*interpreter: \(.*\)\]/\1/p')
	expect_refusal 126 "$interpreter" "$GUESTS/dynamic/hello"
}

@test "program headers: wrong size, none, beyond the end of the file" {
	patched phentsize 54 '\70\1'
	expect_refusal 126 'e_phentsize' ./phentsize
	patched phnum 56 '\0\0'
	expect_refusal 126 . ./phnum
	patched phoff 32 '\377\377\377\377\377\377\377\177'
	expect_refusal 126 . ./phoff
	patched many 56 '\377\377'
	expect_refusal 126 . ./many
}

@test "a segment whose file size is above its memory size" {
	# p_filesz of the first program header, at 64 + 32
	patched filesz 96 '\0\0\0\0\1'
	expect_refusal 126 'p_filesz' ./filesz
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
}
