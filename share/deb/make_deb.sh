#!/bin/sh
#
# make_deb.sh TREE VERSION ARCHITECTURE PACKAGE: makes a Debian package of what make install put into TREE.
#
#   MAINTAINER         "Name <address>"; by default the last commit's author
#   SOURCE_DATE_EPOCH  the changelog's date, and every file's

# shellcheck source=share/dist/begin.sh
. "$(dirname "$0")/../dist/begin.sh"
begin "TREE VERSION ARCHITECTURE PACKAGE" "$@"
tree=$1
version=$2
architecture=$3
package=$4
here=$(dirname "$0")
doc=$tree/usr/share/doc/pagewise
maintainer=$(maintainer)

# compress FILE: without a time, so that the same tree makes the same package.
compress() {
	gzip -9nf "$1"
}

"$here/../dist/strip.sh" "$tree/usr"
for page in "$tree"/usr/share/man/man[1-8]/*.[1-8]; do
	compress "$page"
done

"$here/../dist/copyright.sh" "$tree/usr/bin/hybrid_loader" "$doc/LICENSE" usr/ >"$doc/copyright"
rm "$doc/LICENSE"
cat >"$doc/changelog" <<END
pagewise ($version) unstable; urgency=medium

  * As built by make deb.

 -- $maintainer  $(date_of_all)
END
compress "$doc/changelog"
install -D -m 644 "$here/lintian-overrides" "$tree/usr/share/lintian/overrides/pagewise"

mkdir -p "$tree/DEBIAN"
(cd "$tree" && find usr -type f | sort | xargs md5sum) >"$tree/DEBIAN/md5sums"
sed -e "s/@VERSION@/$version/" -e "s/@ARCHITECTURE@/$architecture/" -e "s|@MAINTAINER@|$maintainer|" \
	-e "s/@SOURCES@/$("$here/../dist/built_using.sh" "$tree/usr/bin/hybrid_loader")/" -e "s/@SIZE@/$(du -sk --apparent-size "$tree/usr" | cut -f 1)/" \
	"$here/control.in" >"$tree/DEBIAN/control"
chmod -R u=rwX,go=rX "$tree"
dpkg-deb --root-owner-group -b "$tree" "$package"
