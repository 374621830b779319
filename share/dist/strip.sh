#!/bin/sh
#
# strip.sh TREE: takes out of the programs and archives of an installed tree what is there to debug them, and what says
# with which compiler they were built.

set -eu

if [ $# -ne 1 ]; then
	echo "usage: $0 TREE" >&2
	exit 125
fi
find "$1" -type f -exec sh -c '
	for file; do
		case $(head -c 7 "$file" | tr -d "\0") in
		*ELF*) strip --strip-unneeded -R .comment -R .note.gnu.property "$file" ;;
		"!<arch>"*) strip --strip-debug -R .comment --enable-deterministic-archives "$file" ;;
		esac
	done' sh {} +
