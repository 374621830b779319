#!/usr/bin/env bats
# What they see who come here first: make's lines, make help, and what is said where something is missing.

load helpers

setup() {
	cd "$ROOT" || return
	B=$BATS_TEST_TMPDIR/b
	OBJECTS=("$B/common/error.o" "$B/common/load_plan.o" "$B/common/elf_check.o")
}

# build WORD...: a make of its own, not a part of the one that runs the tests. What it makes goes to $B.
build() {
	env -u MAKEFLAGS -u MAKELEVEL make B="$B" "$@" 3>&- 4>&-
}

# ---- make ----------------------------------------------------------------------------------

@test "make: a line a step, counted" {
	ends 0 build -j2 "${OBJECTS[@]}"
	# Three, and what comes before them where nothing was made yet.
	taken=$(wc -l <"$BATS_TEST_TMPDIR/out")
	diff <(cut -d ' ' -f 1 "$BATS_TEST_TMPDIR/out") <(seq -f "[%.0f/$taken]" "$taken")
	[ "$(grep -c '\] CC common/' "$BATS_TEST_TMPDIR/out")" -eq 3 ]
	ends 0 build "${OBJECTS[@]}"
	[ ! -s "$BATS_TEST_TMPDIR/out" ] || grep -q 'up to date\|Nothing to be done' "$BATS_TEST_TMPDIR/out"
	rm "${OBJECTS[1]}"
	ends 0 build "${OBJECTS[@]}" MODE=debug
	[ "$(cat "$BATS_TEST_TMPDIR/out")" = "[1/1] CC common/load_plan.c" ]
}

@test "make: counted, too, where a recipe starts another make, which is not run for that" {
	ends 0 build -n deb
	grep -q '^\[1/[0-9]*\] ' "$BATS_TEST_TMPDIR/out"
	last=$(grep '^\[' "$BATS_TEST_TMPDIR/out" | sed -n 's|^\[\([0-9]*\)/\1\] .*|\1|p')
	[ -n "$last" ]
}

@test "make V=1 shows the commands, make -s nothing" {
	ends 0 build V=1 "${OBJECTS[@]}"
	[ "$(grep -c -- ' -c -o ' "$BATS_TEST_TMPDIR/out")" -eq 3 ]
	[ "$(grep -c '^\[' "$BATS_TEST_TMPDIR/out")" -eq 0 ]
	rm "${OBJECTS[@]}"
	ends 0 build -s -j2 "${OBJECTS[@]}"
	[ ! -s "$BATS_TEST_TMPDIR/out" ]
}

@test "make: whatever a loader is linked with is a reason to link it anew" {
	for source in common/libelf/missing.c "common/arch/$(uname -m)/data_alignment.S" loader/resident/calls/guard.c; do
		ends 0 env -u MAKEFLAGS -u MAKELEVEL make -n -W "$source" hybrid_loader 3>&- 4>&-
		grep -q 'LINK hybrid_loader$' "$BATS_TEST_TMPDIR/out"
	done
}

@test "make: counted with a quote in a variable, too" {
	ends 0 build -n OTHER="it's" "${OBJECTS[@]}"
	grep -q '^\[1/[1-9]' "$BATS_TEST_TMPDIR/out"
	[ ! -s "$BATS_TEST_TMPDIR/err" ]
}

@test "make help and make clean try nothing out; where nothing can be written make says so" {
	mkdir "$BATS_TEST_TMPDIR/tree"
	tar -c Makefile common loader testprogs bench share tests docs | tar -x -C "$BATS_TEST_TMPDIR/tree"
	cd "$BATS_TEST_TMPDIR/tree"
	ends 0 build help
	ends 0 build clean
	[ ! -e build ]
	# As if it were another's: no folder can be made here, not even by root.
	touch build
	ends 0 build help
	ends 2 build -n
	grep -q 'nothing can be written to build/ here' "$BATS_TEST_TMPDIR/err"
	# An answer that never reached the disk is none.
	rm build && mkdir build && touch build/libelf_libc
	ends 0 build -n
	grep -qx 'musl\|glibc' build/libelf_libc
}

