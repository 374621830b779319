#!/usr/bin/env bash
#
# debian_packages.sh [RELEASE]...: builds the Debian source package on bare systems, by default Debian 12, 13 and testing;
# prints a table, in Markdown, for docs/install.md. Status 1 if something failed; logs are in $ROOTS/RELEASE.
#
# `make deb-source` makes it here. On each system, in a layer above that is thrown away: as an ordinary user and with
# nothing but what Build-Depends names, dpkg-buildpackage with `make check-package`; that release's lintian on all that it
# made; and the commands of debian/tests with what debian/tests/control depends on.
#
# tests/systems.bash makes the systems, and says what it needs; besides, 2 GB of disk a release, and ten minutes.

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 125

. tests/systems.bash
releases=(debian-12 debian-13 debian-testing)
[ $# = 0 ] || releases=("$@")
failed=0

# Prints a word and what is to be said of it, a line each: for a step its status and seconds.
commands='
	set -u
	export DEBIAN_FRONTEND=noninteractive
	exec 3>&1 >&2
	echo "Acquire::Check-Valid-Until \"false\";" >/etc/apt/apt.conf.d/frozen-mirror
	useradd --create-home builder
	as_builder() { su - builder -c "$1"; }
	step() {
		local begin=$SECONDS status=0
		"${@:2}" </dev/null || status=$?
		echo "$1 $status $((SECONDS - begin))" >&3
		return $status
	}
	install() { apt-get -q -y install --no-install-recommends "$@"; }

	build() {
		apt-get -q update && apt-get -q -y purge git && apt-get -q -y build-dep ./*.dsc &&
			as_builder "dpkg-source -x *.dsc && cd pagewise-*/ && dpkg-buildpackage -us -uc"
	}
	look() {
		install lintian && as_builder "lintian --fail-on error,warning --info *.changes"
	}
	try() {
		install ./pagewise_*.deb $(sed -n "s/^Depends: pagewise,//p; s/^Depends://p" \
			pagewise-*/debian/tests/control | tr -d ,) || return
		for name in $(sed -n "s/^Tests: //p" pagewise-*/debian/tests/control); do
			as_builder "sh pagewise-*/debian/tests/$name" || return
		done
	}
	. /etc/os-release
	echo "name $PRETTY_NAME" >&3
	cd /home/builder && find /source/build/deb-source -maxdepth 1 -type f -exec install -o builder {} . \; || exit 1
	step build build || exit 1
	echo "gcc $(gcc -dumpfullversion)" >&3
	echo "debhelper $(dpkg-query -W -f "\${Version}" debhelper)" >&3
	step lintian look
	echo "with $(dpkg-query -W -f "\${Version}" lintian)" >&3
	step tests try
'

# row RELEASE: runs the commands and prints their line of the table.
row() {
	local log=$roots/$1/packages.log facts word rest status seconds
	declare -A fact=()
	facts=$(inside "$1" 2>"$log" <<<"$commands") || failed=1
	while read -r word rest; do
		[ -z "$word" ] || fact[$word]=$rest
	done <<<"$facts"
	printf '| %s | %s, %s |' "${fact[name]-$1}" "${fact[gcc]-?}" "${fact[debhelper]-?}"
	for word in build lintian tests; do
		read -r status seconds <<<"${fact[$word]-? ?}"
		[ "$status" = 0 ] || failed=1
		printf ' %s' "$([ "$status" = 0 ] && echo ok || echo "failed ($status)")"
		[ "$word" != build ] || printf ', %s s: %s' "$seconds" "$(tests/count.sh <"$log")"
		[ "$word" != lintian ] || printf ' with %s' "${fact[with]-?}"
		printf ' |'
	done
	printf '\n'
}

main() {
	systems_need "${releases[@]}"
	make -s deb-source >&2 || stop "there is no source package"
	echo "| system | gcc, debhelper | build and its check | lintian | tests |"
	echo "|---|---|---|---|---|"
	for release in "${releases[@]}"; do
		if made "$release"; then row "$release"; else failed=1; fi
	done
	exit "$failed"
}

# All of it is read by now: the script may be changed while it runs.
main
