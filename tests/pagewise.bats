#!/usr/bin/env bats
#
# pagewise: one name for the toolkit. Its commands do what the loaders and tools do.

load helpers

setup_file() {
	fresh_make -C "$ROOT" pagewise page-profile placement
}

setup() {
	cd "$ROOT" || return
	P=$PWD/pagewise
	export XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache
}

@test "pagewise run: a guest's output and status are those of a native run" {
	mkdir "$BATS_TEST_TMPDIR/bin"
	# A loader is one word here. The shell changes the order of the environment, so hello is compared after that.
	printf '#!/bin/sh\nexec %q run "$@"\n' "$P" >"$BATS_TEST_TMPDIR/bin/pagewise_run"
	chmod +x "$BATS_TEST_TMPDIR/bin/pagewise_run"
	export LOADERS=$BATS_TEST_TMPDIR/bin/pagewise_run
	in_all_variants heap
	in_all_variants exit_status 3
	for variant in "${VARIANTS[@]}"; do
		env -i A=b "$GUESTS/$variant/hello" a "b c" "" >"$BATS_TEST_TMPDIR/native"
		env -i A=b "$P" run --policy=none "$GUESTS/$variant/hello" a "b c" "" | diff - "$BATS_TEST_TMPDIR/native"
	done
}

@test "pagewise run is the loader itself: exec is called once" {
	ran any strace -f -e trace=execve "$P" run "$GUESTS/musl-static/hello"
	[ "$(grep -c 'execve(' <<<"$output")" = 1 ]
}

@test "help of a command names the command as it was typed" {
	"$P" profile --help | grep -qx "       pagewise profile warm \[--verbose\] PROFILE..."
	"$P" profile --help | grep -qx "Usage: pagewise profile list"
	"$P" learn --help | grep -qx "Usage: pagewise learn -o FILE \[--\] COMMAND \[ARG\]..."
}

@test "pagewise run reads a profile of the cache, and learns only where that is asked for" {
	requires learner
	local program=$BATS_TEST_TMPDIR/program
	cp "$(type -P env)" "$program"
	"$P" run "$program" true
	[ ! -e "$XDG_CACHE_HOME" ]
	run "$P" run -v "$program" true
	[[ $output == *"there is no profile of it yet"* && $output != *"learned from"* ]]
	run "$P" run -v --learn "$program" true
	[[ $output == *"the loader learns from this run"* || $output == *"nothing is learned from this run"* ]]
	[[ $output == *"the loader learns from this run"* ]] || "$P" learn -o "$XDG_CACHE_HOME/pagewise/" "$program" true
	eventually grep -qrs '^learned 1' "$XDG_CACHE_HOME"
	ran any "$P" run -v "$program" true
	[[ $output == *"reads ahead "* || $output == *"are in memory already"* ]]
	[[ $output != *"learned from"* ]]
}

@test "plan and explain are run with an option" {
	[ "$("$P" plan ./prog1)" = "$("$P" run --plan ./prog1)" ]
	"$P" explain ./prog1 2>"$BATS_TEST_TMPDIR/story" | grep -x hello!
	grep -q '^4. The jump' "$BATS_TEST_TMPDIR/story"
	# No hint asks whether the name is a value of --explain, which was not typed.
	expect "exit 127" "$P" explain nowhere
	is_one_line "pagewise explain: nowhere: " '^no such file in PATH: check its name$'
}

@test "trace: a file, PROGRAM.trace by default, and where it is" {
	cd "$BATS_TEST_TMPDIR"
	ran 0 "$P" trace "$ROOT/prog3"
	[ "${lines[0]}" = "pagewise trace: $ROOT/prog3: the trace goes to prog3.trace" ]
	[ "$(head -n 1 prog3.trace)" = "page-trace 1" ]
	ran 0 "$P" trace -o other --policy=none "$ROOT/prog3"
	[ "$output" = "$("$ROOT/prog3")" ]
	[ "$(head -n 1 other)" = "page-trace 1" ]
	ran 0 "$P" trace --only=faults -o faults "$ROOT/prog3"
	[ "$(cut -f 4 faults | grep -cx call)" = 0 ]
	ran 3 "$P" trace --output=third "$GUESTS/musl-static/exit_status" 3
	[ -s third ]
	# Where the trace goes is no matter if there will be none.
	expect "exit 127" "$P" trace nowhere
	is_one_line "pagewise trace: nowhere: " '^no such file in PATH: check its name$'
	"$P" trace --plan "$ROOT/prog3" 2>"$BATS_TEST_TMPDIR/silent" | grep -q entry
	cut_warning "$BATS_TEST_TMPDIR/silent"
	[ ! -s "$BATS_TEST_TMPDIR/silent" ]
}

