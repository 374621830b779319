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

# common_license NAME TITLE VERSION FILE: a stanza for one whose text every Debian system has.
common_license() {
	cat <<END

License: $1
 This may be redistributed and modified under the terms of the GNU $2,
 $3, as published by the Free Software Foundation. It comes
 without any warranty.
 .
 On Debian systems the text is in /usr/share/common-licenses/$4.
END
}

# license_of_library NAME PACKAGE: a stanza with the text that the library's package has for it; where it
# has none of that name, with all that it says.
license_of_library() {
	file=/usr/share/doc/$2/copyright
	text=$(awk -v RS= -v first="License: $1" 'index($0, first "\n") == 1' "$file" | sed 1d)
	[ -n "$text" ] || text=$(sed 's/^$/./; s/^/ /' "$file")
	printf '\nLicense: %s\n%s\n' "$1" "$text"
}

find "$tree/usr" -type f -exec sh -c '
	for file; do
		head -c 4 "$file" | grep -q "ELF" || continue
		strip --strip-unneeded -R .comment -R .note.gnu.property "$file"
	done' sh {} +
for page in "$tree"/usr/share/man/man[1-8]/*.[1-8]; do
	compress "$page"
done

# What the loaders contain is what they say themselves.
inside=$("$tree/usr/bin/hybrid_loader" --version | sed 1d)

# contains LIBRARY: whether the loaders do.
contains() {
	case $inside in *" $1 ("*) ;; *) false ;; esac
}

{
	cat <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: elf-loaders
Comment: Files are named as the package installs them. The loaders are linked
 statically: they contain parts of the libraries named below. The objects that
 make leaves in build/ can be linked with another libelf, see Licences in
 install.md.

Files: *
$(sed -n 's/^Copyright (c)/Copyright:/p' "$doc/LICENSE")
License: Expat

Files: usr/libexec/elf-loaders/*.run usr/bin/page-layout usr/bin/page-profile
$(sed -n 's/^Copyright (c)/Copyright:/p' "$doc/LICENSE")
 2005-2020 Rich Felker, et al. (musl)
License: Expat

Files: usr/bin/*_loader
$(sed -n 's/^Copyright (c)/Copyright:/p' "$doc/LICENSE")
 1996-2024 Red Hat, Inc. and others (libelf, of elfutils)
END
	! contains musl || echo " 2005-2020 Rich Felker, et al. (musl)"
	! contains glibc || echo " 1991-2024 Free Software Foundation, Inc. (glibc)"
	! contains zlib || echo " 1995-2024 Jean-loup Gailly and Mark Adler (zlib)"
	! contains zstd || echo " Meta Platforms, Inc. and affiliates (zstd)"
	printf 'License: Expat and (LGPL-3+ or GPL-2+)'
	! contains glibc || printf ' and LGPL-2.1+'
	! contains zlib || printf ' and Zlib'
	! contains zstd || printf ' and (BSD-3-clause or GPL-2)'
	printf '\n\nLicense: Expat\n'
	sed '1,/^Copyright/d; s/^$/./; s/^/ /' "$doc/LICENSE" | sed 1d
	common_license "LGPL-3+" "Lesser General Public License" "version 3 or any later version" LGPL-3
	common_license "GPL-2+" "General Public License" "version 2 or any later version" GPL-2
	! contains glibc ||
		common_license "LGPL-2.1+" "Lesser General Public License" "version 2.1 or any later version" LGPL-2.1
	! contains zlib || license_of_library Zlib zlib1g-dev
	! contains zstd || {
		license_of_library BSD-3-clause libzstd-dev
		common_license "GPL-2" "General Public License" "version 2" GPL-2
	}
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
