#!/bin/busybox sh
# shellcheck shell=dash
#
# The first process in the machines of kernels.sh and ports/ports.sh, which is started with the list of commands, /commands. Each
# runs natively and under each loader with each way of hiding pages or with a profile, and both have to be the same; and
# that for each setting of huge pages. Each command has a session of its own. When its time is up, it is killed with all
# processes that it has started. Prints on the console, at once:
#
#   @ kernel RELEASE, @ page SIZE
#   @ same|differs|timeout LOADER WAY SETTING                a run; timeout: its time was up
#   @ unsteady|late LOADER WAY SETTING                       natively it is never the same, or its time was up
#   @ missing LOADER WAY SETTING REASON                      the kernel has no such engine
#   @ serves LOADER WAY SETTING FAULTS                       of prog1, as --stats reports
#   @ lazy LOADER SETTING                                    nothing is hidden: system calls cannot be intercepted
#   @ difference|slow LOADER WAY SETTING COMMAND             and below it what differs, after #
#   @ verdicts STATUS SUMMARY                                a script of Python that compares what becomes of odd files
#   + SECONDS COMMAND, - SECONDS COMMAND                     it begins, it has ended
#   @ end
#
# The kernel's command line sets SETTINGS, WAYS, EVERY (a pattern: what runs in every way, other commands run in the first),
# MORE, and MACHINE and MACHINES: this machine runs one of so many shares of the commands.

export PATH=/bin HOME=/ TERM=dumb
tree=/tree
warning="everything is left to the kernel's paging: system calls cannot be intercepted"
# The settings of huge pages (transparent_hugepage).
settings=${SETTINGS:-always madvise never}

# Seconds for a run, and for one that took longer.
limit=60 more=${MORE:-300}

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
	mount -t cgroup2 groups /sys/fs/cgroup
	chmod 1777 /tmp /dev/shm
	ip link set lo up
	# Guests that die say so on the console, and one of them makes it say more (syslog).
	echo 1 1 1 1 >/proc/sys/kernel/printk
	echo 0 >/proc/sys/debug/exception-trace
}

# ways_under SETTING: all of them with Debian's.
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
			said=$(timeout "$limit" "$tree/$loader" --stats $(options_of "$way") "$tree/prog1" 2>&1 >/dev/null)
			case $said in
			*"does not work here"*) echo "@ missing $loader $way $setting ${said#*does not work here: }" ;;
			*"$warning"*)
				[ "$way" != default ] || echo "@ lazy $loader $setting"
				if [ "$way" = default ]; then loaders="$loaders $loader"; else
					echo "@ missing $loader $way $setting nothing is hidden"
				fi
				;;
			*)
				loaders="$loaders $loader"
				echo "@ serves $loader $way $setting $(echo "$said" | sed -n 's/^ *faults served *//p')"
				;;
			esac
		done
		eval "loaders_$way='$loaders'"
	done
}

# compare_here LIMIT FOLDER WORD...: compare_runs in a control group, which ends with it.
compare_here() {
	local group=/sys/fs/cgroup/${work##*/} seconds=$1
	shift
	(
		echo 0 >"$group/cgroup.procs"
		export REPORT_STATUS_TIMEOUT="$seconds" EXPECTED_WARNING="$warning"
		exec timeout -s KILL $((seconds * 5)) compare_runs "$@"
	) 2>"$work/said"
	set -- $?
	echo 1 >"$group/cgroup.kill"
	return "$1"
}

# compare LIMIT WAY LOADER...: the first of the loaders that differs is in $different; empty: none. A command runs natively
# for the first way only.
compare() {
	local seconds=$1 way=$2 loader paths=
	shift 2
	for loader in "$@"; do paths="$paths $tree/$loader"; done
	# shellcheck disable=SC2046,SC2086 # words
	set -- $# $paths $(options_of "$way" | wc -w) $(options_of "$way") 1 setsid $command
	different=$(KEPT_NATIVE=once compare_here "$seconds" "$work" /dev/null "$@")
	case $? in
	0 | 1 | 3) different=${different##*/} ;;
	*)
		different=$loader
		echo timeout | tee "$work/native.status" >"$work/loaded.status"
		;;
	esac
}

# count VERDICT LOADER WAY
count() {
	echo "@ $* $setting"
}

# is_steady: whether the native run is always the same; by comparing it with itself.
is_steady() {
	local part
	for _ in 1 2 3; do
		# shellcheck disable=SC2086 # words
		compare_here "$more" "$work/again" /dev/null 0 0 1 setsid $command
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

# is_late: whether a run of the last comparison had to be killed.
is_late() {
	case $(cat "$work/native.status" "$work/loaded.status" 2>/dev/null) in
	*timeout*) true ;;
	*) false ;;
	esac
}

