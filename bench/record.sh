#!/bin/sh
#
# record.sh LOADER FOLDER PROGRAMS: which pages some programs touch, and in which order, for bench/replay.
# Each becomes FOLDER/NAME.profile. PROGRAMS is where the bench's own programs are built. What is not
# installed, or not static, is left out, and said so.

set -eu

[ $# -eq 3 ] || {
	echo "$0: usage: $0 LOADER FOLDER PROGRAMS; make recordings calls it so" >&2
	exit 125
}
loader=$1 folder=$2 programs=$3
PATH=$PATH:/usr/local/go/bin
text=docs/tricks.md
source=testprogs/go_guest/main.go

mkdir -p "$folder"

# record NAME COMMAND...
record() {
	name=$1
	shift
	if ! command -v "$1" >/dev/null; then
		echo "$name: left out, $1 is not installed"
		return
	fi
	status=0
	"$loader" --record="$folder/$name.profile" "$@" >"$folder/output" 2>&1 || status=$?
	case $status in
	0)
		echo "$folder/$name.profile" ;;
	126)
		echo "$name: left out, $(tail -n 1 "$folder/output")" ;;
	*)
		cat "$folder/output" >&2
		exit "$status" ;;
	esac
	rm -f "$folder/output"
}

record prog1 ./prog1
record prog2 ./prog2
record prog3 ./prog3
record touch-random "$programs/touch-bss-4" random write
record busybox-sh busybox sh bench/scripts/pipeline.sh
record busybox-sort busybox sort "$text"
record busybox-awk busybox awk 'END { print NR }' "$text"
record bash bash-static bench/scripts/subshells.bash
record zsh zsh-static -f bench/scripts/subshells.bash
record go-version go version
record gofmt gofmt "$source"
