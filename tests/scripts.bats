#!/usr/bin/env bats
#
# Scripts: the interpreter that the first line names is loaded, with the arguments that exec would give it.
# The interpreter here is a guest that tells its arguments, its name and its auxiliary vector.

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	ln -s "$GUESTS/musl-static/hello" hello
	under env -i A=b
}

# script NAME LINE: an executable file that begins so.
script() {
	printf '%b' "$2" >"$1" && chmod +x "$1"
}

@test "the interpreter's arguments, as exec makes them" {
	while IFS='|' read -r name line; do
		echo "$name"
		script "$name" "$line"
		same_as_native "./$name"
		same_as_native "./$name" a '' 'b c'
	done <<-'END'
		plain|#!./hello\nrest
		blanks|#! \t./hello \t\n
		argument|#!./hello -x\n
		many|#!./hello -a  -b  c \t\n
		no_newline|#!./hello
		no_newline_argument|#!./hello -x
		no_newline_blank|#!./hello 
		no_newline_blanks|#!./hello -x  
		nul|#!./hello\0 -x\n
		nul_later|#!./hello -x\0y\n
	END
	script long "#!./hello $(printf 'x%.0s' {1..300})\n"
	same_as_native ./long
	script exactly "#!./hello $(printf 'x%.0s' {1..245})\n"
	same_as_native ./exactly
}

@test "comm, cmdline, AT_EXECFN and /proc/self/exe: the script's name, the interpreter's file" {
	requires root
	for variant in musl-static glibc-pie glibc-dynamic; do
		for guest in proc_identity auxv; do
			script "a_long_name_of_a_script_$guest" "#!$GUESTS/$variant/$guest -x\n"
			same_as_native "./a_long_name_of_a_script_$guest" one
		done
		# proc_exe compares its file with AT_EXECFN's; a script's AT_EXECFN is the script.
		script names "#!$GUESTS/$variant/proc_exe\n"
		same_as_native ./names
	done
}

@test "found in PATH: by the path that was found" {
	mkdir folder
	script folder/found '#!./hello -x\n'
	under env -i PATH=/nowhere:folder:/bin
	same_as_native found a
	cd folder && ln -s ../hello .
	under env -i PATH=
	same_as_native found a
}

@test "scripts as interpreters of scripts, five deep and no more" {
	script script_0 '#!./hello -0\n'
	for i in 1 2 3 4 5; do
		script "script_$i" "#!./script_$((i - 1)) -$i\n"
	done
	for i in 1 2 3 4; do
		same_as_native "./script_$i" a
	done
	run ./script_5
	[ "$status" -ne 0 ]
	expect_refusal 126 "more than 5 scripts" ./script_5
}

@test "as many arguments as there is room for" {
	local -a arguments
	mapfile -t arguments < <(yes '' | head -150000)
	script inner "#!./hello\n"
	script outer "#!./inner\n"
	same_as_native ./outer "${arguments[@]}"
}

@test "--argv0 has no effect, as exec -a has none" {
	script plain '#!./hello\n'
	for loader in $LOADERS; do
		record native bash -c 'exec -c -a other "$@"' bash "$PWD/plain" x
		record loaded env -i "$loader" --argv0=other "$PWD/plain" x
		same_recording native loaded
	done
}

@test "refused as exec refuses them" {
	refused() {
		expect_refusal "$1" "$2" "./$3"
	}
	script missing '#!/nowhere/sh\n' && refused 127 "^its interpreter /nowhere/sh: no such file: check the first line" missing
	script return $'#!./hello\r\n' && refused 127 "its interpreter ./hello\?: no such file: the script's first line ends in a carriage return; remove it with dos2unix or sed" return
	script nameless '#!\n' && refused 126 "is a script without an interpreter" nameless
	script text '#!./words\n' && script words 'text\n' && refused 126 "its interpreter ./words: is text, not an ELF file: a script needs a first line such as #!/bin/sh" text
	script folder '#!/tmp\n' && refused 126 "its interpreter /tmp: is a directory" folder
	script closed '#!./hello\n' && chmod -x closed && refused 126 "permission is missing; chmod \+x" closed
	script elf "#!$GUESTS/musl-static/hello\n" && gcc -o program -Wl,--dynamic-linker="$PWD/elf" "$ROOT/testprogs/hello.c"
	refused 126 "its interpreter $PWD/elf: is a script" program
	INPUT=elf expect_refusal 126 "is a script, which its interpreter could not open: name a file" -
}

@test "scripts of sh, bash, perl and python, by env and with arguments" {
	requires python3 perl
	under env -i "PATH=/usr/local/bin:/usr/bin:/bin"
	script shell '#!/bin/sh -e\necho "$0 $# $1"; cat "$0" | head -n 1; false; echo no\n'
	script snake "#!/usr/bin/env python3\nimport sys; print(sys.argv, sys.executable); sys.exit(7)\n"
	script pearl '#!/usr/bin/perl -wl\nprint "$0 @ARGV $^X"; print $undefined;\n'
	script bash '#!/bin/bash\ndeclare -A a=([x]=1); echo "${BASH_SOURCE[0]} ${a[x]} $*"; exit 3\n'
	for name in shell snake pearl bash; do
		same_as_native "./$name" a 'b c'
	done
}

@test "by env: what it would execute is loaded, and otherwise env itself" {
	mkdir bin
	cp "$GUESTS/glibc-dynamic/auxv" bin/named
	cp "$GUESTS/glibc-dynamic/hello" bin/privileged && chmod u+s bin/privileged
	script bin/shim '#!/bin/sh\necho "shim $*"\n'
	printf 'echo "no first line $*"\n' >bin/plain && chmod +x bin/plain
	printf 'X' >bin/closed
	under env "PATH=$PWD/bin:/usr/bin:/bin"
	for name in named privileged shim plain '-S X=1 named' "$PWD/bin/named" bin/named; do
		script "by" "#!/usr/bin/env $name\n"
		same_as_native ./by a 'b c'
		# Two searches of PATH, of which each has its own result.
		cp by bin/found
		same_as_native found a 'b c'
	done
	# What env cannot execute, env reports.
	export PATH=$PWD/bin:$PATH
	for name in closed missing 'named -x'; do
		script by "#!/usr/bin/env $name\n"
		for loader in $LOADERS; do
			record native ./by
			record loaded "$loader" ./by
			same_recording native loaded
		done
	done
	script by '#!/usr/bin/env named\n'
	for loader in $LOADERS; do
		diff <("$loader" --plan ./by) <("$loader" --plan bin/named)
	done
}

@test "what watches a script's run: statistics, a trace, the plan" {
	script plain '#!./hello -x\n'
	for loader in $LOADERS; do
		expect "exit 0" "$loader" --stats ./plain
		[[ $(found err) == "${loader##*/}: ./plain: statistics"* ]]
		expect "exit 0" "$loader" --plan ./plain
	done
	expect "exit 0" "$ROOT/hybrid_loader" --trace=trace ./plain
	[ "$(sed -n 's/^program\t//p' trace)" = ./plain ]
}
