#!/usr/bin/env bash
# Run by bash-static: arrays, arithmetic, text, much memory in one process; hardly another program.

declare -A words
text="the quick brown fox jumps over the lazy dog and the dog sleeps"
for word in $text; do
	words[$word]=$((${words[$word]:-0} + 1))
done
for word in $(printf '%s\n' "${!words[@]}" | sort); do
	printf '%s=%d ' "$word" "${words[$word]}"
done
echo

# Primes, then their sum; the list grows on the heap.
composite=()
primes=()
for ((i = 2; i < 2000; i++)); do
	[[ -n ${composite[i]} ]] && continue
	primes+=("$i")
	for ((j = i * i; j < 2000; j += i)); do
		composite[j]=1
	done
done
sum=0
for prime in "${primes[@]}"; do ((sum += prime)); done
echo "${#primes[@]} primes, sum $sum, last ${primes[-1]}, some ${primes[*]:10:5}"

printf -v long '%*s' 100000 ''
long=${long// /abc}
echo "${#long} ${long:299990:10} ${long:0:6}"

quick_sort() {
	(($# < 2)) && sorted=("$@") && return
	local pivot=$1 word left=() right=() before
	for word in "${@:2}"; do
		if ((word < pivot)); then left+=("$word"); else right+=("$word"); fi
	done
	quick_sort "${left[@]}"
	before=("${sorted[@]}" "$pivot")
	quick_sort "${right[@]}"
	sorted=("${before[@]}" "${sorted[@]}")
}
n=12345 numbers=()
for ((i = 0; i < 200; i++)); do
	n=$(((n * 1103515245 + 12345) & 0x7fffffff))
	numbers+=($((n % 1000)))
done
quick_sort "${numbers[@]}"
echo "${sorted[*]:0:12} ... ${sorted[*]: -3}"

while IFS=, read -r name value rest; do
	printf '%-6s|%6.2f|%s\n' "$name" "$value" "${rest:-none}"
done <<-END
	alpha,3.14159,x,y
	beta,-2.5
	gamma,1e3,z
END
mapfile -t lines < <(printf 'line %d\n' {1..500})
echo "${#lines[@]} ${lines[499]} ${lines[*]:1:2}"
date=2024-05-06
[[ $date =~ ^([0-9]+)-([0-9]+)-([0-9]+)$ ]] && echo "${BASH_REMATCH[*]:1}"
echo $((2 ** 62)) $((16#ff)) $((-7 / 2)) $((-7 % 3)) $((1 << 40 | 0x0f)) $(((5 > 3) && 0))
echo {a..e}{1..3} "${text^^}" "${text:4:5}" "${text/quick/slow}" "${text//the/a}"
printf '%q %s %x %o %e\n' 'a b;c' "$(printf 'x\ty')" 3735928559 511 12345.678
case $text in the*s) echo glob ;; esac
shopt -s extglob
[[ foobarbar == foo+(bar) ]] && echo extended
recurse() { (($1 == 0)) || recurse $(($1 - 1)); }
recurse 500 && echo "500 deep"
# shellcheck disable=SC2034,SC2178 # seen through the reference
modify() { local -n reference=$1; reference[1]=changed; }
array=(one two) && modify array && echo "${array[@]}"
f=$(declare -f recurse) && unset -f recurse && eval "$f" && recurse 3 && echo "defined again"
(echo $((1 / 0))) 2>/dev/null
echo "division: $?"
exit 21
