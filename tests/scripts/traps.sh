#!/bin/sh
# Run by busybox sh: traps, background jobs, how children end. It ends by a signal itself. Without `read`: after
# a signal that was caught, that of busybox 1.38 never ends.

trap 'echo "interrupted"' INT
trap 'echo "usr1"' USR1
trap 'echo "leaving"' EXIT

kill -INT $$
kill -USR1 $$
kill -USR1 $$

# A subshell starts without traps.
(
	trap 'echo "inner leaving"' EXIT
	trap 'echo "inner term"; exit 5' TERM
	sh -c "kill -TERM \$PPID"
	echo "not here"
)
echo "inner: $?"

for signal in TERM KILL HUP; do
	sleep 60 &
	kill -"$signal" $!
	wait $!
	echo "$signal: $?"
done 2>/dev/null

# Ten jobs, waited for in the order they were started.
jobs=
for i in 1 2 3 4 5 6 7 8 9 10; do
	(
		[ $((i % 3)) != 0 ] || seq 1 100 | sort -rn >/dev/null
		exit "$i"
	) &
	jobs="$jobs $!"
done
sum=0
for job in $jobs; do
	wait "$job"
	sum=$((sum * 2 + $?))
done
echo "jobs: $sum"

# Both ends of a named pipe.
mkfifo pipe
seq 1 500 >pipe &
last=$(tail -n 1 <pipe)
wait $!
echo "pipe: $last $?"
rm pipe

# A signal that interrupts wait.
alarms=0
trap 'alarms=1' ALRM
(while kill -ALRM $$; do sleep 0.05; done) &
killer=$!
sleep 60 &
sleeper=$!
wait $sleeper
echo "interrupted wait: $? $alarms"
trap '' ALRM
{
	kill -KILL $killer $sleeper
	wait $killer
	wait $sleeper
	echo "afterwards: $?"
} 2>/dev/null # which job ended first, it says there

trap - EXIT TERM
kill -TERM $$
echo "not here"
