#!/usr/bin/env bash
#
# variant.sh SEED: prints the numbers of one term, for its assignment and for grade.sh --variant=SEED.
#
# Each line has a name, its value, and its meaning for students. The same SEED, a word such as autumn-2026,
# always gives the same numbers. Exit status: 0, or 125 for wrong usage.

set -u
export LC_ALL=C

if [ "$*" = --help ]; then
	sed -n '3,/^$/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
	exit 0
fi
if [ $# != 1 ] || ! [[ $1 =~ ^[A-Za-z0-9][A-Za-z0-9._-]*$ ]]; then
	echo "${0##*/}: '$*': name one SEED of letters, digits, '.', '_' and '-', as in autumn-2026" >&2
	exit 125
fi

number=$((16#$(printf %s "$1" | sha256sum | cut -c 1-8)))

# pick COUNT: sets picked to one of the numbers from 0 to COUNT - 1.
pick() {
	picked=$((number % $1))
	number=$((number / $1))
}

pick 4
block=$((2 << picked))
pick 8
ahead=$((picked + 3)) # more than without a variant
pick 2
walk=$([ "$picked" = 0 ] && echo up || echo down)
pick 64
pages=$((picked + 40))
cat <<-END
	block $block dpager: a touch brings in the whole block of $block pages that has the page; blocks begin at multiples of $block
	ahead $ahead hpager: when its prediction is sure, a touch brings in $ahead more pages
	walk $walk hpager: its prediction is sure when the program touches one page after the other, going $walk
	pages $pages both: the guest that tests this is 'batch $pages $walk'
END
