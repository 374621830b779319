#!/bin/busybox sh
# shellcheck shell=dash
#
# The first process in the machines of kernels.sh and ports/ports.sh, which is started with the list of commands, /commands. Each
# runs natively and under each loader with each way of hiding pages or with a profile, and both have to be the same; and
# that for each setting of huge pages. Says on the console, in lines that begin with @, how many were the same:
#
#   @ kernel RELEASE
#   @ same|differs|timeout|unsteady N LOADER WAY SETTING     at the end
#   @ missing LOADER WAY SETTING REASON                      the kernel has no such engine
#   @ lazy LOADER SETTING                                    nothing is hidden: system calls cannot be intercepted
#   @ difference LOADER WAY SETTING COMMAND                  and below it what differs, after #
#   @ end

export PATH=/bin HOME=/ TERM=dumb
tree=/tree
warning="everything is left to the kernel's paging: system calls cannot be intercepted"
# The settings of huge pages (transparent_hugepage).
settings=${SETTINGS:-always madvise never}

# Seconds for a run, and for one that took longer.
limit=60 more=300

make_system() {
	/bin/busybox --install -s /bin
	mkdir -p /proc /sys /dev /tmp /run
	mount -t proc proc /proc
	mount -t sysfs sys /sys
	mount -t devtmpfs dev /dev
	mkdir -p /dev/pts /dev/shm
	mount -t devpts devpts /dev/pts
	ln -s /proc/self/fd /dev/fd
	mount -t tmpfs shm /dev/shm
	mount -t tmpfs tmp /tmp
	chmod 1777 /tmp /dev/shm
	ip link set lo up
	# Guests that die say so on the console, and one of them makes it say more (syslog).
	echo 1 1 1 1 >/proc/sys/kernel/printk
	echo 0 >/proc/sys/debug/exception-trace
}

# ways_under SETTING: all of them with Debian's. The kernel passes SETTINGS, WAYS and
# BUDGET of its command line: the seconds after which no further command begins.
ways_under() {
	case ${WAYS:-$1} in
	"${WAYS-}") echo "$WAYS" ;;
	always) echo default guard mprotect mmap userfaultfd profile ;;
	*) echo default profile ;;
	esac
}

# options_of WAY
options_of() {
	case $1 in
	default) ;;
	auto) echo "--profile=auto" ;;
	profile) echo "--profile=$work/profile" ;;
	*) echo "--engine=$1" ;;
	esac
}

# record: what options_of profile names, of $command. Fails where nothing can be recorded.
record() {
	rm -f "$work/profile"
	# shellcheck disable=SC2086 # words
	timeout "$more" "$tree/hybrid_loader" --record="$work/profile" $command </dev/null >/dev/null 2>&1
	[ -s "$work/profile" ]
}

# find_ways: $loaders_WAY are the loaders that know it on this kernel.
find_ways() {
	local way loader loaders said work=/tmp command=$tree/prog1
	record || ways=${ways%profile}
	for way in $ways; do
		loaders=
		case $way in default | auto | profile) loaders=all_at_once_loader ;; esac
		for loader in on_demand_loader hybrid_loader; do
			# shellcheck disable=SC2046 # words
			said=$("$tree/$loader" $(options_of "$way") "$tree/prog1" 2>&1 >/dev/null)
			case $said in
			*"does not work here"*) echo "@ missing $loader $way $setting ${said#*does not work here: }" ;;
			*"$warning"*)
				[ "$way" != default ] || echo "@ lazy $loader $setting"
				if [ "$way" = default ]; then loaders="$loaders $loader"; else
					echo "@ missing $loader $way $setting nothing is hidden"
				fi
				;;
			*) loaders="$loaders $loader" ;;
			esac
		done
		eval "loaders_$way='$loaders'"
	done
}

