#!/bin/sh
#
# sbom.sh LOADER: what is linked into the loaders, as a bill of materials on standard output (CycloneDX 1.5). LOADER is
# asked what that is; dpkg says which versions, where it knows.

set -eu

if [ $# -ne 1 ]; then
	echo "usage: $0 LOADER" >&2
	exit 125
fi
loader=$1
inside=$("$loader" --version | sed 1d)
version=$("$loader" --version | sed -n '1s/.* //p')
architecture=$(dpkg --print-architecture 2>/dev/null) || architecture=unknown
distribution=$(sed -n 's/^ID=//p' /etc/os-release 2>/dev/null || true)

# component NAME PACKAGE LICENSE: one that LOADER names, with the version of the package that it is from.
component() {
	case $inside in *" $1 ("*) ;; *) return 0 ;; esac
	found=$(dpkg-query -W -f '${Version}' "$2" 2>/dev/null) || found=unknown
	printf '%s    {\n      "type": "library",\n      "name": "%s",\n      "version": "%s",\n' "$separator" "$1" "$found"
	printf '      "purl": "pkg:deb/%s/%s@%s?arch=%s",\n' "${distribution:-debian}" "$2" "$found" "$architecture"
	printf '      "licenses": [{"expression": "%s"}]\n    }' "$3"
	separator=',
'
}

separator=
cat <<END
{
  "bomFormat": "CycloneDX",
  "specVersion": "1.5",
  "version": 1,
  "metadata": {
    "component": {
      "type": "application",
      "name": "pagewise",
      "version": "$version",
      "licenses": [{"expression": "MIT"}]
    }
  },
  "components": [
END
component libelf libelf-dev "LGPL-3.0-or-later OR GPL-2.0-or-later"
component musl musl-dev "MIT"
component glibc libc6-dev "LGPL-2.1-or-later"
component zlib zlib1g-dev "Zlib"
component zstd libzstd-dev "BSD-3-Clause OR GPL-2.0-only"
printf '\n  ]\n}\n'
