#!/usr/bin/env bats
#
# --interpreter and --library-path: programs whose own interpreter and libraries are elsewhere, as on NixOS, in an
# AppImage, or with another C library than the system's. The oracle is the same program linked for this system.

load helpers

GLIBC_INTERPRETER=$(interpreter_of "$GUESTS/glibc-dynamic/hello")
MUSL_INTERPRETER=$(interpreter_of "$GUESTS/musl-dynamic/hello")

# link COMPILER FOLDER INTERPRETER [FLAG]...: testprogs/dynamic/linked.c as FOLDER/linked, its libraries in FOLDER/lib.
link() {
	local compiler=$1 name
	mkdir -p "$2/lib"
	for name in first second plugin; do
		$compiler -D_GNU_SOURCE -O1 -fPIC -shared -DNAME=$name -o "$2/lib/lib$name.so" "$ROOT/testprogs/dynamic/library.c"
	done
	$compiler -D_GNU_SOURCE -O1 -pthread "${@:4}" -Wl,--no-as-needed -Wl,--dynamic-linker="$3" -o "$2/linked" \
		"$ROOT/testprogs/dynamic/linked.c" -L"$2/lib" -lfirst -lsecond -ldl
}

# print_paths INTERPRETER: ./paths, which prints what a program can see of both options, and starts a child that does.
print_paths() {
	gcc -o paths -Wl,--dynamic-linker="$1" -x c - <<-'END'
		#include <elf.h>
		#include <libgen.h>
		#include <stdio.h>
		#include <stdlib.h>
		#include <string.h>
		#include <sys/auxv.h>
		#include <unistd.h>

		extern char **environ;
		extern char _start[];

		int main(int argc, char **argv, char **envp)
		{
			char file[4096] = "";
			char **end = environ;
			unsigned long *vector, kinds = 0;

			(void)!readlink("/proc/self/exe", file, sizeof(file) - 1);
			while (*end != NULL)
				end++;
			for (vector = (unsigned long *)(end + 1); *vector != AT_NULL; vector += 2) {
				kinds += *vector != AT_IGNORE;
				if (*vector == AT_ENTRY && vector[1] != (unsigned long)_start)
					printf("the vector has another entry\n");
			}
			printf("%d %s %s %s, %d\n", argc, argv[0], (char *)getauxval(AT_EXECFN), basename(file),
			       envp == environ);
			printf("%ld variables, %lu entries, entry %d\n", (long)(end - environ), kinds,
			       getauxval(AT_ENTRY) == (unsigned long)_start);
			for (end = environ; *end != NULL; end++)
				puts(*end);
			fflush(stdout);
			return system("tr '\\0' '\\n' </proc/$PPID/environ; echo; tr '\\0' '\\n' </proc/self/environ | sort;"
				      "wc -c </proc/$PPID/auxv") != 0;
		}
	END
}

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return
	for how in -pie -no-pie; do
		link gcc "here$how" "$GLIBC_INTERPRETER" $how '-Wl,-rpath,$ORIGIN/lib'
		link gcc "away$how" "/nowhere/${GLIBC_INTERPRETER##*/}" $how
	done
	link musl-gcc here-musl "$MUSL_INTERPRETER" '-Wl,-rpath,$ORIGIN/lib'
	link musl-gcc away-musl "/nowhere/${MUSL_INTERPRETER##*/}"
	mkdir here away
	(cd here && print_paths "$GLIBC_INTERPRETER")
	(cd away && print_paths /nowhere/ld.so)
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return
}

# as_there LOADER HERE AWAY COMMAND [ARG]...: natively in the folder HERE, under the loader, with LOADER_OPTIONS, in AWAY.
as_there() {
	local loader=$1 away=$3 options
	read -ra options <<<"$LOADER_OPTIONS"
	(cd "$2" && record native "${UNDER[@]}" "${@:4}")
	(cd "$away" && record loaded "${UNDER[@]}" "$loader" "${options[@]}" "${@:4}")
	same_recording native loaded && return
	explain loaded "$loader" "${options[@]}" "${@:4}"
	return 1
}

# in_both_ways FUNCTION [ARG]...: each loader as it is, and the lazy ones with pages of .bss hidden, and lazy to the end.
in_both_ways() {
	each_loader "$@"
	has_dispatch || return 0
	LOADER_OPTIONS="$LOADER_OPTIONS --engine=$(engines_here | cut -d ' ' -f 1) --retire=never" \
		only_under on_demand_loader,hybrid_loader each_loader "$@"
}

@test "a program that names no interpreter of this system runs with one, and libraries of a folder" {
	for how in -pie -no-pie; do
		with_options --interpreter="$GLIBC_INTERPRETER" --library-path="$PWD/away$how/lib"
		in_both_ways as_there "here$how" "away$how" ./linked a 'b c'
	done
}

@test "a program of another C library than the system's: musl" {
	with_options --interpreter="$MUSL_INTERPRETER" --library-path="$PWD/away-musl/lib"
	in_both_ways as_there here-musl away-musl ./linked a 'b c'
}

@test "nothing of it is left: argv[0], AT_EXECFN, environment, auxiliary vector, a child's environment" {
	with_options --interpreter="$GLIBC_INTERPRETER" --library-path=/somewhere
	for variables in "" "A=b LD_LIBRARY_PATH=/mine:/yours C=d" "LD_LIBRARY_PATH= LD_LIBRARY_PATHS=/x"; do
		# shellcheck disable=SC2086 # several words
		under env -i PATH="$PATH" $variables
		in_both_ways as_there here away ./paths
	done
}