@test "make help is eight lines; make help-all begins with them, and names targets that there are" {
	ends 0 build help
	[ "$(grep -c '^make ' "$BATS_TEST_TMPDIR/out")" = 8 ]
	[ "$(wc -l <"$BATS_TEST_TMPDIR/out")" = 8 ]
	cp "$BATS_TEST_TMPDIR/out" "$BATS_TEST_TMPDIR/first"
	ends 0 build help-all
	head -n 8 "$BATS_TEST_TMPDIR/out" | cmp - "$BATS_TEST_TMPDIR/first"
	targets=$(grep -o '\bmake [a-z][a-z-]*' "$BATS_TEST_TMPDIR/out" | cut -d ' ' -f 2 | sort -u)
	[ "$(wc -l <<<"$targets")" -ge 30 ]
	for target in $targets; do
		ends 0 build -n COUNTING=1 MISSING= STEPS= TRACE=t PICTURE=p PAGE=p JSON=j "$target"
	done
}

@test "the course says what to make before it is run" {
	for chapter in docs/course/*.md; do
		awk '
			/make (guests|build\/guests\/)/ { guests = 1 }
			/make (bench-programs|build\/([a-z-]*\/)?bench\/)/ { bench = 1 }
			/^[$ ].*build\/guests\// { uses = 1; if (!guests) exit 1 }
			/^[$ ].*build\/[a-z-]*\/?bench\// { uses = 1; if (!bench) exit 1 }
			END { if (uses) print FILENAME }' "$chapter" >>"$BATS_TEST_TMPDIR/uses" || {
			echo "$chapter runs what it has not made"
			return 1
		}
	done
	[ "$(wc -l <"$BATS_TEST_TMPDIR/uses")" -ge 4 ]
}

# ---- where something is missing ------------------------------------------------------------

# bare COMMAND...: with what every system has and no compiler, and with the commands in $BARE. A pseudo
# terminal is there only where somebody makes one.
bare() {
	local command
	BARE=$BATS_TEST_TMPDIR/bare
	mkdir -p "$BARE"
	for command in sh env setsid make grep sed cat head find mkdir; do
		ln -sf "$(type -P "$command")" "$BARE"
	done
	env -i PATH="$BARE" HOME=/ setsid -w "$@" 3>&- 4>&-
}

# fake NAME: a command for bare that does what stdin says.
fake() {
	mkdir -p "$BATS_TEST_TMPDIR/bare"
	{ echo '#!/bin/sh' && cat; } >"$BATS_TEST_TMPDIR/bare/$1"
	chmod +x "$BATS_TEST_TMPDIR/bare/$1"
}

# An apt-get that keeps a log, knows a size, and installs compilers, after an update where $1 says so.
fake_apt() {
	fake apt-get <<-END
		echo "apt-get \$*" >>$BATS_TEST_TMPDIR/log
		case "\$* " in *update*) echo >$BATS_TEST_TMPDIR/lists ;; esac
		[ -e $BATS_TEST_TMPDIR/lists ] || [ "$1" != without-lists ] || exit 100
		case "\$* " in
		*--assume-no*)
			echo "0 upgraded, 45 newly installed, 0 to remove and 0 not upgraded."
			echo "Need to get 58.1 MB of archives."
			echo "After this operation, 235 MB of additional disk space will be used."
			exit 1 ;;
		*\ install\ *)
			for command in gcc musl-gcc pkg-config bats; do
				printf '#!/bin/sh\necho /found\n' >$BATS_TEST_TMPDIR/bare/\$command
				/bin/chmod +x $BATS_TEST_TMPDIR/bare/\$command
			done ;;
		esac
	END
	: >"$BATS_TEST_TMPDIR/log"
}

# fake_user ID
fake_user() {
	fake id <<<"echo $1"
}

# fake_sudo LINE...: what it does with -n and with -v; then it runs the command.
fake_sudo() {
	fake sudo <<-END
		echo "sudo \$*" >>$BATS_TEST_TMPDIR/log
		case \$1 in -n) $1 ;; -v) $2 ;; esac
		case \$1 in -*) exit 0 ;; esac
		exec "\$@"
	END
}

installs() {
	bare "$ROOT/tests/install_packages.sh" build
}

# on_terminal COMMAND...: with a terminal of its own, whatever this one has.
on_terminal() {
	python3 -c 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))' "$@" </dev/null
}

@test "make without a compiler says in one line what is missing and what installs it" {
	ends 2 bare make -C "$ROOT" B="$B" "$B/common/error.o"
	says "these are missing: gcc libc6-dev musl-tools libelf-dev; make demo installs them"
	ends 0 bare make -s -C "$ROOT" help
	[ ! -s "$BATS_TEST_TMPDIR/err" ]
}

@test "packages: first how much it is, then they are installed" {
	fake_user 0
	fake_apt
	ends 0 installs
	[ "$(sed 's/.*--assume-no.*/sums/; s/ .*install / ... install /' "$BATS_TEST_TMPDIR/log")" = \
		"sums
apt-get ... install -y --no-install-recommends gcc libc6-dev musl-tools libelf-dev pkg-config libjansson-dev bats" ]
	grep -q '45 newly installed' "$BATS_TEST_TMPDIR/err"
	grep -q 'Need to get 58.1 MB' "$BATS_TEST_TMPDIR/err"
	grep -q '235 MB of additional disk space' "$BATS_TEST_TMPDIR/err"
}