@test "page: of a program, of a trace, of two" {
	requires python3
	cd "$BATS_TEST_TMPDIR"
	# The trace of a program is there while its page is made.
	mkdir own
	export TMPDIR=$PWD/own
	ran 0 "$P" page --retire=never "$ROOT/prog3"
	[[ $output == *"pagewise page: the page is prog3.html: open it in a browser" ]]
	[[ -z $(engines_here) || $output != *"no page"* ]]
	grep -q '<html' prog3.html
	run "$P" page "$GUESTS/musl-static/empty"
	[[ $output == *"no page of the program was hidden, so the page shows no faults; "*"the page is empty.html"* ]]
	"$P" trace -o a.trace "$ROOT/prog3" 2>&1
	"$P" page a.trace
	"$P" page -o two.html a.trace a.trace
	[ "$(wc -c <two.html)" -gt "$(wc -c <a.html)" ]
	# What the tool says begins with the command, too.
	sed '$d' a.trace >cut.trace
	run "$P" page cut.trace
	[[ ${lines[0]} == "pagewise page: cut.trace: cut off after "* ]]
	expect "exit 127" "$P" page ./nowhere
	[ ! -e nowhere.html ]
	# Before the program runs.
	printf '#!/bin/sh\ntouch has_run\n' >program
	chmod +x program
	run "$P" page -o /no/such/x.html ./program
	[[ $status = 125 && $output == "pagewise page: the page cannot be written to /no/such/x.html: No such file or directory; name another file" ]]
	PATH=/nowhere run "$P" page ./program
	[[ $status = 125 && $output == "pagewise page: python3, which makes the page, cannot be started; install it" ]]
	[ ! -e has_run ]
	refuses "pagewise page: a page's name ends in .html: write -o a.txt.html" "$P" page -o a.txt "$ROOT/prog3"
	refuses "pagewise page: nowhere is no trace;" "$P" page a.trace nowhere
	run "$P" page a.trace -o two.html
	[[ $status = 125 && $output == "pagewise page: -o is no trace; "*"after the options" ]]
	refuses "pagewise page: a page has two traces at most; leave out b.trace" "$P" page -o two.html a.trace a.trace b.trace
	[ -z "$(ls -A own)" ]
	TMPDIR=/no/such refuses "pagewise page: /no/such cannot be written to: No such file or directory;" "$P" page "$ROOT/prog3"
}

@test "learn, profile and layout are the tools, which are links to pagewise" {
	cd "$BATS_TEST_TMPDIR"
	"$P" learn -o p -- ls -d / | grep -x /
	[ "$("$P" profile show p)" = "$("$ROOT/build/share/page-profile" show p)" ]
	[ "$("$P" layout --help)" = "$("$ROOT/build/share/page-layout" --help | sed 's/page-layout/pagewise layout/')" ]
	[ "$(readlink -f "$ROOT/build/share/page-profile")" = "$(readlink -f "$P")" ]
	refuses "pagewise profile:" "$P" profile shw p
	# A tool's word is never a command of pagewise.
	refuses "page-profile:" "$ROOT/build/share/page-profile" run "$ROOT/prog1"
	run "$P" binfmt --help
	[[ $status = 0 && $output == "Usage: pagewise binfmt install"*"       pagewise binfmt status"* ]]
	refuses "pagewise binfmt: there is no command frobnicate; the commands are install" "$P" binfmt frobnicate
	# The loaders of a clone are not beside the script.
	"$P" binfmt mark "$GUESTS/musl-static/exit_status" marked
	ran 3 ./marked 3
	PATH='' run "$P" binfmt status
	[[ $status = 125 && $output == "pagewise binfmt: PATH has no readlink; "* ]]
}

