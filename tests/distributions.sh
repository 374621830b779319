#!/usr/bin/env bash
#
# distributions.sh [RELEASE]...: `make demo` and `make check` on bare systems of other releases, as root
# and as an ordinary user with sudo; by default on all that are listed below. Prints a table, in
# Markdown, for docs/platforms.md. Status 1 if one of the commands failed.
#
# Makes each system with debootstrap, once, and works in a layer above it that is thrown away; packages
# are downloaded once. Needs root, debootstrap, overlayfs, the distributions' mirrors, 4 GB of disk a
# release, and about 20 minutes for each line of the table. What is tested is the last commit.
#
# From the environment:
#   ROOTS          where the systems are kept and the logs written (/var/tmp/elf-loaders-roots)
#   USERS          root, user, or both
#   GOALS          demo, check, or both
#   DEBIAN_MIRROR, UBUNTU_MIRROR

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 125

source_tree=$PWD
roots=${ROOTS:-/var/tmp/elf-loaders-roots}
read -ra users <<<"${USERS:-root user}"
read -ra goals <<<"${GOALS:-demo check}"
debian=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
ubuntu=${UBUNTU_MIRROR:-http://archive.ubuntu.com/ubuntu}
failed=0

# suite_of RELEASE: its name for debootstrap, its components and its mirror.
suite_of() {
	case $1 in
	debian-11) echo "bullseye main $debian" ;;
	debian-12) echo "bookworm main $debian" ;;
	debian-13) echo "trixie main $debian" ;;
	debian-testing) echo "testing main $debian" ;;
	ubuntu-22.04) echo "jammy main,universe $ubuntu" ;;
	ubuntu-24.04) echo "noble main,universe $ubuntu" ;;
	ubuntu-26.04) echo "resolute main,universe $ubuntu" ;;
	*) return 1 ;;
	esac
}

releases=(debian-11 debian-12 debian-13 debian-testing ubuntu-22.04 ubuntu-24.04 ubuntu-26.04)
[ $# = 0 ] || releases=("$@")

stop() {
	echo "$0: $1" >&2
	exit 125
}

# make_system RELEASE: the bare system, and git and make, in $roots/RELEASE.
make_system() {
	local suite components mirror script=() signed=()
	[ ! -e "$roots/$1/made" ] || return 0
	read -r suite components mirror < <(suite_of "$1")
	# debootstrap knows the names of its own time only; all later releases are made alike.
	if [ ! -e "/usr/share/debootstrap/scripts/$suite" ]; then
		script=("/usr/share/debootstrap/scripts/$([[ $1 = ubuntu-* ]] && echo gutsy || echo sid)")
	fi
	if [[ $1 = ubuntu-* ]] && [ ! -e /usr/share/keyrings/ubuntu-archive-keyring.gpg ]; then
		echo "$1: no keyring of Ubuntu's here: its signatures are not checked" >&2
		signed=(--no-check-gpg)
	fi
	rm -rf "${roots:?}/$1"
	mkdir -p "$roots/$1/system" "$roots/$1/packages/partial"
	debootstrap --variant=minbase --include=git,make,sudo,ca-certificates \
		--components="$components" "${signed[@]}" "$suite" "$roots/$1/system" "$mirror" \
		"${script[@]}" >"$roots/$1/debootstrap.log" 2>&1 || return 1
	touch "$roots/$1/made"
}

# inside RELEASE USER: runs the script on standard input in the system, in a layer of its own, with
# mounts, processes and an environment that are not ours. The tree is at /source.
inside() {
	local layer
	layer=$(mktemp -d "$roots/$1/layer.XXXXXX") || return 125
	mkdir "$layer"/{upper,work,root}
	# shellcheck disable=SC2016 # for the inner shell
	unshare --mount --pid --fork --mount-proc bash -c '
		layer=$1 system=$2 source_tree=$3 root=$1/root
		mount -t overlay overlay \
			-o "lowerdir=$system,upperdir=$layer/upper,workdir=$layer/work" "$root" || exit 125
		mount -t proc proc "$root/proc"
		mount --rbind /sys "$root/sys"
		mount --rbind /dev "$root/dev"
		mkdir "$root/source"
		mount --bind "$source_tree" "$root/source"
		mount --bind "$system/../packages" "$root/var/cache/apt/archives"
		cp -L /etc/resolv.conf "$root/etc/resolv.conf"
		# Not chroot: nobody may make a user namespace in there.
		cd "$root" && pivot_root . . && umount -l . || exit 125
		exec env -i HOME=/root TERM=dumb \
			PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
			bash -s
	' bash "$layer" "$roots/$1/system" "$source_tree"
	local status=$?
	rm -rf "$layer"
	return $status
}

# The two commands as somebody new would type them: prints, for each goal, its status and seconds, and
# in the end what is installed.
# shellcheck disable=SC2016 # for the inner shell
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
		cat "/log.$goal" >&2
	done
	. /etc/os-release
	echo "name $PRETTY_NAME"
	echo "gcc $(gcc -dumpfullversion)"
	echo "libelf $(pkg-config --modversion libelf)"
	echo "musl $(dpkg-query -W -f "\${Version}" musl | sed "s/-.*//")"
	echo "libc $(as_user "cat loaders/build/libelf_libc")"
'

# counted LOG: tests of a log, as "N passed, N failed, N skipped".
counted() {
	tests/count.sh <"$1"
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
		[ "$word" != check ] || printf ': %s' "$(counted "$log")"
		printf ' |'
	done
	printf '\n'
}

main() {
	[ "$(id -u)" = 0 ] || stop "needs root, to make and enter other systems"
	command -v debootstrap >/dev/null || stop "debootstrap is missing: apt-get install debootstrap"
	for release in "${releases[@]}"; do
		suite_of "$release" >/dev/null || stop "unknown release '$release'; known: debian-11 to 13, debian-testing, ubuntu-22.04, 24.04, 26.04"
	done

	echo "| system | compiler | elfutils | musl, linked with |$(printf ' %s |' "${goals[@]}")"
	echo "|---|---|---|---|${goals[*]/*/---|}"
	for release in "${releases[@]}"; do
		if ! make_system "$release"; then
			echo "$release cannot be made: $roots/$release/debootstrap.log" >&2
			failed=1
			continue
		fi
		for user in "${users[@]}"; do
			row "$release" "$user"
		done
	done
	exit "$failed"
}

# All of it is read by now: the script may be changed while it runs.
main