@test "guests and programs with --library-path, which they do not need" {
	LOADER_OPTIONS=--library-path=/somewhere
	for guest in proc_identity program_break process_exec_self thread_local; do
		for variant in glibc-dynamic glibc-dynamic-fixed musl-dynamic; do
			[ ! -e "$GUESTS/$variant/$guest" ] || same_as_native "$GUESTS/$variant/$guest" a 'b c'
		done
	done
	same_as_native env
	same_as_native python3 -c 'import os, subprocess; print(os.environ, subprocess.run(["env"]).returncode)'
}

# reads LIST: what ld.so, started by itself, searches with this list, and what it searches under each loader.
reads() {
	local loader
	(cd away-pie && LD_DEBUG=libs record natively "$GLIBC_INTERPRETER" --library-path "$1" "$PWD/linked")
	for loader in $LOADERS; do
		(cd away-pie && LD_DEBUG=libs record loaded "$loader" --interpreter="$GLIBC_INTERPRETER" --library-path="$1" ./linked)
		[ "$(searched natively)" = "$(searched loaded)" ] && continue
		diff <(searched natively) <(searched loaded)
		return 1
	done
}

searched() {
	# In parentheses ld.so says where it has the list from.
	sed -n 's/^ *[0-9]*:\t *//; s/\t*(.*)$//; /search path=\|trying file=.*libfirst/p' "$BATS_TEST_TMPDIR/$1.err"
}

@test "a list is searched as ld.so searches it: \$ORIGIN, relative and empty folders, semicolons" {
	for list in lib '$ORIGIN/lib' '${ORIGIN}/lib:/none' /none:lib :lib '/none;lib' lib: ./lib/../lib; do
		reads "$list"
	done
}

@test "a library that is missing: ld.so's sentence and status" {
	missing() {
		expect "exit 127" "$1" --interpreter="$GLIBC_INTERPRETER" --library-path=/none away-pie/linked
		grep -q '^away-pie/linked: error while loading shared libraries: libfirst.so: cannot open' "$BATS_TEST_TMPDIR/found.err"
		expect "exit 127" "$1" --interpreter="$MUSL_INTERPRETER" away-musl/linked
		grep -q 'Error loading shared library libfirst.so' "$BATS_TEST_TMPDIR/found.err"
	}
	each_loader missing
}

@test "an interpreter that is none: one sentence, and which file it is" {
	cp "$GUESTS/musl-static/hello" good
	patched i386 18 '\3' && printf '\1' | dd of=i386 bs=1 seek=4 conv=notrunc status=none
	patched foreign 18 '\0\26' && printf '\2' | dd of=foreign bs=1 seek=5 conv=notrunc status=none
	echo text >text && chmod +x text
	cp "$GLIBC_INTERPRETER" closed && chmod a-x closed
	refused() {
		expect "exit $2" "$1" "--interpreter=$3" away-pie/linked
		is_one_line "${1##*/}: away-pie/linked: its interpreter $3: " "$4"
	}
	while read -r status file reason; do
		each_loader refused "$status" "$file" "$reason"
	done <<-END
		127 /none no such file: check --interpreter
		127 none no such file: check --interpreter
		126 . is a directory
		126 text is text, not an ELF file
		126 i386 32-bit|is for another machine: i386
		126 foreign is for another machine: s390
		126 closed may not be executed
	END
	unnamed() {
		expect "exit 127" "$1" away-pie/linked
		is_one_line "${1##*/}: away-pie/linked: its interpreter /nowhere/${GLIBC_INTERPRETER##*/}: " "name another ld.so with --interpreter=FILE"
	}
	each_loader unnamed
}

@test "a static program has no interpreter: one sentence" {
	static() {
		expect "exit 125" "$1" "$2" "$ROOT/prog1"
		is_one_line "${1##*/}: $ROOT/prog1: " "is static, .*: leave out ${2%%=*}"
	}
	each_loader static --interpreter="$GLIBC_INTERPRETER"
	each_loader static --library-path=/lib
	empty() {
		expect "exit 125" "$1" --library-path= away-pie/linked
		is_one_line "${1##*/}: " "--library-path= names no"
	}
	each_loader empty
}

@test "a loader with a privilege of its own: the interpreter would pass over the list" {
	requires root
	drop_privileges
	privileged() {
		cp "$1" privileged && chown 1:1 privileged && chmod 6755 privileged
		expect "exit 125" "${UNDER[@]}" ./privileged --library-path=/lib "$GUESTS/glibc-dynamic/hello"
		[[ $(found err) == *"the loader's file gives it a privilege, so the interpreter would ignore --library-path: "* ]]
	}
	each_loader privileged
}

@test "they can be watched: the story, the plan, statistics" {
	watched() {
		expect "exit 0" "$1" --interpreter="$GLIBC_INTERPRETER" --plan away-pie/linked
		grep -q "^interpreter.*$GLIBC_INTERPRETER" "$BATS_TEST_TMPDIR/found.out"
		expect "exit 0" "$1" --interpreter="$GLIBC_INTERPRETER" --library-path=away-pie/lib --stats --explain away-pie/linked
		grep -q 'LD_LIBRARY_PATH' "$BATS_TEST_TMPDIR/found.err" && return 1
		expect "exit 0" "$1" --interpreter="$GLIBC_INTERPRETER" --library-path=away-pie/lib --explain=json away-pie/linked
	}
	unset LD_LIBRARY_PATH
	each_loader watched
}