@test "an output never replaces a program" {
	cd "$BATS_TEST_TMPDIR"
	cp "$ROOT/prog3" binary.html
	printf '#!/bin/sh\n' >script.html
	sha256sum binary.html script.html >before
	"$P" learn -o profile -- "$ROOT/prog3"
	! has_dispatch || "$P" run --order=order "$ROOT/prog3"
	"$P" trace -o trace "$ROOT/prog3"
	for name in binary script; do
		while read -r words; do
			[[ $words != order* ]] || has_dispatch || continue
			# shellcheck disable=SC2086 # words
			ran 125 "$P" $words
			[ "${#lines[@]}" = 1 ]
			[[ $output == "pagewise ${words%% *}: the "*" would overwrite $name.html, a"*"; name another file" ]]
		done <<-END
			profile merge -o $name.html profile
			profile show --plot=$name.html profile
			order merge -o $name.html order
			order export --format=lld -o $name.html order
			page -o $name.html trace
		END
	done
	sha256sum --check --quiet before
	# A picture that cannot be written whole leaves the older file.
	"$P" profile show --plot=picture.svg profile
	cp picture.svg older
	ran 125 bash -c "ulimit -f 0; trap '' XFSZ; exec '$P' profile show --plot=picture.svg profile"
	cmp picture.svg older
	"$P" page -o page.html trace
	cp page.html older
	run bash -c "ulimit -f 8; trap '' XFSZ; exec '$P' page -o page.html trace"
	[[ $status != 0 && $output == "pagewise page: page.html: File too large; name another file" ]]
	cmp page.html older
	[ -z "$(find . -name '*.partial-*')" ]
}

@test "an output never replaces a file that cannot be read" {
	cd "$BATS_TEST_TMPDIR"
	"$P" learn -o profile -- "$ROOT/prog3"
	chmod a+r profile
	local merges=("profile merge -o kept profile")
	if has_dispatch; then
		"$P" run --order=order "$ROOT/prog3"
		chmod a+r order
		merges+=("order merge -o kept order")
	fi
	echo old >kept
	chmod 222 kept
	drop_privileges
	for words in "${merges[@]}"; do
		# shellcheck disable=SC2086 # words
		ran 125 "${UNDER[@]}" "$ROOT/pagewise" $words
		[[ $output == *" would overwrite kept, which cannot be read and may be a program; name another file" ]]
	done
	chmod 644 kept
	[ "$(cat kept)" = old ]
}

@test "help: each command, each option of run, and what was meant" {
	mapfile -t commands < <(sed -n 's/^COMMAND(\([a-z]*\),.*/\1/p' share/command/commands.def)
	[ "${#commands[@]}" -ge 10 ]
	"$P" help >"$BATS_TEST_TMPDIR/all"
	for command in "${commands[@]}"; do
		grep -q "^  $command " "$BATS_TEST_TMPDIR/all"
		"$P" help "$command" | grep -q "^Usage: pagewise $command "
		grep -qE "^\.(It )?Cm.* $command|^\.Cm $command" docs/man/pagewise.1
	done
	[ "$("$P" --help)" = "$(cat "$BATS_TEST_TMPDIR/all")" ]
	for option in $("$P" run --help | grep -oE -e '--[a-z0-9-]+' | sort -u); do
		"$P" help "$option" | grep -q -e "$option"
	done
	"$P" help policy | grep -q fault-around
	"$P" help policy | grep -qx " *Default: adaptive."
	[ "$("$P" --help policy)" = "$("$P" help policy)" ]
	for command in plan explain trace page learn; do
		[ "$("$P" "$command" --help)" = "$("$P" help "$command")" ]
	done
	[ "$("$P" --version | head -n 1)" = "pagewise $(sed -n 's/^VERSION := //p' Makefile)" ]
	[ "$("$P" run --version | tail -n +2)" = "$(./hybrid_loader --version | tail -n +2)" ]
	[ "$("$P" help -s)" = "$("$P" help stats)" ]
	ran 125 "$P" help list
	[ "$output" = "pagewise: list follows another command; see pagewise profile --help" ]
	ran 125 "$P" help export
	[ "$output" = "pagewise: export follows another command; see pagewise profile --help or pagewise order --help" ]
	ran 125 bash -c '"$0" --version >/dev/full' "$P"
	[ "$output" = "pagewise: standard output cannot be written to: No space left on device; redirect it elsewhere" ]
}

