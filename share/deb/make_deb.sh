#!/bin/sh
#
# make_deb.sh TREE VERSION PACKAGE: makes a Debian package of what make install put into TREE.
#
#   MAINTAINER         "Name <address>"; by default the last commit's author
#   SOURCE_DATE_EPOCH  the changelog's date, and every file's; by default the last commit's, or the
#                      Makefile's where there is no git

set -eu
umask 022

tree=$1
version=$2
package=$3
here=$(dirname "$0")
doc=$tree/usr/share/doc/elf-loaders
maintainer=${MAINTAINER:-$(git -C "$here" log -1 --format='%an <%ae>' 2>/dev/null || echo "nobody <nobody@localhost>")}
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct 2>/dev/null || stat -c %Y "$here/../../Makefile")}
export SOURCE_DATE_EPOCH

# compress FILE: without a time, so that the same tree makes the same package.
compress() {
	gzip -9nf "$1"
}

find "$tree/usr" -type f -exec sh -c '
	for file; do
		head -c 4 "$file" | grep -q "ELF" || continue
		strip --strip-unneeded -R .comment -R .note.gnu.property "$file"
	done' sh {} +
for page in "$tree"/usr/share/man/man1/*.1; do
	compress "$page"
done

{
	cat <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: elf-loaders

Files: *
$(sed -n 's/^Copyright (c)/Copyright:/p' "$doc/LICENSE")
License: Expat

License: Expat
END
	sed '1,/^Copyright/d; s/^$/./; s/^/ /' "$doc/LICENSE" | sed 1d
} >"$doc/copyright"
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
	-e "s/@SIZE@/$(du -sk --apparent-size "$tree/usr" | cut -f 1)/" \
	"$here/control.in" >"$tree/DEBIAN/control"
chmod -R u=rwX,go=rX "$tree"
dpkg-deb --root-owner-group -b "$tree" "$package"
