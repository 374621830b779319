#!/usr/bin/env bash
# Run by bash-static: many processes, how they end, pipes between them. It ends by a signal itself.

# Subshells in subshells, each with its own answer.
nested() {
	if (($1 == 0)); then
		echo bottom
		return 40
	fi
	(nested $(($1 - 1)))
}
nested 12
echo "nested: $?"

# Each child's end is seen once, whatever it was.
declare -i children=0
trap 'children+=1' CHLD
for i in {1..5}; do
	(exit "$i")
done
trap - CHLD
echo "children: $children"

pids=()
for i in {1..30}; do
	(exit $((i * 3))) &
	pids+=($!)
done
sum=0
for pid in "${pids[@]}"; do
	wait "$pid"
	sum=$((sum + $?))
done
echo "sum of statuses: $sum"

true | false | (exit 7) | true
echo "statuses: ${PIPESTATUS[*]}"
for signal in HUP INT KILL USR1 PIPE TERM; do
	(
		trap - "$signal"
		ulimit -c 0
		kill -"$signal" "$BASHPID"
		sleep 60
	) 2>/dev/null
	echo "$signal: $?"
done 2>/dev/null

# Two coprocesses by hand: a named pipe each way.
mkfifo there back
while read -r n; do
	echo $((n * n))
done <there >back &
exec 5>there 6<back
total=0
for n in {1..50}; do
	echo "$n" >&5
	read -r answer <&6
	total=$((total + answer))
done
exec 5>&- 6<&-
wait $!
echo "squares: $total $?"
rm there back

# Output that is larger than a pipe, through process substitution and tee.
seq 1 30000 | tee >(md5sum >one) >(tail -n 1 >two) | wc -l
for file in one two; do
	until [ -s $file ]; do sleep 0.01; done
	cat $file && rm $file
done
comm -12 <(seq 1 3 60 | sort) <(seq 1 5 60 | sort) | paste -sd ' '

read -r -t 0.05 _ < <(sleep 1)
echo "read that times out: $(($? > 128))"

# A wait that a signal interrupts.
woken=0
trap 'woken=1' USR2
(while kill -USR2 $$; do sleep 0.05; done) &
killer=$!
sleep 60 &
sleeper=$!
wait "$sleeper"
echo "interrupted wait: $? $woken"
{
	# Any other signal may be lost by a child that bash has only just forked. The trap stays in force
	# until no USR2 can come: bash warns of one that is pending when it is ignored.
	kill -KILL "$killer" "$sleeper"
	wait "$killer"
	wait "$sleeper"
	echo "afterwards: $?"
} 2>/dev/null # there bash says their process IDs
trap - USR2

# A trap that is inherited as ignored, and one that is not inherited.
(
	trap '' TERM
	bash-static -c 'kill -TERM $$; echo "TERM is ignored"'
)
bash-static -c 'trap "echo inner leaving" EXIT; exec true'
echo "exec: $?"
bash-static <<<'echo "from a here string"; exit 6'
echo "status: $?"

trap 'echo leaving; trap - TERM EXIT; kill -TERM $$' TERM
trap 'echo not here' EXIT
kill -TERM $$
sleep 60
