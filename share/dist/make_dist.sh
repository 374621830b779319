#!/bin/sh
#
# make_dist.sh VERSION PROCESSOR STAGE FOLDER: makes the files of a release in FOLDER: the source, what `make install` has put
# into STAGE as an archive, the bill of materials of that, and SHA256SUMS. The same tree and the same compiler make the
# same bytes in any folder and at any time.
#
#   SOURCE_DATE_EPOCH  the time of all files in the archives

# shellcheck source=share/dist/begin.sh
. "$(dirname "$0")/begin.sh"
begin "VERSION PROCESSOR STAGE FOLDER" "$@"
version=$1
stage=$3
folder=$4
here=$(dirname "$0")
name=pagewise-$version
built=$name-linux-$2

# The tree's files: those that git has or, in an archive of the source, all but what .gitignore names.
files() {
	if [ -e .git ]; then
		git ls-files
	else
		ignored=$(sed 's|^/|./|; s|/$||' .gitignore)
		find . -type f | grep -vE "^($(echo "$ignored" | tr '\n' '|' | sed 's/|$//'))(/|\$)|/__pycache__/" | sed 's|^\./||'
	fi | sort
}

# archive FOLDER NAME: its files in an archive, all of them root's and of one time.
archive() {
	chmod -R u=rwX,go=rX "$1/$2"
	tar -c -C "$1" --format=ustar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner "$2" |
		gzip -9n >"$folder/$2.tar.gz"
}

# The licenses' own texts, because a system without Debian's copies may unpack the archive.
license_texts() {
	for text in GPL-2 GPL-3 LGPL-2.1 LGPL-3; do
		[ -e "/usr/share/common-licenses/$text" ] || {
			echo "$0: there is no /usr/share/common-licenses/$text, which an archive with libelf needs: build it on Debian or Ubuntu" >&2
			exit 125
		}
		cp -L "/usr/share/common-licenses/$text" "$1"
	done
}

mkdir -p "$folder/source/$name" "$folder/built"
files >"$folder/files"
tar -c -f "$folder/files.tar" -T "$folder/files"
tar -x -f "$folder/files.tar" -C "$folder/source/$name"
rm "$folder/files" "$folder/files.tar"
archive "$folder/source" "$name"

mv "$stage/usr/local" "$folder/built/$built"
doc=$folder/built/$built/share/doc/pagewise
"$here/strip.sh" "$folder/built/$built"
"$here/copyright.sh" "$folder/built/$built/bin/hybrid_loader" LICENSE "" >"$doc/copyright"
mkdir "$doc/licenses"
license_texts "$doc/licenses"
"$here/sbom.sh" "$folder/built/$built/bin/hybrid_loader" >"$folder/$name.cdx.json"
cp "$folder/$name.cdx.json" "$doc/sbom.cdx.json"
archive "$folder/built" "$built"

rm -r "$folder/source" "$folder/built"
cd "$folder"
sha256sum "$name.tar.gz" "$built.tar.gz" "$name.cdx.json" >SHA256SUMS
ls
