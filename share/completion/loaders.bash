# shellcheck shell=bash
#
# bash completion of the loaders; needs the package bash-completion. Options, policies and engines are
# what the loader's own --help says.

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

_elf_loaders() {
	# shellcheck disable=SC2034 # _init_completion sets them all
	local cur prev words cword split help options program
	_init_completion -s || return
	help=$("${1/#\~/$HOME}" --help 2>/dev/null)
	options=$(_elf_loaders_options "$help")$'\n'
	program=$(_elf_loaders_program "$options")

	if [[ -n $program && ! ($program -eq $COMP_CWORD && $cur == -* && ${COMP_WORDS[program - 1]} != --) ]]; then
		_command_offset "$program"
		return
	fi
	case $prev in
	--policy | --engine | --retire | --guard | --explain)
		mapfile -t COMPREPLY < <(compgen -W "$(_elf_loaders_values "$prev" "$help")" -- "$cur")
		return
		;;
	--stats | --trace | --record | --profile)
		_filedir
		return
		;;
	esac
	$split && return
	mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
	[[ ${COMPREPLY-} != *= ]] || compopt -o nospace
} && complete -F _elf_loaders all_at_once_loader on_demand_loader hybrid_loader
