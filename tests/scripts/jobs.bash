#!/usr/bin/env bash
# Run by bash-static: subshells, traps, coprocesses, process substitution, background jobs.

trap 'echo leaving with $?' EXIT
trap 'echo caught USR1' USR1

for i in {1..20}; do
	(
		echo "$((i * i))"
	)
done | sort -n | tail -n 3

coproc DOUBLE { while read -r n; do echo $((2 * n)); done; }
coprocess=$DOUBLE_PID
for n in 1 20 300; do
	echo "$n" >&"${DOUBLE[1]}"
	read -r answer <&"${DOUBLE[0]}"
	echo "twice $n is $answer"
done
eval "exec ${DOUBLE[1]}>&-"
wait "$coprocess"
echo "coprocess: $?"

paste -d+ <(seq 1 3) <(seq 4 6)

(exit 3) &
first=$!
(kill -TERM "$BASHPID") &
second=$!
wait "$first"
echo "first: $?"
wait "$second"
echo "second: $?"

kill -USR1 $$
(
	trap 'echo inner; exit 7' TERM
	kill -TERM "$BASHPID"
	sleep 5
)
echo "trap: $?"

while read -r line; do
	[[ $line =~ ^(.)(.*)$ ]] && echo "${BASH_REMATCH[2]}${BASH_REMATCH[1]}"
done <<END
$(printf '%s\n' one two three)
END

mapfile -t words < <(printf '%s\n' x y z)
echo "${#words[@]} ${words[*]^^}"
set -o pipefail
false | true
echo "pipe: $?"
exit 12
