#!/usr/bin/env bats
#
# What a release consists of, and that anybody can make the same one.

load helpers

setup() {
	cd "$ROOT" || return
	SOURCE=pagewise-$(sed -n 's/^VERSION := //p' Makefile)
}

# release FOLDER: `make dist` there.
release() {
	fresh_make -C "$1" -j2 dist
}

# Made once, for all tests.
setup_file() {
	cd "$BATS_TEST_DIRNAME/.." || return
	release .
	cp -r build/dist "$BATS_FILE_TMPDIR/release"
}

@test "the same release in another folder, without git, at another time and with another umask" {
	local first=$BATS_FILE_TMPDIR/release there=$BATS_TEST_TMPDIR/there name
	mkdir "$there"
	tar -x --strip-components=1 -C "$there" -f "$first/$SOURCE.tar.gz"
	(umask 077 && TZ=Asia/Tokyo LC_ALL=C.UTF-8 release "$there")
	[ "$(ls "$first")" = "$(ls "$there/build/dist")" ]
	[ "$(find "$first" -type f | wc -l)" = 4 ]
	for name in "$first"/*; do
		cmp "$name" "$there/build/dist/${name##*/}"
	done
}

@test "the archive of the source is what git has" {
	[ -e .git ] || skip "no repository"
	git status --porcelain >/dev/null 2>&1 || skip "git does not read this repository"
	diff <(git ls-files | sort) <(tar -t -f "$BATS_FILE_TMPDIR/release/$SOURCE.tar.gz" |
		grep -v '/$' | cut -d / -f 2- | sort)
}

@test "the archive of what is built runs where it is unpacked, and says what is in it" {
	local there=$BATS_TEST_TMPDIR/there release=$BATS_FILE_TMPDIR/release tool
	mkdir "$there"
	tar -x --strip-components=1 -C "$there" -f "$release/$SOURCE-linux-$(uname -m).tar.gz"
	for tool in "$there"/bin/*; do
		"$tool" --version
	done
	[ "$("$there/bin/hybrid_loader" ./prog1)" = hello! ]
	for tool in "$there"/bin/*; do
		[ -s "$there/share/man/man1/${tool##*/}.1" ]
	done
	[ -s "$there/share/bash-completion/completions/hybrid_loader" ]
	[ -s "$there/share/zsh/site-functions/_loaders" ]
	[ -s "$there/share/doc/pagewise/licenses/LGPL-3" ]
	grep -q '^Files: bin/\*_loader$' "$there/share/doc/pagewise/copyright"
	cmp "$there/share/doc/pagewise/sbom.cdx.json" "$release/$SOURCE.cdx.json"
	# No folder of the machine that built it, and nothing to debug it.
	run grep -rlF "$ROOT" "$there"
	[ -z "$output" ]
	run readelf -S "$there/bin/hybrid_loader"
	[[ $output != *.debug_info* ]]
}

@test "the sums are right, and the bill of materials names each library that --version names, with its version" {
	cd "$BATS_FILE_TMPDIR/release" || return
	sha256sum --strict -c SHA256SUMS
	[ "$(wc -l <SHA256SUMS)" = 3 ]
	python3 - "$SOURCE.cdx.json" "$("$ROOT/hybrid_loader" --version)" <<-'END'
		import json, re, subprocess, sys
		bill = json.load(open(sys.argv[1]))
		first, inside = sys.argv[2].split("\n")
		assert bill["metadata"]["component"]["version"] == first.split()[1]
		assert [c["name"] for c in bill["components"]] == re.findall(r"(\w+) \(", inside), bill
		for component in bill["components"]:
		    package = re.match(r"pkg:deb/\w+/([^@]+)@", component["purl"])[1]
		    found = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True)
		    assert component["version"] == (found.stdout if found.returncode == 0 else "unknown"), component
	END
}

@test "the scripts say how they are called" {
	for script in dist/built_using.sh dist/copyright.sh dist/make_dist.sh dist/sbom.sh dist/strip.sh deb/make_deb.sh \
		deb/make_source.sh; do
		refuses "usage: " "share/$script"
	done
}

@test "Debian's source package is built by debhelper, and lintian is content with both" {
	type -P dh >/dev/null || skip "debhelper is not installed"
	local folder=$BATS_TEST_TMPDIR/source x=$BATS_TEST_TMPDIR/x
	SOURCE_DATE_EPOCH=$(date +%s) MAINTAINER="A. Nobody <nobody@nowhere.example>" share/deb/make_source.sh \
		"${SOURCE#pagewise-}" "$BATS_FILE_TMPDIR/release/$SOURCE.tar.gz" "$folder"
	tar -t -f "$folder"/pagewise_*.tar.xz "$SOURCE/.gitignore"
	dpkg-checkbuilddeps "$folder/$SOURCE/debian/control" || skip "what it is built with is not installed"
	(cd "$folder/$SOURCE" && env -u MAKEFLAGS -u MAKELEVEL DEB_BUILD_OPTIONS="nocheck parallel=2" \
		dpkg-buildpackage -us -uc) >"$BATS_TEST_TMPDIR/log" 2>&1 3>&- 4>&- || { tail -n 30 "$BATS_TEST_TMPDIR/log" && false; }
	dpkg -x "$folder"/pagewise_*_"$(dpkg --print-architecture)".deb "$x"
	[ "$("$x/usr/bin/hybrid_loader" ./prog1)" = hello! ]
	grep -q '^Files: usr/bin/\*_loader$' "$x/usr/share/doc/pagewise/copyright"
	dpkg-deb -f "$folder"/pagewise_*_"$(dpkg --print-architecture)".deb Static-Built-Using | grep -q '^elfutils (= '
	! type -P lintian >/dev/null || lintian --fail-on error,warning "$folder"/pagewise_*_"$(dpkg --print-architecture)".changes
}

@test "without dpkg-source no source package is begun: which package has it" {
	local tools=$BATS_TEST_TMPDIR/tools
	mkdir "$tools" && ln -s "$(type -P dirname)" "$(type -P sh)" "$tools"
	SOURCE_DATE_EPOCH=1 ends 125 env PATH="$tools" share/deb/make_source.sh 1.0.0 archive "$BATS_TEST_TMPDIR/begun"
	says "there is no dpkg-source: apt-get install dpkg-dev"
	[ ! -e "$BATS_TEST_TMPDIR/begun" ]
}

@test "what autopkgtest runs: three programs are the same under each loader, and a loader that changes one is noticed" {
	requires busybox python3
	local fake=$BATS_TEST_TMPDIR/fake
	PATH=$ROOT:$PATH ends 0 share/deb/debian/tests/loaders
	grep -q "nine runs are as they are natively" "$BATS_TEST_TMPDIR/out"
	mkdir "$fake"
	printf '#!/bin/sh\n"$@"\nexit 1\n' >"$fake/on_demand_loader"
	chmod +x "$fake/on_demand_loader"
	PATH=$fake:$ROOT:$PATH ends 1 share/deb/debian/tests/loaders
}
