#!/usr/bin/env zsh
# Run by zsh-static: subshells, process substitution, pipes, traps. It ends by a signal itself.

unsetopt monitor
nested() { if (( $1 == 0 )); then echo bottom; return 40; fi; ( nested $(( $1 - 1 )) ) }
nested 10
echo "nested: $?"

typeset -a pids
for i in {1..20}; do ( exit $(( i * 3 )) ) & pids+=( $! ); done
integer sum=0
for pid in $pids; do wait $pid; (( sum += $? )); done
echo "sum of statuses: $sum"

true | false | ( exit 7 )
echo "statuses: $pipestatus"
for signal in HUP KILL USR1 TERM; do
	zsh-static -fc "kill -$signal \$\$; sleep 60" 2>/dev/null
	echo "$signal: $?"
done

cat <(echo one) =(echo two) <(seq 1 3 | tail -n 1) | tr a-z A-Z
paste -d: <(seq 1 3) <(seq 4 6)
seq 1 20000 > >(tail -n 1 >one) > >(md5sum >two)
for file in one two; do until [[ -s $file ]]; do sleep 0.01; done; cat $file; rm $file; done

# A coprocess that ends when it is told to: its own input would never end.
coproc while read -r n && [[ $n != end ]]; do echo $(( n * n )); done
coprocess=$!
integer total=0
for n in {1..40}; do print -p $n; read -rp answer; (( total += answer )); done
print -p end
wait $coprocess
echo "squares: $total $?"

TRAPUSR2() { echo "usr2 $1"; return 0 }
kill -USR2 $$
( TRAPEXIT() { echo "inner leaving" }; exit 5 )
echo "inner: $?"
( trap '' TERM; zsh-static -fc 'kill -TERM $$; echo "TERM is ignored"' )
out=$( { echo to stdout; echo to stderr >&2 } 2>&1 >/dev/null )
echo $out
trap 'echo leaving; trap - TERM EXIT; kill -TERM $$' TERM
trap 'echo not here' EXIT
kill -TERM $$
sleep 60
