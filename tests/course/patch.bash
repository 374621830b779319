# shellcheck shell=bash
#
# Copies of ./prog1 with some of their bytes changed, and numbers read out of an ELF file.

# Where a field is: the ELF header has 64 bytes, a program header 56.
phdr() {
	echo $((64 + 56 * $1 + $2))
}

# first_segment PROGRAM [FLAGS]: the number of its first PT_LOAD, or of the first with these p_flags. Programs of some
# processors have another header before it, or the headers and the constants in their text segment.
first_segment() {
	local i
	for ((i = 0; $(number "$1" "$(phdr "$i" 0)" 4) != 1 ||
		(${2:-0} && $(number "$1" "$(phdr "$i" 4)" 4) != ${2:-0}); i++)); do :; done
	echo "$i"
}

# patch FILE OFFSET BYTES: writes over what is there; BYTES as printf %b understands them.
patch() {
	printf '%b' "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# patched NAME OFFSET BYTES: a copy of prog1 in the test's directory with that change.
patched() {
	cp "$ROOT/prog1" "$BATS_TEST_TMPDIR/$1"
	patch "$BATS_TEST_TMPDIR/$1" "$2" "$3"
}

# number FILE OFFSET BYTES: the little-endian number there, in decimal.
number() {
	od -A n -t "u$3" -j "$2" -N "$3" "$1" | tr -d ' '
}

# exec_says STATUS COMMAND: how it ends when a shell executes it. bash itself exits with 126 when
# execve returned an error other than ENOENT.
exec_says() {
	expect "$1" bash -c 'exec "$0"' "$2"
}
