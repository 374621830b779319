#!/usr/bin/env bats
#
# shellcheck disable=SC2030,SC2031 # each test is a subshell of its own
#
# Every error about options, the files they name and what the kernel denies names the way out, too.
#
# Runs without huge pages: what it expects is what becomes of a small .bss whose pages are hidden.

load helpers
load ways_out

@test "an option that there is not, or without its value: --help" {
	for words in --no-such-option -x --argv0 ""; do
		# shellcheck disable=SC2086 # none, where it is empty
		says 125 "see --help" @ $words
	done
	says 125 "this option takes no value; leave out =yes" @ --plan=yes ./good
	# In a cluster the option at fault is not the word before.
	says 125 "there is no option -x; see --help" @ --verbose -xv ./good
	about_each expect "exit 0" @ --help
}

# each_named LOADER OPTION: what is offered instead of a wrong value runs.
each_named() {
	local loader=$1 value
	says 125 "; there are " "$loader" "$2=?" ./good || return
	for value in $(found err | sed 's/.*there are //; s/ and /, /; s/,//g'); do
		[[ $2 != --engine || -n $(engines_of "$value") ]] || continue
		[[ $value != require || -n $(engines_here) ]] || continue
		expect "exit 0" "$loader" "$2=${value/%next-N/next-4}" ./good || return
		[ "$(found out)" = hello! ] || return
	done
}

@test "a value that there is not: those that there are" {
	about_each each_named @ --explain
	local LOADERS=$LAZY_LOADERS
	for option in --policy --engine --guard; do
		about_each each_named @ "$option"
	done
	says 125 "a number of system calls, never or auto" @ --retire=soon ./good
	for value in 7 never auto; do
		works @ "--retire=$value" ./good
	done
}

@test "a value without its =: as it has to be written" {
	echo '{}' >old.json
	echo '{}' >older.json && chmod +x older.json
	for option in -s --stats --sta --explain; do
		long=--explain
		[ "$option" = --explain ] || long=--stats
		says 127 "; if it is the value of $long, write $long=run.jsn" @ "$option" run.jsn ./good
		says 127 "did you mean ./good? If it is the value of $long, write $long=./goood" \
			@ "$option" ./goood
		says 126 "is text, not an ELF file: a script needs a first line such as #!/bin/sh; if it is the value of $long, write $long=./old.json" \
			@ "$option" ./old.json ./good
		says 126 "; if it is the value of $long, write $long=./older.json" \
			@ "$option" ./older.json ./good
	done
	says 127 "If it is the value of --stats, write --stats=goodd" env PATH="$PWD" @ -v --stats goodd ./good
	works @ --stats=run.jsn ./good
	about_each expect "exit 0" @ --stats ./good
	for loader in $LOADERS; do
		# The option has its value, or is not the last word before, or is not meant to have one.
		for words in "--stats=/dev/null" "--stats --" "--stats -v" "-sv" "-v"; do
			# shellcheck disable=SC2086 # several words
			expect "exit 127" "$loader" $words ./xyzzy
			[[ $(found err) == *": no such file: check its path" ]]
		done
	done
}

@test "a policy's number: what it may be, or leave it out" {
	local LOADERS=$LAZY_LOADERS
	says 125 "takes from 1 to 4096 pages" @ --policy=next-5000 ./good
	works @ --policy=next-4096 ./good
	says 125 "leave out ,pages=3" @ --policy=none,pages=3 ./good
	works @ --policy=none ./good
	says 125 "the only parameter is pages=N" @ --policy=block,size=3 ./good
	works @ --policy=block,pages=3 ./good
}

@test "an option about laziness: leave it out, or use hybrid_loader" {
	loader=$ROOT/all_at_once_loader
	says 125 "leave it out, or use hybrid_loader" "$loader" --policy=none ./good
	works "$loader" ./good
	works "$ROOT/hybrid_loader" --policy=none ./good
}

