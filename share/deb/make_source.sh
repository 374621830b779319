#!/bin/sh
#
# make_source.sh VERSION ARCHIVE FOLDER: makes a Debian source package in FOLDER of the source's ARCHIVE, as make dist
# makes it, and of debian/ beside this script.
#
#   MAINTAINER         "Name <address>"; by default the last commit's author
#   SOURCE_DATE_EPOCH  the changelog's date

# shellcheck source=share/dist/begin.sh
. "$(dirname "$0")/../dist/begin.sh"
begin "VERSION ARCHIVE FOLDER" "$@"
command -v dpkg-source >/dev/null || {
	echo "$0: there is no dpkg-source: apt-get install dpkg-dev" >&2
	exit 125
}
version=$1
folder=$3
here=$(dirname "$0")
tree=$folder/pagewise-$version

mkdir -p "$tree"
tar -x --strip-components=1 -C "$tree" -f "$2"
cp -r "$here/debian" "$here/lintian-overrides" "$tree"
mv "$tree/lintian-overrides" "$tree/debian/pagewise.lintian-overrides"
license=$(sed '1,/^Copyright/d; s/^$/./; s/^/ /' LICENSE | sed 1d)
for file in control changelog copyright; do
	MAINTAINER=$(maintainer) VERSION=$version DATE=$(date_of_all) \
		COPYRIGHT=$(sed -n 's/^Copyright (c)/Copyright:/p' LICENSE) LICENSE="License: Expat
$license" awk '{
		for (name in ENVIRON)
			while ((at = index($0, "@" name "@")) > 0)
				$0 = substr($0, 1, at - 1) ENVIRON[name] substr($0, at + length(name) + 2)
		print
	}' "$here/debian/$file" >"$tree/debian/$file"
done
(cd "$folder" && dpkg-source -b "pagewise-$version")
