#!/bin/sh
#
# built_using.sh LOADER: the source packages that what is linked into the loaders is from, as Debian's field
# Static-Built-Using wants them. LOADER is asked what that is.

set -eu

if [ $# -ne 1 ]; then
	echo "usage: $0 LOADER" >&2
	exit 125
fi
inside=$("$1" --version | sed 1d)

# source_of LIBRARY PACKAGE: if the library is in them.
source_of() {
	case $inside in *" $1 ("*) dpkg-query -W -f ', ${source:Package} (= ${source:Version})' "$2" ;; esac
}

sources=$(source_of libelf libelf-dev)$(source_of musl musl-dev)$(source_of glibc libc6-dev)
sources=$sources$(source_of zlib zlib1g-dev)$(source_of zstd libzstd-dev)
echo "${sources#, }"
