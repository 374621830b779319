# shellcheck shell=bash
#
# To be read in by bash (source). Runs a script so that the programs in it start under a loader:
#
#   under_loader LOADER [OPTION]... [--] SCRIPT [ARGUMENT]...
#
# The script's words, pipes, redirections and exit status stay what they are. Scripts, set-user-ID programs,
# and those of PATH that are linked dynamically run natively. Two ways lead to a program, and each is covered
# by itself:
#
#   busybox   a name that is looked up in PATH: a folder of wrappers, one for each static program in PATH,
#             stands in front of it. What the script starts inherits it: xargs, find -exec, make.
#   ./prog1   a word with a slash: a function of that name, for each such word of the script's text.
#
# Not seen: a path that the script puts together ("$dir/prog1"), one that another program is given
# (xargs ./prog1), `exec ./prog1`, and programs that come into PATH while the script runs. `./prog1 &` is
# a shell that waits for the program, so `kill $!` ends that shell. bash reads the script, whatever its
# first line says; its message about a program that died of a signal names another file and line, and goes
# where that program's stderr goes.

# The loader would run it, and nothing is lost by that.
_under_loader_can() {
	local magic=
	[[ -f $2 && -x $2 && -r $2 && ! -u $2 && ! -g $2 ]] || return
	LC_ALL=C IFS= read -rN4 magic <"$2" 2>/dev/null
	[[ $magic = $'\177ELF' ]] && "$1" --plan -- "$2" >/dev/null 2>&1
}

# In single quotes, for any shell.
_under_loader_quote() {
	printf "'%s' " "${@//\'/\'\\\'\'}"
}

# Of the files that head -v shows, the ELF files whose beginning names no dynamic linker.
_under_loader_static() {
	tr '\0' '\n' | LC_ALL=C awk '
		function show() { if (elf && !dynamic) print name }
		/^==> .* <==$/ { show(); name = substr($0, 5, length($0) - 8); line = elf = dynamic = 0; next }
		++line == 1 { elf = /^\177ELF/ }
		/ld-linux|ld-musl/ { dynamic = 1 }
		END { show() }'
}

# The files that PATH leads to.
_under_loader_candidates() {
	local folder file folders
	local -A seen=()
	local -a files=()
	IFS=: read -ra folders <<<"$PATH"
	for folder in "${folders[@]}"; do
		[[ $folder = /* ]] || continue
		for file in "$folder"/*; do
			[[ -z ${seen[${file##*/}]-} && -x $file && ! -d $file ]] || continue
			seen[${file##*/}]=1
			files+=("$file")
		done
	done
	[[ ${#files[@]} -eq 0 ]] || printf '%s\0' "${files[@]}" |
		xargs -0 head -vc 1024 -- 2>/dev/null | _under_loader_static
}

# _under_loader_wrap FOLDER LOADER [OPTION]...
_under_loader_wrap() {
	local folder=$1 program
	shift
	while IFS= read -r program; do
		_under_loader_can "$1" "$program" || continue
		printf '#!/bin/sh\nexec %s--argv0="${0##*/}" -- %s"$@"\n' "$(_under_loader_quote "$@")" \
			"$(_under_loader_quote "$program")" >"$folder/${program##*/}"
		chmod +x "$folder/${program##*/}"
	done < <(_under_loader_candidates)
}

# _under_loader_define SCRIPT LOADER [OPTION]...: functions for the paths in the script's text.
_under_loader_define() {
	local script=$1 word
	shift
	while IFS= read -r word; do
		_under_loader_can "$1" "$word" || continue
		printf 'function %s { %s-- %s"$@"; }\n' "$word" "$(_under_loader_quote "$@")" \
			"$(_under_loader_quote "$word")"
	done < <(grep -oE '[A-Za-z0-9_.]*/[A-Za-z0-9_./+-]+' "$script" | sort -u)
}

# In a subshell, which tidies up however it ends.
under_loader() (
	set +eu
	loader=("$(type -P -- "${1-}")") || {
		echo "under_loader: ${1-no loader}: not found; name a loader by its path" >&2
		exit 127
	}
	[[ ${loader[0]} = /* ]] || loader[0]=$PWD/${loader[0]}
	shift
	while [[ ${1-} = -* ]]; do
		[[ $1 != -- ]] || { shift && break; }
		loader+=("$1")
		shift
	done
	[[ -r ${1-} && ! -d $1 ]] || {
		echo "under_loader: ${1-no script}: cannot be read; name a script after the loader and its options" >&2
		exit 127
	}
	folder=$(mktemp -d) || exit 125
	trap 'rm -rf -- "$folder"' EXIT
	mkdir "$folder/bin"
	_under_loader_wrap "$folder/bin" "${loader[@]}"
	{
		_under_loader_define "$1" "${loader[@]}"
		echo 'unset BASH_ENV'
		[[ -z ${BASH_ENV-} ]] || printf 'export BASH_ENV=%q; . "$BASH_ENV"\n' "$BASH_ENV"
	} >"$folder/functions"
	# bash reads that file first, and the script then as ever.
	PATH=$folder/bin:$PATH BASH_ENV=$folder/functions "$BASH" -- "$@"
)
