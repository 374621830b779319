#!/usr/bin/env bats
#
# loader-binfmt. All registrations are made in a user namespace with a binfmt_misc of its own, so that
# the machine's stays as it is.

load helpers

setup_file() {
	make -s -C "$BATS_TEST_DIRNAME/.." install DESTDIR= PREFIX="$BATS_FILE_TMPDIR" 3>&- 4>&-
}

setup() {
	INSTALLED=$BATS_FILE_TMPDIR
	BINFMT=$INSTALLED/bin/loader-binfmt
	TABLE=/proc/sys/fs/binfmt_misc
	cd "$BATS_TEST_TMPDIR" || return
}

# As root of a new user namespace, which needs no right outside of it.
OWN=(unshare --user --map-root-user --mount)

MOUNTED='mount -t binfmt_misc none /proc/sys/fs/binfmt_misc && '

# namespace SCRIPT [ARG]...: a shell script where binfmt_misc is empty and may be written; $B is loader-binfmt.
namespace() {
	B=$BINFMT T=$TABLE "${OWN[@]}" sh -c "$MOUNTED $1" sh "${@:2}"
}

# started INSTALL PROGRAM [ARG]...: the same when the kernel starts it itself and when it is registered
# by loader-binfmt install INSTALL.
started() {
	local options=$1
	shift
	record native env -i B="$BINFMT" PATH="$PATH" "${OWN[@]}" sh -c \
		"$MOUNTED exec env -i A=b \"\$@\"" sh "$@"
	ran_natively "$1" || return
	record loaded env -i B="$BINFMT" PATH="$PATH" "${OWN[@]}" sh -c \
		"$MOUNTED \$B install --yes $options >/dev/null && exec env -i A=b \"\$@\"" sh "$@"
	# A program that starts itself gets it again.
	cut_warning "$BATS_TEST_TMPDIR/loaded.err"
	same_recording native loaded && return
	explain loaded "$@"
	return 1
}

# behaves INSTALL FOLDER SUFFIX: programs of many kinds, in a folder and with names of these forms.
behaves() {
	local failed=0 guest words
	for guest in "hello a 'b " "proc_identity" "exit_status 42" lifecycle \
		"process_exec_self" prog3; do
		read -ra words <<<"$guest"
		words[0]=$2/${words[0]}$3
		started "$1" "${words[@]}" || failed=1
	done
	by_signal started "$1" "$2/raise_signal$3" 11 || failed=1
	return $failed
}

@test "programs with the mark run under each loader as they run natively" {
	requires binfmt_misc
	for variant in musl-static glibc-pie; do
		mkdir "$variant"
		for guest in hello proc_identity exit_status raise_signal lifecycle process_exec_self prog3; do
			"$BINFMT" mark "$GUESTS/$variant/$guest" "$variant/$guest"
		done
	done
	for loader in all_at_once_loader on_demand_loader hybrid_loader; do
		behaves "--loader=$loader" ./musl-static ""
	done
	behaves "" "$PWD/glibc-pie" ""
}

# e_machine 22 is s390's. Nothing here runs such a program, so the kernel answers ENOEXEC.
@test "a program with the mark that is for another machine is left to others" {
	requires binfmt_misc
	local other='\x16'
	"$BINFMT" mark "$GUESTS/musl-static/hello" good
	patched other 18 "$other"
	ran any namespace '$B install --yes >/dev/null && exec bash -c "./good && exec ./other"'
	[[ $output == "hello! "*"Exec format error"* && $status = 126 ]]
}

@test "programs with the extension run as they run natively" {
	requires binfmt_misc
	for guest in hello proc_identity exit_status raise_signal lifecycle process_exec_self prog3; do
		cp "$GUESTS/musl-static/$guest" "$guest.lazy"
	done
	behaves --extension=lazy . .lazy
}

@test "a script whose interpreter bears the mark is named after itself" {
	requires binfmt_misc
	for guest in proc_identity auxv; do
		"$BINFMT" mark "$GUESTS/musl-static/$guest" "$guest"
		printf '#!%s/%s one word\n' "$PWD" "$guest" >"script_$guest"
		printf '#!%s/script_%s\n' "$PWD" "$guest" >"outer_$guest"
		chmod +x "script_$guest" "outer_$guest"
		started "" "./script_$guest" a "b  c" "./script_$guest"
		started "" "$PWD/outer_$guest" a
	done
}

@test "a program with the mark starts itself by /proc/self/exe" {
	requires binfmt_misc
	"$BINFMT" mark "$GUESTS/musl-static/proc_exe" proc_exe
	for loader in all_at_once_loader on_demand_loader hybrid_loader; do
		started "--loader=$loader" ./proc_exe again
	done
}

