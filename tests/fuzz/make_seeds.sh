#!/bin/sh
#
# make_seeds.sh FOLDER PROGRAM...: what the fuzzer begins with: the first 12 KiB of each program, so
# that segments of more than one page are in the file, and the first KiB, which is quicker.

set -eu

folder=$1
shift
mkdir -p "$folder"

for program in "$@"; do
	# The last two parts of the path, as one word: many programs are called hello.
	name=$(echo "$program" | sed 's|.*/\([^/]*/[^/]*\)$|\1|; s|/|-|g')
	head -c 12288 "$program" >"$folder/$name"
	head -c 1024 "$program" >"$folder/$name-short"
done
