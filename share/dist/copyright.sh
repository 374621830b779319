#!/bin/sh
#
# copyright.sh LOADER LICENSE PREFIX: what the licenses ask to be said of a built tree, in Debian's machine-readable
# format, on standard output. LOADER is asked what it contains; LICENSE is the toolkit's own; files are named as
# PREFIXbin/hybrid_loader.

set -eu

if [ $# -ne 3 ]; then
	echo "usage: $0 LOADER LICENSE PREFIX" >&2
	exit 125
fi
license=$2
prefix=$3
# What the loaders contain is what they say themselves.
inside=$("$1" --version | sed 1d)

# contains LIBRARY: whether the loaders do.
contains() {
	case $inside in *" $1 ("*) ;; *) false ;; esac
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

own=$(sed -n 's/^Copyright (c)/Copyright:/p' "$license")
cat <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Pagewise
Comment: Files are named as they are installed. The loaders are linked
 statically: they contain parts of the libraries named below. The objects that
 make leaves in build/ can be linked with another libelf, see Licenses in
 install.md.

Files: *
$own
License: Expat

Files: ${prefix}libexec/pagewise/*.run
$own
 2005-2020 Rich Felker, et al. (musl)
License: Expat

Files: ${prefix}bin/*_loader
 ${prefix}bin/pagewise
$own
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
sed '1,/^Copyright/d; s/^$/./; s/^/ /' "$license" | sed 1d
common_license "LGPL-3+" "Lesser General Public License" "version 3 or any later version" LGPL-3
common_license "GPL-2+" "General Public License" "version 2 or any later version" GPL-2
! contains glibc ||
	common_license "LGPL-2.1+" "Lesser General Public License" "version 2.1 or any later version" LGPL-2.1
! contains zlib || license_of_library Zlib zlib1g-dev
! contains zstd || {
	license_of_library BSD-3-clause libzstd-dev
	common_license "GPL-2" "General Public License" "version 2" GPL-2
}
