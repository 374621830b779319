#!/usr/bin/env bash
#
# distributions.sh [RELEASE]...: `make demo`, `make check` and `make check-all` on bare systems of other releases, as root
# and as an ordinary user with sudo; by default on all that are listed below. Prints a table, in
# Markdown, for docs/platforms.md. Status 1 if one of the commands failed.
#
# tests/systems.bash makes the systems, and says what it needs; besides, 4 GB of disk a release, and about 20 minutes for
# each line of the table. What is tested is the last commit.
#
# From the environment, besides its own:
#   USERS          root, user, or both
#   GOALS          some of demo, check and check-all

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 125

. tests/systems.bash
read -ra users <<<"${USERS:-root user}"
read -ra goals <<<"${GOALS:-demo check check-all}"
failed=0

releases=(debian-11 debian-12 debian-13 debian-testing ubuntu-22.04 ubuntu-24.04 ubuntu-26.04)
[ $# = 0 ] || releases=("$@")

# The two commands as somebody new would type them: prints, for each goal, its status and seconds, and
# in the end what is installed.
commands='
	set -u
	git config --system --add safe.directory "*"
	git clone -q --bare /source /clone && chmod -R a+rX /clone || exit 125
	# A mirror may be frozen at some day.
	echo "Acquire::Check-Valid-Until \"false\";" >/etc/apt/apt.conf.d/frozen-mirror
	if [ "$user" = user ]; then
		useradd --create-home --shell /bin/bash user
		echo "user ALL=(ALL) NOPASSWD: ALL" >/etc/sudoers.d/user
		as_user() { su - user -c "$1"; }
	else
		as_user() { (cd && bash -c "$1"); }
	fi
	as_user "git clone -q /clone loaders" || exit 125
	for goal in $goals; do
		begin=$SECONDS
		as_user "cd loaders && make $goal" </dev/null >"/log.$goal" 2>&1
		echo "$goal $? $((SECONDS - begin))"
		echo "goal: $goal" >&2
		cat "/log.$goal" >&2
	done
	. /etc/os-release
	echo "name $PRETTY_NAME"
	echo "gcc $(gcc -dumpfullversion)"
	echo "libelf $(pkg-config --modversion libelf)"
	echo "musl $(dpkg-query -W -f "\${Version}" musl | sed "s/-.*//")"
	echo "libc $(as_user "cat loaders/build/libelf_libc")"
'

# counted LOG GOAL: a goal's tests, as "N passed, N failed, N skipped".
counted() {
	sed -n "/^goal: $2\$/,/^goal: /p" "$1" | tests/count.sh
}

# row RELEASE USER: runs the commands and prints their line of the table.
row() {
	local log=$roots/$1/$2.log facts word rest
	declare -A fact=()
	facts=$(inside "$1" "$2" 2>"$log" < <(echo "user=$2 goals='${goals[*]}'"; echo "$commands")) ||
		failed=1
	while read -r word rest; do
		[ -z "$word" ] || fact[$word]=$rest
	done <<<"$facts"
	printf '| %s, %s | gcc %s | %s | %s, %s |' "${fact[name]-$1}" "$2" "${fact[gcc]-?}" \
		"${fact[libelf]-?}" "${fact[musl]-?}" "${fact[libc]-?}"
	for word in "${goals[@]}"; do
		read -r status seconds <<<"${fact[$word]-? ?}"
		[ "$status" = 0 ] || failed=1
		printf ' %s, %s s' "$([ "$status" = 0 ] && echo ok || echo "failed ($status)")" "$seconds"
		[ "$word" = demo ] || printf ': %s' "$(counted "$log" "$word")"
		printf ' |'
	done
	printf '\n'
}

main() {
	systems_need "${releases[@]}"
	echo "| system | compiler | elfutils | musl, linked with |$(printf ' %s |' "${goals[@]}")"
	echo "|---|---|---|---|${goals[*]/*/---|}"
	for release in "${releases[@]}"; do
		made "$release" || { failed=1; continue; }
		for user in "${users[@]}"; do
			row "$release" "$user"
		done
	done
	exit "$failed"
}

# All of it is read by now: the script may be changed while it runs.
main
