#!/bin/sh
# Writes the assembly that embeds the linked resident code into a loader: its bytes as constants,
# and room in .bss for it to run, with the symbols of the list at their places there.
# Usage: embed.sh RESIDENT.elf RESIDENT.bin EXPORTS SECTION
set -eu

symbols=$(nm "$1")

value_of() {
	echo "$symbols" | awk -v name="$1" '$3 == name { print "0x" $1 }'
}

cat <<END
	.section $4, "a", @progbits
	.balign 64
	.globl resident_image, resident_image_end
resident_image:
	.incbin "$2"
resident_image_end:

	.section resident_memory, "aw", @nobits
	.balign $(value_of page_bytes)
	.globl resident_area, resident_area_text, resident_area_end
resident_area:
	.space $(value_of resident_bytes)
resident_area_end:
	.set resident_area_text, resident_area + $(value_of resident_bss_bytes)
END
# Global functions and zeroed data; `t` and `b` are a file's own. Hidden: otherwise some linkers leave
# their addresses to a dynamic linker, and a loader has none.
names=$(echo "$symbols" | awk '$2 ~ /[TB]/ { print $3 }')
grep -v -e '^#' -e '^$' "$3" | while read -r pattern; do
	found=$(echo "$names" | grep -x "$(echo "$pattern" | sed 's/\*/.*/')") ||
		{ echo "$0: resident code has no $pattern, which $3 names" >&2; exit 1; }
	for name in $found; do
		printf '\t.globl %s\n\t.hidden %s\n\t.set %s, resident_area + %s\n' "$name" "$name" "$name" "$(value_of "$name")"
	done
done
echo '	.section .note.GNU-stack, "", @progbits'