@test "packages: without lists they are fetched first" {
	fake_user 0
	fake_apt without-lists
	ends 0 installs
	grep -q '^apt-get .*update' "$BATS_TEST_TMPDIR/log"
	grep -q '45 newly installed' "$BATS_TEST_TMPDIR/err"
}

@test "packages: no apt-get: they are named" {
	ends 1 installs
	says "there is no apt-get here: install what Debian calls gcc libc6-dev musl-tools libelf-dev pkg-config libjansson-dev bats"
}

@test "packages: no root, no sudo: the command is printed" {
	fake_user 1000
	fake_apt
	ends 1 installs
	grep -q "^  su -c 'apt-get update; apt-get install --no-install-recommends gcc libc6-dev .*'\$" "$BATS_TEST_TMPDIR/err"
	[ "$(grep -vc -- --assume-no "$BATS_TEST_TMPDIR/log")" -eq 0 ]
}

@test "packages: sudo without a password" {
	fake_user 1000
	fake_apt
	fake_sudo "exit 0" "exit 1"
	ends 0 installs
	grep -q '^sudo env .*apt-get .*install' "$BATS_TEST_TMPDIR/log"
}

@test "packages: sudo wants a password: asked for on a terminal, else the command is printed" {
	requires terminals
	fake_user 1000
	fake_apt
	fake_sudo "exit 1" "exit 0"
	ends 1 installs
	grep -q '^  sudo apt-get update; sudo apt-get install --no-install-recommends gcc ' "$BATS_TEST_TMPDIR/err"
	[ "$(grep -c '^sudo -v' "$BATS_TEST_TMPDIR/log")" -eq 0 ]
	ends 0 on_terminal env -i PATH="$BARE" "$ROOT/tests/install_packages.sh" build
	grep -q '^sudo -v' "$BATS_TEST_TMPDIR/log"
}

@test "packages: a terminal, and sudo says no: the command is printed" {
	requires terminals
	fake_user 1000
	fake_apt
	fake_sudo "exit 1" "exit 1"
	bare env
	ends 1 on_terminal env -i PATH="$BARE" "$ROOT/tests/install_packages.sh" build
	grep -q "su -c 'apt-get update; apt-get install --no-install-recommends gcc " "$BATS_TEST_TMPDIR/out"
}
