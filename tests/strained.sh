#!/usr/bin/env bash
#
# strained.sh [STRAIN]...: tests and random guests once more, where something is short. Without a name, each in turn:
#
#   load       50 processes spin beside them, so that a thread loses the processor wherever it is
#   memory     in a control group of 512 MiB, file cache included
#   addresses  with 2 GiB of address space (RLIMIT_AS)
#   limits     with 100 descriptors, no locked memory and a stack of 256 KiB
#
# What must be so is what the tests say anyway: the program runs as natively, and nothing hangs. A test that needs what is
# short says so and is skipped. Status 1 if a test failed; 2 if a strain could not be made here.
#
# From the environment:
#   TESTS    names of files of tests (tests/NAME.bats); by default those below
#   SECONDS_OF_GUESTS  how long guests chosen at random run under each strain (30); SEED as for soak.sh
#   LOAD     how many processes spin (50)

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 125

# Under load each takes some 25 times as long, so that the longest are left out.
all=(programs guests arguments entry_state faults identity calls files engines address_space profiles memory marks
	residency processes mutations random signals threads placing)
loaded=(programs faults calls files engines)
status=0

# run_tests NAME...: and then guests at random.
run_tests() {
	local seconds=${SECONDS_OF_GUESTS:-30} names=("$@") failed=0
	[ -z "${TESTS-}" ] || read -ra names <<<"$TESTS"
	names=("${names[@]/#/tests/}")
	tests/run.py "${names[@]/%/.bats}" || failed=1
	[ "$seconds" = 0 ] || tests/soak.sh "$seconds" || failed=1
	return $failed
}

# not_here STRAIN REASON
not_here() {
	echo "# $1 is left out: $2"
	return 2
}

# Ends with this script, however that ends.
spin() {
	local i
	while kill -0 $$ 2>/dev/null; do
		for ((i = 0; i < 100000; i++)); do :; done
	done
}

under_load() {
	local spinning=() failed=0 i
	for ((i = 0; i < ${LOAD:-50}; i++)); do
		spin &
		spinning+=($!)
	done
	run_tests "${loaded[@]}" || failed=1
	kill "${spinning[@]}"
	wait "${spinning[@]}" 2>/dev/null
	return $failed
}

in_group() {
	local folder=/sys/fs/cgroup limit=memory.max group failed=0
	[ ! -d "$folder/memory" ] || folder+=/memory limit=memory.limit_in_bytes
	group=$folder/strained-$$
	mkdir "$group" 2>/dev/null || {
		not_here memory "no control group can be made in $folder"
		return
	}
	if echo $((512 << 20)) 2>/dev/null >"$group/$limit"; then
		# This shell stays outside, and removes the group.
		(echo "$BASHPID" >"$group/cgroup.procs" && run_tests "${all[@]}") || failed=1
	else
		not_here memory "the control groups here do not limit memory" || failed=2
	fi
	rmdir "$group"
	return $failed
}

[ $# != 0 ] || set -- load memory addresses limits
for strain; do
	printf '\n# strained: %s\n' "$strain"
	case $strain in
	load) under_load ;;
	memory) in_group ;;
	addresses) (ulimit -v $((2 << 20)) && run_tests "${all[@]}") ;;
	limits) (ulimit -n 100 && ulimit -l 0 && ulimit -s 256 && run_tests "${all[@]}") ;;
	*)
		echo "$0: there is no strain '$strain', but load, memory, addresses and limits" >&2
		exit 125
		;;
	esac || status=$?
done
exit $status
