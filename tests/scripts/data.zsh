#!/usr/bin/env zsh
# Run by zsh-static: arrays, parameters with flags, globs, arithmetic, associative arrays.

typeset -A words
for word in ${=:-the quick brown fox jumps over the lazy dog and the dog sleeps}; do
	(( words[$word]++ ))
done
for word in ${(ok)words}; do printf '%s=%d ' $word $words[$word]; done
echo

integer n=12345 i
typeset -a numbers
for (( i = 0; i < 3000; i++ )); do
	(( n = (n * 1103515245 + 12345) & 0x7fffffff ))
	numbers+=( $(( n % 1000 )) )
done
sorted=( ${(n)numbers} )
echo $#numbers $sorted[1,8] ... $sorted[-3,-1] ${#${(u)numbers}}

text=abc
repeat 12 text=$text$text
echo $#text $text[1,7] $text[-4,-1]
path_like=/usr/local/lib/name.tar.gz
echo ${path_like:t} ${path_like:h} ${path_like:e} ${path_like:r} ${(U)path_like} ${(s:/:)path_like}
float f=2.5
printf '%.3f %d %s\n' $(( f ** 3 )) $(( 16#ff + 2#1010 )) ${(l:8::0:)n}
mkdir globbed && touch globbed/{a..c}{1..4}.txt globbed/other
setopt extended_glob
echo globbed/*<2-3>.txt(:t) globbed/^*.txt(:t) globbed/*(.N[1]:t)
rm -r globbed
squares() { reply=( ); for i in {1..$1}; do reply+=( $(( i * i )) ); done }
squares 15 && echo $reply
echo ${(j:+:)reply[1,4]} ${reply[(r)4?]} ${reply[(i)81]}
while IFS=, read -r name value; do
	printf '%-6s|%6.2f\n' $name $value
done <<END
alpha,3.14159
beta,-2.5
END
deep() { (( $1 == 0 )) || deep $(( $1 - 1 )) }
deep 300 && echo "300 deep"
[[ 2024-05-06 == (#b)([0-9]##)-([0-9]##)-* ]] && echo $match
{ echo tried; false || { echo failed; throw=1 } } always { echo "always ${throw:-0}" }
exit 22