@test "a word that is no command: one sentence with the remedy, status 125" {
	while IFS='|' read -r words sentence; do
		# shellcheck disable=SC2086 # words
		ran 125 "$P" $words
		echo "$words: $status $output"
		[ "$output" = "pagewise$sentence" ]
	done <<-'END'
		|: no command was named: write pagewise run PROGRAM, or see pagewise help
		./prog1|: there is no command ./prog1; to run that program, write pagewise run ./prog1
		rnu|: there is no command rnu; did you mean run?
		pandoc|: there is no command pandoc; see pagewise help, or write pagewise run pandoc if it is a program
		--stats ./prog1|: there is no option --stats before a command; write pagewise run --stats ...
		help trcae|: there is no command and no option trcae; did you mean trace?
		help --polcy|: there is no command and no option --polcy; did you mean policy?
		help zzzz|: there is no command and no option zzzz; see pagewise help
		help run extra|: help explains one word; leave out extra
		--version x|: --version takes no word; leave out x
		plan| plan: no program was named: name one after the options; see --help
		explain --polcy=x ./prog1| explain: there is no option --polcy; did you mean --policy?
		trace -o| trace: a file is missing after -o; write -o FILE
		trace --policy=none --output| trace: a file is missing after --output; write -o FILE
		trace -o a -o b ./prog1| trace: -o names a and b; leave one out
		learn -o a -o b -- ./prog1| learn: -o names a and b; leave one out
		trace -o=a ./prog1| trace: -o takes its file without =; write -o a
		learn -o -- ./prog1| learn: -o took -- as its file; write ./-- if that is meant, or /dev/stdout
		order merge -o - a| order: -o took - as its file; write ./- if that is meant, or /dev/stdout
		trace -o ./prog1| trace: -o took ./prog1 as its file, so no program was named; write -o FILE ./prog1 if it is the program
		learn -o Makefile -- ./prog1| learn: ./prog1: Makefile is no profile, and is not overwritten; name another file
		run -v=1 ./prog1| run: an option of one letter takes no value; write its long name, as in --stats=FILE
		trace -o a --trace=b ./prog1| trace: -o FILE names the output; leave out --trace=b
		page --trace=b ./prog1| page: -o FILE names the output; leave out --trace=b
		order nowhere| order: there is no command nowhere; there are show, merge, compare, export, recipe, pages and advice
		order shw a| order: there is no command shw; did you mean show?
		order show nowhere| order: nowhere cannot be read: No such file or directory; name a file that pagewise run --order=FILE has written
		learn --policy=none ./prog1| learn: there are --output and --verbose, not '--policy=none'; try --help
		trace -o /no/x ./prog1| trace: ./prog1: the trace cannot be written to /no/x: No such file or directory; name another file
		learn -o /no/x ./prog1| learn: ./prog1: the profile cannot be written to /no/x: No such file or directory; name another file
		learn ./prog1| learn: --output is missing: write pagewise learn -o FILE -- COMMAND
	END
	for words in --help --version; do
		refuses "pagewise binfmt: standard output cannot be written to; redirect it elsewhere" bash -c '"$0" binfmt $1 >/dev/full' "$P" "$words"
	done
	refuses "pagewise: standard output cannot be written to" bash -c '"$0" help > /dev/full' "$P"
	for words in "layout --help" "layout --version" "order --help" "profile --help"; do
		run bash -c "'$P' $words >/dev/full"
		echo "$words: $status $output"
		[[ $status = 125 && $output == "pagewise ${words% *}: standard output cannot be written to: No space left on device; redirect it elsewhere" ]]
	done
}
