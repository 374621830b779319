# Bare systems of other releases, for the scripts that source this: made with debootstrap, once, and entered in a
# layer above that is thrown away; packages are downloaded once. Needs root, debootstrap, overlayfs and the
# distributions' mirrors.
#
# From the environment:
#   ROOTS          where the systems are kept and the logs written (/var/tmp/elf-loaders-roots)
#   DEBIAN_MIRROR, UBUNTU_MIRROR
#
# shellcheck shell=bash

source_tree=$PWD
roots=${ROOTS:-/var/tmp/elf-loaders-roots}
debian=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
ubuntu=${UBUNTU_MIRROR:-http://archive.ubuntu.com/ubuntu}

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

# systems_need RELEASE...: stops where no system can be made, or one of these is unknown.
systems_need() {
	local release
	[ "$(id -u)" = 0 ] || stop "needs root, to make and enter other systems"
	command -v debootstrap >/dev/null || stop "debootstrap is missing: apt-get install debootstrap"
	for release in "$@"; do
		suite_of "$release" >/dev/null || stop "unknown release '$release'; known: debian-11 to 13, debian-testing, ubuntu-22.04, 24.04, 26.04"
	done
}

# made RELEASE: whether it can be made, or said why not.
made() {
	make_system "$1" && return
	echo "$1 cannot be made: $roots/$1/debootstrap.log" >&2
	return 1
}
