# shellcheck shell=bash
#
# Packages of another release or architecture, without a change to the system's own lists of packages and without
# privilege. Sourced by the scripts that unpack such packages.
#
#   DEBIAN_MIRROR  (http://deb.debian.org/debian)

# configure_apt FOLDER SUITE [ARCHITECTURE]: makes FOLDER/apt.conf, for APT_CONFIG. The lists and packages of that release
# stay in FOLDER.
configure_apt() {
	local place=$1 suite=$2 architecture=${3:-amd64} keys trusted='trusted=yes'
	mkdir -p "$place"/{lists,archives}/partial "$place/state" || return
	for keys in /usr/share/keyrings/debian-archive-keyring.*; do
		[ ! -e "$keys" ] || trusted="signed-by=$keys"
	done
	[[ $trusted == signed* ]] || echo "$suite: no keyring of Debian's here: its signatures are not checked" >&2
	echo "deb [$trusted] ${DEBIAN_MIRROR:-http://deb.debian.org/debian} $suite main" >"$place/sources.list"
	cat >"$place/apt.conf" <<-END
		Dir::Etc::SourceList "$place/sources.list";
		Dir::Etc::SourceParts "-";
		Dir::State "$place/state";
		Dir::State::Lists "$place/lists";
		Dir::State::status "/dev/null";
		Dir::Cache "$place";
		Acquire::Languages "none";
		Acquire::Check-Valid-Until "false";
		APT::Architecture "$architecture";
		APT::Architectures "$architecture";
		APT::Sandbox::User "";
	END
}

# with_dependencies PACKAGE...: these and all packages that they need, for apt-get download.
with_dependencies() {
	apt-cache depends --recurse --no-{recommends,suggests,conflicts,breaks,replaces,enhances} "$@" |
		grep '^[a-z]' | sort -u
}

# depends PACKAGE PATTERN: the first package it depends on whose name matches.
depends() {
	apt-cache depends "$1" | sed -n "s/^ *Depends: \($2\)$/\1/p" | head -n 1
}

# fetch_kernel FOLDER SUITE PACKAGE [ARCHITECTURE]: FOLDER/vmlinuz, from the package that holds it: linux-image-VERSION, which
# has it in /boot, or since 7.x linux-binary-VERSION, which may have it beside the modules. PACKAGE depends on the newest.
fetch_kernel() {
	local place=$1 image binary
	local -x APT_CONFIG=$1/apt.conf
	[ ! -e "$place/vmlinuz" ] || return 0
	configure_apt "$place" "$2" "${4:-amd64}" || return
	(
		cd "$place" && apt-get -qq update || exit
		image=$(depends "$3" 'linux-image-[0-9].*')
		binary=$(depends "$image" 'linux-binary-.*')
		rm -rf ./*.deb system
		apt-get -qq download "${binary:-$image}" && dpkg-deb -x ./*.deb system || exit
		image=$(find system -name 'vmlinu[xz]*' -type f | head -n 1)
		[ -n "$image" ] && mv "$image" vmlinuz || exit
		rm -rf ./*.deb system lists archives
	)
}