# is_started: whether the native run of the last comparison started at all. Otherwise the same error would pass.
is_started() {
	local end
	read -r end <"$work/native.status"
	case $end in
	"exit 126" | "exit 127") false ;;
	*) true ;;
	esac
}

# judge LOADER WAY: what becomes of a run that was not the same.
judge() {
	! is_late || compare "$more" "$2" "$1"
	if [ -z "$different" ]; then
		count same "$1" "$2"
	elif grep -q timeout "$work/native.status"; then
		late=yes
		count late "$1" "$2"
		echo "@ slow natively: $command"
	elif is_late; then
		count timeout "$1" "$2"
		echo "@ slow $1 $2 $setting $command"
	elif is_steady; then
		count differs "$1" "$2"
		echo "@ difference $1 $2 $setting $command
$(show_difference)"
	else
		count unsteady "$1" "$2"
	fi
}

# run_way WAY LOADER...: $command under all of them.
run_way() {
	local way=$1
	shift
	[ "$way" != profile ] || record || return
	while [ $# != 0 ] && [ -z "$late" ]; do
		compare "$limit" "$way" "$@"
		is_started || {
			count differs "$1" "$way"
			echo "@ difference $1 $way $setting $command: it does not start natively: $(head -n 1 "$work/native.err")"
			return
		}
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
	# shellcheck disable=SC2254 # a pattern
	case $1 in
	*/scripts/*) echo default ;;
	${EVERY-*}) echo "$ways" ;;
	*) echo "${ways%% *}" ;;
	esac
}

now() {
	local seconds
	read -r seconds _ </proc/uptime
	echo "${seconds%.*}"
}

# judge_files: $command compares execve's verdicts on files with the loaders' own.
judge_files() {
	local status=0
	# shellcheck disable=SC2086 # words
	timeout -s KILL 1200 $command >"$work/verdicts" 2>&1 || status=$?
	echo "@ verdicts $status $(tail -n 1 "$work/verdicts")"
	[ "$status" = 0 ] || tail -n 40 "$work/verdicts" | cut -c 1-200 | sed 's/^/# /'
}

# run_command: $command in all its ways, natively once.
run_command() {
	rm -rf "$work/here" "$work"/kept-* && mkdir "$work/here" && cd "$work/here" || exit
	echo "+ $(now) $command"
	case $command in
	*/python3\ *) judge_files ;;
	*) run_ways ;;
	esac
	echo "- $(now) $command"
}

run_ways() {
	local way loaders late=
	for way in $(ways_of "$command"); do
		eval "loaders=\$loaders_$way"
		if [ -n "$loaders" ] && [ -z "$late" ]; then
			# shellcheck disable=SC2086 # words
			run_way "$way" $loaders
		fi
	done
}

# work_off N: those commands that no other worker has taken.
work_off() {
	local command place=0
	work=/tmp/$1
	mkdir -p "$work/again" "/sys/fs/cgroup/$1"
	while read -r command; do
		place=$((place + 1))
		[ $((place % ${MACHINES:-1})) = "${MACHINE:-0}" ] || continue
		set -C
		if true 2>/dev/null >"/tmp/taken/$place"; then
			set +C
			run_command
		fi
		set +C
	done </commands
}

# work_under SETTING
work_under() {
	local setting=$1 worker=0 ways
	ways=$(ways_under "$setting")
	echo "$setting" >/sys/kernel/mm/transparent_hugepage/enabled || [ "$setting" = never ] || return
	find_ways
	rm -rf /tmp/taken && mkdir /tmp/taken
	while [ "$worker" -lt "$(nproc)" ]; do
		work_off "$worker" &
		worker=$((worker + 1))
	done
	wait
}

# native_works: whether a run is what it seems to be. Two runs that both fail to start would be the same.
native_works() {
	work=/tmp/first
	mkdir -p "$work" "/sys/fs/cgroup/${work##*/}"
	compare_here "$limit" "$work" /dev/null 0 0 1 setsid "$tree/prog1"
	[ "$(cat "$work/native.status")" = "exit 0" ] && [ -s "$work/native.out" ]
}

work_all() {
	local setting
	if ! native_works; then
		echo "@ difference: prog1 does not run at all: $(cat "$work/said" "$work/native.err")"
		return
	fi
	echo "@ kernel $(uname -r)"
	echo "@ page $(awk '/KernelPageSize/ { print $2 " KiB"; exit }' /proc/self/smaps)"
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
