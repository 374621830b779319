# begin.sh: sourced by each script that makes packages or archives. Modes, and the order of names, are the same for
# every user who makes them.
# shellcheck shell=sh

set -eu
umask 022
export LC_ALL=C

# begin WORDS ARGUMENT...: the script wants an argument for each of WORDS, and the time that all it makes shall have.
begin() {
	words=$1
	shift
	# shellcheck disable=SC2086 # WORDS are counted
	if [ -z "${SOURCE_DATE_EPOCH-}" ] || [ $# -ne "$(set -- $words && echo $#)" ]; then
		echo "usage: SOURCE_DATE_EPOCH=SECONDS $0 $words" >&2
		exit 125
	fi
}

# maintainer: "Name <address>": MAINTAINER, or the last commit's author.
maintainer() {
	echo "${MAINTAINER:-$(git -C "$(dirname "$0")" log -1 --format='%an <%ae>' 2>/dev/null || echo "nobody <nobody@localhost>")}"
}

# date_of_all: SOURCE_DATE_EPOCH as Debian's changelogs have it.
date_of_all() {
	date -u -R -d "@$SOURCE_DATE_EPOCH"
}