# With a loader that tells how it was called, beside the helper's copy.
@test "the loader is told path, argv[0] and arguments" {
	requires python3 binfmt_misc
	cp -a "$INSTALLED/libexec/pagewise" there
	rm there/hybrid_loader
	printf '#!/bin/sh\nprintf "<%%s>" "$@"\n' >there/hybrid_loader
	chmod +x there/hybrid_loader
	cp "$GUESTS/musl-static/hello" x.lazy
	cp x.lazy ./-v.lazy
	started_as() {
		namespace 'there/loader-binfmt install --yes --extension=lazy >/dev/null; exec bash -c "$1"' "$1"
	}
	[ "$(started_as './x.lazy a "b  c" ""')" = '<--argv0=./x.lazy><--><./x.lazy><a><b  c><>' ]
	# bash's exec makes the path absolute.
	[ "$(started_as 'exec -a "other name" ./x.lazy -v')" = "<--argv0=other name><--><$PWD/x.lazy><-v>" ]
	[ "$(PATH=$PWD:$PATH started_as x.lazy)" = "<--argv0=x.lazy><--><$PWD/x.lazy>" ]
	# exec without a slash, as a program may do: a file here, whatever PATH says.
	[ "$(started_as 'exec python3 -c "import os; os.execv(\"-v.lazy\", [\"-s\", \"a\"])"')" = \
		'<--argv0=-s><--><./-v.lazy><a>' ]
}

@test "a descriptor that is closed on exec cannot be run" {
	requires python3 binfmt_misc
	"$BINFMT" mark "$GUESTS/musl-static/hello" x
	ran any namespace '$B install --yes >/dev/null
		exec python3 -c "import os; os.execve(os.open(\"x\", os.O_RDONLY), [\"x\"], {})"'
	[[ $status -ne 0 && $output == *"No such file"* ]]
}

@test "install, status, remove" {
	requires binfmt_misc
	ran any namespace '$B status; echo $?; $B install --yes; $B install --yes --loader=on_demand_loader
		$B install --yes --extension=lazy; $B remove --extension=lazy; $B status; $B remove; ls $T'
	[ "$output" = "nothing is registered
1
pagewise-mark: enabled: programs with the mark run under $INSTALLED/libexec/pagewise/hybrid_loader
pagewise-mark: enabled: programs with the mark run under $INSTALLED/libexec/pagewise/on_demand_loader
pagewise-lazy: enabled: programs named *.lazy run under $INSTALLED/libexec/pagewise/hybrid_loader
pagewise-lazy: removed
pagewise-mark: enabled: programs with the mark run under $INSTALLED/libexec/pagewise/on_demand_loader
pagewise-mark: removed
register
status" ]
}

@test "--profile=auto: what is started learns and uses a profile" {
	requires binfmt_misc learner
	local cache=$BATS_TEST_TMPDIR/cache
	cp "$GUESTS/glibc-static/prog3" prog3.lazy
	ran any namespace '$B install --yes --extension=lazy --profile=auto && XDG_CACHE_HOME=$1 ./prog3.lazy; $B remove; ls $T' "$cache"
	[ "$output" = "pagewise-lazy: enabled: programs named *.lazy run under $INSTALLED/libexec/pagewise/hybrid_loader --profile=auto
hello! 999999
pagewise-lazy: removed
register
status" ]
	eventually grep -qrs "^p .*/prog3.lazy$" "$cache/pagewise"
	# Without it nothing is learned, and no other loader or value is made of it.
	namespace '$B install --yes --extension=lazy && XDG_CACHE_HOME=$1 ./prog3.lazy' "$cache.none"
	[ ! -e "$cache.none" ]
	expect "exit 125" "$BINFMT" install --yes --profile=x
	is_one_line "loader-binfmt: " "can only use auto"
}

@test "registrations of others stay" {
	requires binfmt_misc
	ran any namespace 'echo ":other:E::other::/bin/true:" >$T/register
		echo ":pagewise-x:E::xx::/bin/true:" >$T/register
		$B install --yes; $B remove; $B remove; ls $T'
	[[ $output == *"pagewise-mark: removed
loader-binfmt: nothing of that kind is registered; see loader-binfmt status
other
pagewise-x
register
status" ]]
}

@test "binfmt_misc is mounted where it is not, and that is said" {
	requires binfmt_misc
	# A folder without the register stands for one with nothing mounted.
	ran any "${OWN[@]}" sh -c "mount -t tmpfs none $TABLE && $BINFMT status; $BINFMT install --yes && $BINFMT status"
	[ "${lines[0]}" = "loader-binfmt: binfmt_misc is not mounted on $TABLE; loader-binfmt install does that" ]
	[ "${lines[1]}" = "mounted binfmt_misc on $TABLE" ]
	[ "${lines[2]}" = "${lines[3]}" ]
	# Nothing can be registered there, so remove does not mount it.
	run "${OWN[@]}" sh -c "mount -t tmpfs none $TABLE && $BINFMT remove"
	[ "$output" = "loader-binfmt: nothing of that kind is registered; see loader-binfmt status" ]
}

@test "without root: one line" {
	drop_privileges
	for command in "install --yes" remove; do
		# shellcheck disable=SC2086 # words
		expect "exit 125" "${UNDER[@]}" "$BINFMT" $command
		is_one_line "loader-binfmt: " "needs root|nothing of that kind"
	done
}

@test "install asks before it registers for everybody, or wants --yes" {
	requires binfmt_misc terminals
	run namespace '$B install </dev/null; echo "status $?"; ls $T'
	[ "${lines[0]}" = "loader-binfmt: programs with the mark would run under $(readlink -f "$INSTALLED")/libexec/pagewise/hybrid_loader for everybody on this machine: say so with --yes" ]
	[ "${lines[1]}" = "status 125" ]
	[[ $output != *pagewise-mark* ]]
	for answer in n '' y; do
		ran any namespace "python3 $ROOT/tests/tools/on_terminal.py '$answer\n' \$B install --extension=lazy; echo \"status \$?\"; ls \$T"
		[[ $output == *"programs named *.lazy will run under "*"for everybody on this machine. Go on? [y/N] "* ]]
		if [ "$answer" = y ]; then
			[[ $output == *"pagewise-lazy: enabled: "*"status 0"*pagewise-lazy* ]]
		else
			[[ $output == *"nothing has been registered"*"status 125"* ]]
			[[ ${lines[-1]} != *pagewise-lazy* ]]
		fi
	done
}

@test "wrong usage: one line" {
	for words in "" frobnicate "install --loader=none" "install --extension=a:b" "install --extension=mark" \
		"remove --loader=hybrid_loader" "remove --yes" "status now" "mark x" "unmark x"; do
		read -ra words <<<"$words"
		expect "exit 125" "$BINFMT" "${words[@]}"
		is_one_line "loader-binfmt: " "see --help|there are|letters|taken by"
	done
	expect "exit 0" "$BINFMT" --help
	expect "exit 125" "$INSTALLED/libexec/pagewise/hybrid_loader.run"
	is_one_line "loader.run: " binfmt_misc
}

@test "it is pagewise by another name, unless its script lies elsewhere" {
	local elsewhere=$BATS_TEST_TMPDIR/elsewhere
	[ "$(readlink -f "$BINFMT")" = "$(readlink -f "$INSTALLED/bin/pagewise")" ]
	"$BINFMT" --help | sed 's/loader-binfmt/pagewise binfmt/' | cmp - <("$INSTALLED/bin/pagewise" binfmt --help)
	# Its words are never commands of pagewise.
	expect "exit 125" "$BINFMT" run
	is_one_line "loader-binfmt: " "no command run; the commands are install"
	make -s -C "$ROOT" install DESTDIR= PREFIX="$elsewhere" LIBEXECDIR="$elsewhere/other"
	"$elsewhere/bin/loader-binfmt" --help | cmp - <("$BINFMT" --help)
	"$elsewhere/bin/pagewise" binfmt --help | cmp - <("$INSTALLED/bin/pagewise" binfmt --help)
	rm "$elsewhere/other/pagewise/loader-binfmt"
	expect "exit 125" "$elsewhere/bin/pagewise" binfmt status
	is_one_line "pagewise binfmt: " "there is no loader-binfmt near this program"
	ln -sf pagewise "$elsewhere/bin/loader-binfmt"
	expect "exit 125" "$elsewhere/bin/loader-binfmt" status
	is_one_line "loader-binfmt: " "there is no loader-binfmt near this program"
}

@test "the mark: seven bytes, that change nothing" {
	"$BINFMT" mark "$GUESTS/musl-static/hello" marked
	[ "$(cmp -l "$GUESTS/musl-static/hello" marked | awk '{ printf "%s ", $1 }')" = "10 11 12 13 14 15 16 " ]
	[ "$(stat -c %a marked)" = "$(stat -c %a "$GUESTS/musl-static/hello")" ]
	under env -i
	same_as_native ./marked a b
	"$BINFMT" unmark marked marked
	cmp "$GUESTS/musl-static/hello" marked
	"$BINFMT" mark "$GUESTS/glibc-dynamic/hello" marked
	same_as_native ./marked a b
	[ "$(ls)" = "$(printf '%s\n' loaded.{err,out,status} marked native.{err,out,status})" ]
}

@test "what cannot be marked" {
	"$BINFMT" mark "$GUESTS/musl-static/hello" marked
	refused() {
		expect "exit 125" "$BINFMT" "$@" && is_one_line "loader-binfmt: " "$PATTERN"
	}
	PATTERN="marked: bytes 9 to 15 are in use" refused mark marked again
	PATTERN="does not bear the mark" refused unmark "$GUESTS/musl-static/hello" again
	PATTERN="is no ELF file" refused unmark "$INSTALLED/libexec/pagewise/loader-binfmt" again
	gcc -o lost -Wl,--dynamic-linker=/nowhere/ld.so "$ROOT/testprogs/hello.c"
	PATTERN="its interpreter /nowhere/ld.so: no such file" refused mark lost again
	PATTERN="is no ELF file" refused mark "$INSTALLED/libexec/pagewise/loader-binfmt" again
	PATTERN="no such file" refused mark nothing again
	PATTERN="cannot be written" refused mark "$GUESTS/musl-static/hello" no/folder
	[ ! -e again ]
}
