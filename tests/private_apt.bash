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