# compare LIMIT WAY LOADER...: the first of the loaders that differs is in $different; empty: none.
compare() {
	local seconds=$1 way=$2 loader paths=
	shift 2
	for loader in "$@"; do paths="$paths $tree/$loader"; done
	# shellcheck disable=SC2046,SC2086 # words
	set -- $# $paths $(options_of "$way" | wc -w) $(options_of "$way") 0 $command
	different=$(REPORT_STATUS_TIMEOUT=$seconds /bin/compare_runs "$work" /dev/null "$@" 2>"$work/said")
	different=${different##*/}
}

# differs_in_warning_only: what is hidden where calls cannot be intercepted, nothing, a loader says first.
differs_in_warning_only() {
	head -n 1 "$work/loaded.err" 2>/dev/null | grep -q "$warning" || return
	sed -i 1d "$work/loaded.err"
	cmp -s "$work/native.err" "$work/loaded.err" && cmp -s "$work/native.out" "$work/loaded.out" &&
		cmp -s "$work/native.status" "$work/loaded.status"
}

# count VERDICT LOADER WAY
count() {
	echo "$* $setting" >>"$work/verdicts"
}

# is_steady: whether the native run is always the same; by comparing it with itself.
is_steady() {
	local part
	for _ in 1 2 3; do
		# shellcheck disable=SC2086 # words
		REPORT_STATUS_TIMEOUT=$more /bin/compare_runs "$work/again" /dev/null 0 0 0 $command
		for part in out err status; do
			cmp -s "$work/native.$part" "$work/again/native.$part" || return
		done
	done
}

show_difference() {
	local part
	for part in status out err; do
		diff -a "$work/native.$part" "$work/loaded.$part" | head -n 8 | cut -c 1-160 | sed "s/^/# $part: /"
	done
}

# judge LOADER WAY: what becomes of a run that was not the same.
judge() {
	if differs_in_warning_only; then
		count same "$1" "$2"
		return
	fi
	case $(cat "$work/native.status" "$work/loaded.status" 2>/dev/null) in
	*timeout*) compare "$more" "$2" "$1" ;;
	esac
	if [ -z "$different" ] || differs_in_warning_only; then
		count same "$1" "$2"
		return
	fi
	case $(cat "$work/native.status" "$work/loaded.status" 2>/dev/null) in
	*timeout*)
		count timeout "$1" "$2"
		echo "@ timeout $1 $2 $setting $command"
		;;
	*)
		if is_steady; then
			count differs "$1" "$2"
			echo "@ difference $1 $2 $setting $command
$(show_difference)"
		else
			count unsteady "$1" "$2"
		fi
		;;
	esac
}

# run_way WAY LOADER...: $command under all of them.
run_way() {
	local way=$1
	shift
	[ "$way" != profile ] || record || return
	while [ $# != 0 ]; do
		compare "$limit" "$way" "$@"
		while [ $# != 0 ] && [ "$1" != "$different" ]; do
			count same "$1" "$way"
			shift
		done
		[ -z "$different" ] || {
			judge "$1" "$way"
			shift
		}
	done
}

# ways_of COMMAND: scripts make so many processes that one of them takes a minute in all ways.
ways_of() {
	case $1 in
	*/scripts/*) echo default ;;
	*) echo "$ways" ;;
	esac
}

# work_off N: every $workers-th command, from the Nth on.
work_off() {
	local way loaders
	work=/tmp/$1
	mkdir -p "$work/again"
	awk "NR % $workers == $1" /commands >"$work/commands"
	while read -r command; do
		read -r now _ </proc/uptime
		if [ "${now%.*}" -gt "${BUDGET:-999999}" ]; then
			echo "- $command"
			continue
		fi
		rm -rf "$work/here" && mkdir "$work/here" && cd "$work/here" || exit
		echo "+ $(cut -d ' ' -f 1 /proc/uptime) $command"
		for way in $(ways_of "$command"); do
			eval "loaders=\$loaders_$way"
			# shellcheck disable=SC2086 # words
			[ -z "$loaders" ] || run_way "$way" $loaders
		done
	done <"$work/commands"
}

# work_under SETTING
work_under() {
	local setting=$1 workers worker=0 ways
	ways=$(ways_under "$setting")
	echo "$setting" >/sys/kernel/mm/transparent_hugepage/enabled || [ "$setting" = never ] || return
	find_ways
	workers=$(nproc)
	while [ "$worker" -lt "$workers" ]; do
		work_off "$worker" &
		worker=$((worker + 1))
	done
	wait
	cat /tmp/*/verdicts | sort | uniq -c | while read -r n verdict rest; do echo "@ $verdict $n $rest"; done
	rm /tmp/*/verdicts
}

work_all() {
	local setting
	echo "@ kernel $(uname -r)"
	for setting in $settings; do work_under "$setting"; done
	echo "@ end"
}

# The first process is in session 0, in which no other can be. It stays, for orphans.
if [ $$ = 1 ]; then
	make_system
	setsid sh "$0" &
	wait $!
	poweroff -f
	sleep 60
else
	work_all
fi