@test "a file that cannot be written: name another" {
	says 125 "the statistics cannot be written to /nowhere/s: No such file or directory; name another file" \
		@ --stats=/nowhere/s ./good
	works @ --stats=here ./good
	requires lazy
	for loader in $LAZY_LOADERS; do
		says 125 "name another file" "$loader" --record=/nowhere/p ./good
		works "$loader" --record=here ./good
		expect "exit 125" bash -c 'trap "" XFSZ; ulimit -f 1; exec "$0" --record=here ./good' "$loader"
		[[ $(found err) == *"File too large; the old file is kept; raise the limit of files (ulimit -f)" ]]
	done
}

@test "few descriptors or processes: raise the limit" {
	requires prlimit
	drop_privileges ./good
	chmod 777 . && echo old >old && chmod 666 old
	says 125 "raise the limit of open files (ulimit -n)" prlimit --nofile=4 @ --stats=new ./good
	says 125 "raise the limit of open files (ulimit -n)" prlimit --nofile=4 @ --stats=old ./good
	for how in coloring:4 modulo:500000,7 exact:old; do
		says 125 "; raise the limit of open files (ulimit -n)" prlimit --nofile=4 @ --placement="$how" ./good
	done
	says 125 "raise the limit of processes (ulimit -u)" prlimit --nproc=0 @ --stats=new ./good
	works prlimit --nofile=12 @ --stats=new ./good
	works prlimit --nproc=0 @ ./good
}

@test "no profile, or none: record one" {
	echo nonsense >nonsense
	: >empty
	"$ROOT/on_demand_loader" --guard=none --record=profile ./good
	for loader in $LOADERS; do
		for file in missing nonsense empty; do
			case $loader in
			*/all_at_once_loader) recorder="on_demand_loader or hybrid_loader" ;;
			*) recorder=${loader##*/} ;;
			esac
			says 125 "; record one with $recorder --record" "$loader" "--profile=$file" ./good
		done
		for value in auot atuo Auto aut auto1; do
			says 125 "the profile $value cannot be read: No such file or directory; did you mean auto?" \
				"$loader" --profile=$value ./good
		done
		says 125 "; record one with" "$loader" --profile=./auot ./good
		works "$loader" --profile=profile ./good
		# A file of such a name is that file.
		cp profile auot && works "$loader" --profile=auot ./good && rm auot
	done
	local LOADERS=$LAZY_LOADERS
	requires lazy
	says 125 "name a file or a directory" env -u HOME -u XDG_CACHE_HOME @ --record=auto ./good
	works env -u HOME -u XDG_CACHE_HOME @ --record=. ./good
}

@test "no dispatch: --guard=none, or all_at_once_loader, which needs none" {
	requires dispatch
	under "$GUESTS/tools/deny" prctl=59:EINVAL --
	for loader in $LAZY_LOADERS; do
		says 125 "use Linux 5.11, or --guard=none" "$loader" --guard=require ./good
		expect "exit 0" "${UNDER[@]}" "$loader" ./good
		[[ $(found err) == *"use Linux 5.11, or --guard=none, which still hides pages" ]]
		works "$loader" --guard=none ./good
	done
	works "$ROOT/all_at_once_loader" ./good
	under "$GUESTS/tools/deny" prctl=59:EPERM --
	local LOADERS=$LAZY_LOADERS
	says 125 "Operation not permitted; permit that prctl(2), or --guard=none" @ --guard=require ./good
}

@test "an engine that the kernel lacks: leave out --engine" {
	requires lazy
	under "$GUESTS/tools/deny" madvise=102:EINVAL --
	local LOADERS=$LAZY_LOADERS
	says 125 "leave out the option that needs it, --engine" @ --engine=guard ./good
	works @ ./good
}

@test "a filter that denies mremap: allow it, or all_at_once_loader" {
	requires lazy
	under "$GUESTS/tools/deny" mremap:EPERM --
	loader=$ROOT/on_demand_loader
	says 125 "allow mremap(2), or use all_at_once_loader" "$loader" ./good
	works "$ROOT/all_at_once_loader" ./good
	works "$ROOT/hybrid_loader" ./good
}

@test "a lazy loader under a lazy loader: start it directly, or under all_at_once_loader" {
	loader=$ROOT/on_demand_loader
	says 125 "start it directly or under all_at_once_loader" "$loader" --guard=none "$loader" ./good
	works "$loader" ./good
	works "$ROOT/all_at_once_loader" "$loader" ./good
}
