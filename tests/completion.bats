#!/usr/bin/env bats
#
# What bash and zsh offer after Tab, asked of the completion functions themselves.

load helpers

setup_file() {
	fresh_make -C "$ROOT" completion
}

setup() {
	requires terminals # zsh completes on one only
	cd "$ROOT" || return
	PATH=$ROOT:$ROOT/share/binfmt:$PATH
	PACKAGE=/usr/share/bash-completion/bash_completion
	SHELLS="bash plain_bash zsh"
	[ -e "$PACKAGE" ] || SHELLS="plain_bash zsh"
}

# bash_offers LINE: the matches, one a line. As readline does it, each = is a word of its own.
bash_offers() {
	bash --norc -c '
		[ -z "$2" ] || source "$2"
		source build/completion/loaders.bash
		COMP_LINE=$1 COMP_POINT=${#1}
		read -ra COMP_WORDS <<<"${1//=/ = }"
		[[ $1 != *" " && $1 != *= ]] || COMP_WORDS+=("")
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		compopt() { # readline calls it, and then offers files where there is nothing else
			[[ " $* " != *" default "* ]] || files_too=yes
		}
		read -r _ _ function _ <<<"$(complete -p "${COMP_WORDS[0]##*/}")"
		$function "${COMP_WORDS[0]}" "" "" 2>&1
		[ -z "${files_too-}" ] || [ ${#COMPREPLY[@]} != 0 ] ||
			mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[-1]}")
		printf "%s\n" "${COMPREPLY[@]}"' bash "$1" "${2-$PACKAGE}"
}

# The same where bash-completion is not installed.
plain_bash_offers() {
	bash_offers "$1" ""
}

# zsh's offers have no = after an option's name.
zsh_offers() {
	zsh -f tests/tools/complete.zsh "$ROOT/build/completion" "$1" 3>&- 4>&-
}

# offered LINE WORD...: the shells offer these words; none of them: exactly these, in any order.
offered() {
	local shell found
	for shell in $SHELLS; do
		found=$("${shell}_offers" "$1" | sed 's/=$//; s|.*/||' | sort -u)
		[ "$found" = "$(printf '%s\n' "${@:2}" | sort -u)" ] && continue
		echo "$shell, '$1': "
		diff <(printf '%s\n' "${@:2}" | sort -u) <(echo "$found")
		return 1
	done
}

help_of() {
	"$1" --help | grep -oE -e '--[a-z0-9-]+' | sort -u
}

@test "the options of each loader, and no others" {
	for loader in $LOADERS; do
		mapfile -t options < <(help_of "$loader")
		[ "${#options[@]}" -ge 7 ]
		offered "${loader##*/} --" "${options[@]}"
		offered "./${loader##*/} -v --" "${options[@]}"
	done
	offered "all_at_once_loader --poli" ""
}

# takes_all OPTION: every value that is offered is one that the loader takes.
takes_all() {
	local value values
	mapfile -t values < <(bash_offers "hybrid_loader $1=")
	[ "${#values[@]}" -ge 2 ]
	offered "hybrid_loader $1=" "${values[@]}"
	for value in "${values[@]}"; do
		hybrid_loader "$1=$value" --plan ./prog1 >/dev/null
	done
}

@test "the values of options are those that the loader takes" {
	for option in --policy --engine --retire; do
		takes_all "$option"
	done
	! hybrid_loader --help | grep -q -e --explain || takes_all --explain
	requires lazy
	takes_all --guard
}

# known OPTION: what the loader says that there is when a value is wrong.
known() {
	hybrid_loader "$1=?" ./prog1 2>&1 | sed 's/.*there are //; s/ and /, /; s/, /\n/g'
}

@test "no policy and no engine is missing" {
	mapfile -t policies < <(known --policy)
	[ "${#policies[@]}" -ge 8 ]
	offered "hybrid_loader --policy=" "${policies[@]}"
	offered "on_demand_loader --policy=no" none
	mapfile -t engines < <(known --engine)
	[ "${#engines[@]}" -ge 4 ]
	offered "hybrid_loader -v --engine=" "${engines[@]}"
	offered "hybrid_loader --engine user" userfaultfd
}

@test "files" {
	offered "hybrid_loader --stats=LIC" LICENSE
	offered "hybrid_loader --profile LIC" LICENSE
	offered "on_demand_loader --record=READ" README.md
}

@test "the program: a command or a path" {
	offered "hybrid_loader ./prog" prog1 prog2 prog3 prog4
	offered "hybrid_loader -s --policy=none ./prog" prog1 prog2 prog3 prog4
	offered "hybrid_loader --policy none ./prog" prog1 prog2 prog3 prog4
	offered "hybrid_loader -- all_at_once_l" all_at_once_loader
}

@test "after the program, what the program's own completion offers" {
	# A loader is a program with a completion of its own.
	offered "hybrid_loader --stats ./prog1 READM" README.md
	offered "hybrid_loader ./all_at_once_loader --engi" ""
	SHELLS=${SHELLS/plain_bash/} # which knows no other completions
	offered "hybrid_loader --policy=none all_at_once_loader --plan" --plan
}

@test "page-profile: commands, their options and values, files" {
	offered "page-profile " --help --version export forget learn list merge show warm
	offered "page-profile ex" export
	offered "page-profile show --" --plot
	offered "page-profile merge --" --output
	offered "page-profile forget --" --all
	offered "page-profile learn --" --output
	offered "page-profile export --format=s" soci
	offered "page-profile warm LIC" LICENSE
	offered "page-profile merge --output=LIC" LICENSE
}

@test "pagewise: commands, and what follows them" {
	# shellcheck disable=SC2046 # words
	offered "pagewise " --help --version $(./pagewise help | sed -n 's/^  \([a-z]*\) .*/\1/p' | grep -vx pagewise)
	offered "pagewise tr" trace
	offered "pagewise help tra" trace
	offered "pagewise profile ex" export
	offered "pagewise profile export --format=s" soci
	offered "pagewise order ex" export
	offered "pagewise order export --format=g" gold
	offered "pagewise order export --pro" --program
	offered "pagewise order recipe ru" rust
	offered "pagewise learn --" --output
	offered "pagewise binfmt rem" remove
	offered "pagewise layout --ru" --runs
	offered "pagewise run --poli" --policy
	offered "pagewise explain --policy=no" none
	offered "pagewise run --engine=user" userfaultfd
	offered "pagewise run --policy=none ./prog" prog1 prog2 prog3 prog4
}

@test "loader-binfmt: commands, their options and values, files" {
	offered "loader-binfmt " --help --version install mark remove status unmark
	offered "loader-binfmt rem" remove
	offered "loader-binfmt install --" --extension --loader --profile --yes
	offered "loader-binfmt remove --" --extension
	offered "loader-binfmt install --loader=on" on_demand_loader
	offered "loader-binfmt mark LIC" LICENSE
	offered "loader-binfmt unmark ./prog1 READM" README.md
	offered "loader-binfmt status --" ""
	offered "loader-binfmt a[ --" ""
	run loader-binfmt install --loader=?
	mapfile -t names < <(sed 's/.*there are //; s/ and /, /; s/, /\n/g' <<<"$output")
	offered "loader-binfmt install --loader=" "${names[@]}"
}

@test "bash without bash-completion: Tab completes, and nothing else is printed" {
	cat >"$BATS_TEST_TMPDIR/rc" <<-'END'
		PS1='> '
		source build/completion/loaders.bash
		h() { ./hybrid_loader "$@"; } # each key takes a third of a second
		complete -F _elf_loaders h
	END
	ran 0 python3 tests/tools/on_terminal.py 'h --pol\tc\t./prog3\nexit\n' bash --noprofile --rcfile "$BATS_TEST_TMPDIR/rc"
	[[ $output == *'> h --policy=counter ./prog3'* && $output == *'hello! 999999'* ]]
	[[ $output != *"not found"* && $output != *"bash: "* ]]
}
