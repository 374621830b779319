#!/bin/sh
#
# make_deb.sh TREE VERSION PACKAGE: makes a Debian package of what make install put into TREE.
#
#   MAINTAINER         "Name <address>"; by default the last commit's author
#   SOURCE_DATE_EPOCH  the changelog's date, and every file's

set -eu
umask 022

if [ $# -ne 3 ] || [ -z "${SOURCE_DATE_EPOCH-}" ]; then
	echo "usage: SOURCE_DATE_EPOCH=SECONDS $0 TREE VERSION PACKAGE" >&2
	exit 125
fi
tree=$1
version=$2
package=$3
here=$(dirname "$0")
doc=$tree/usr/share/doc/elf-loaders
maintainer=${MAINTAINER:-$(git -C "$here" log -1 --format='%an <%ae>' 2>/dev/null || echo "nobody <nobody@localhost>")}

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
elf-loaders ($version) unstable; urgency=medium

  * As built by make deb.

 -- $maintainer  $(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
END
compress "$doc/changelog"
install -D -m 644 "$here/lintian-overrides" "$tree/usr/share/lintian/overrides/elf-loaders"

mkdir -p "$tree/DEBIAN"
(cd "$tree" && find usr -type f | LC_ALL=C sort | xargs md5sum) >"$tree/DEBIAN/md5sums"
sed -e "s/@VERSION@/$version/" -e "s|@MAINTAINER@|$maintainer|" \
	-e "s/@SOURCES@/$("$here/../dist/built_using.sh" "$tree/usr/bin/hybrid_loader")/" -e "s/@SIZE@/$(du -sk --apparent-size "$tree/usr" | cut -f 1)/" \
	"$here/control.in" >"$tree/DEBIAN/control"
chmod -R u=rwX,go=rX "$tree"
dpkg-deb --root-owner-group -b "$tree" "$package"
