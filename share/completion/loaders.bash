# shellcheck shell=bash
#
# bash completion of the loaders and of loader-binfmt, with the package bash-completion or without it.
# Options, policies, engines and commands are what the program's own --help says.

# The options of --help, as it writes them, one a line: -s, --stats[=FILE].
_elf_loaders_column() {
	sed -nE 's/^ +(-[^ ,]+(, -[^ ,]+)*)( .*)?$/\1/p' <<<"$1" | sed 's/, /\n/g'
}

# Each option as the loader takes it: --plan, --argv0= (wants a value), --stats and --stats= (may).
_elf_loaders_options() {
	_elf_loaders_column "$1" | sed -nE 's/^(--[a-z0-9]+)(\[?=)?.*/\1 \2/p' | while read -r name value; do
		case $value in
		'') echo "$name" ;;
		'=') echo "$name=" ;;
		*) printf '%s\n' "$name" "$name=" ;;
		esac
	done
}

_elf_loaders_values() {
	case $1 in
	--policy | --engine) sed -nE "s/^ +$1=NAME +([^;]+).*/\1/p" <<<"$2" ;;
	--retire) echo auto never ;;
	--guard) echo auto require none ;;
	--explain) echo text json ;;
	esac
}

# _elf_loaders_program OPTIONS: where in COMP_WORDS the program is; nothing while that is not reached.
# COMP_WORDS has each = as a word of its own.
_elf_loaders_program() {
	local i
	for ((i = 1; i <= COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		--)
			((i++))
			break
			;;
		-?* | =)
			if [[ ${COMP_WORDS[i]} == = || $1 == *"${COMP_WORDS[i]}="* &&
				$1 != *"${COMP_WORDS[i]}"$'\n'* && ${COMP_WORDS[i + 1]-} != = ]]; then
				((i++))
			fi
			;;
		*) break ;;
		esac
	done
	((i > COMP_CWORD)) || echo "$i"
}

# What the package has functions for; without it, what bash can do by itself.

# Sets cur and prev, and split to true where they are an option and its value, as _init_completion -s does.
_elf_loaders_words() {
	! declare -F _init_completion >/dev/null || {
		_init_completion -s
		return
	}
	cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} split=false
	case $cur:$prev in
	=:*) cur= ;;
	*:=) prev=${COMP_WORDS[COMP_CWORD - 2]} ;;
	*) return 0 ;;
	esac
	split=true
}

_elf_loaders_files() {
	! declare -F _filedir >/dev/null || {
		_filedir
		return
	}
	compopt -o filenames
	mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}

# _elf_loaders_command WORD: a command begins there; its own completion, or its name and files.
_elf_loaders_command() {
	if declare -F _command_offset >/dev/null; then
		_command_offset "$1"
	elif (($1 < COMP_CWORD)); then
		_elf_loaders_files
	else
		compopt -o filenames
		mapfile -t COMPREPLY < <(compgen -c -- "$cur")
	fi
}

_elf_loaders() {
	# shellcheck disable=SC2034 # _init_completion sets them all
	local cur prev words cword split help options program
	_elf_loaders_words || return
	help=$("${1/#\~/$HOME}" --help 2>/dev/null)
	options=$(_elf_loaders_options "$help")$'\n'
	program=$(_elf_loaders_program "$options")

	if [[ -n $program && ! ($program -eq $COMP_CWORD && $cur == -* && ${COMP_WORDS[program - 1]} != --) ]]; then
		_elf_loaders_command "$program"
		return
	fi
	case $prev in
	--policy | --engine | --retire | --guard | --explain)
		mapfile -t COMPREPLY < <(compgen -W "$(_elf_loaders_values "$prev" "$help")" -- "$cur")
		return
		;;
	--stats | --trace | --record | --profile)
		_elf_loaders_files
		return
		;;
	esac
	$split && return
	mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
	[[ ${COMPREPLY-} != *= ]] || compopt -o nospace
} && complete -F _elf_loaders all_at_once_loader on_demand_loader hybrid_loader

_loader_binfmt() {
	# shellcheck disable=SC2034
	local cur prev words cword split usage line
	_elf_loaders_words || return
	# A line for each command, as remove [--extension=EXT].
	usage=$("${1/#\~/$HOME}" --help 2>/dev/null | sed -n 's/.*loader-binfmt \([a-z]\)/\1/p')
	if ((COMP_CWORD == 1)); then
		mapfile -t COMPREPLY < <(compgen -W "--help $(sed 's/ .*//; s/|/ /' <<<"$usage")" -- "$cur")
		return
	fi
	while read -r line; do
		[[ "|${line%% *}|" != *"|${COMP_WORDS[1]}|"* ]] || break
	done <<<"$usage"
	if [[ $line == *FILE* ]]; then
		_elf_loaders_files
	elif [[ $prev == --loader ]]; then
		mapfile -t COMPREPLY < <(compgen -W "all_at_once_loader on_demand_loader hybrid_loader" -- "$cur")
	elif ! $split; then
		mapfile -t COMPREPLY < <(compgen -W "$(grep -oE -e '--[a-z]+=' <<<"$line")" -- "$cur")
		compopt -o nospace
	fi
} && complete -F _loader_binfmt loader-binfmt
