#!/usr/bin/env zsh
# Run by zsh-static: subshells, traps, coprocesses, arrays.

trap 'echo leaving' EXIT
TRAPUSR1() { echo caught USR1 }

typeset -A squares
for i in {1..20}; do squares[$i]=$(( i * i )); done
echo ${#squares} $squares[12]

# It holds the writing end of its own input, which so never ends: it has to be told.
coproc while read -r n && [[ $n != end ]]; do echo $(( 3 * n )); done
coprocess=$!
for n in 1 20 300; do
	print -p $n
	read -rp answer
	echo "three times $n is $answer"
done
print -p end
wait $coprocess
echo "coprocess: $?"

for i in 1 2 3; do ( echo sub $i; exit $i ); echo "ended $?"; done
echo ${(j:,:)${(On)${=:-3 1 2}}}
seq 1 100 | while read -r n; do (( sum += n )); done
echo $sum
kill -USR1 $$
zsh-static -fc 'kill -TERM $$; exit 4'
echo "status $?"
cat <<END | tr a-z A-Z
here is ${(L)${:-A Document}}
END
sleep 0 & wait $!
echo "job $?"
exit 5
