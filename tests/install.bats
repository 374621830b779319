#!/usr/bin/env bats
#
# How the toolkit gets onto a machine and off it again, and its man pages.

load helpers

setup() {
	cd "$ROOT" || return
	D=$BATS_TEST_TMPDIR/destination
	mkdir "$D"
}

files() {
	find "$1" ! -type d | sort
}

works() {
	[ "$("$1/hybrid_loader" ./prog1)" = hello! ] && [ "$("$1/on_demand_loader" ./prog1)" = hello! ] &&
		"$1/all_at_once_loader" --version && "$1/loader-binfmt" --help >/dev/null
}

# uses_placement TREE: a program is linked with the library by what pkg-config says.
uses_placement() {
	cat >"$D/program.c" <<-'END'
		#include <placement.h>
		#include <stdio.h>
		int main(void)
		{
			struct placement_strategy strategy;
			printf("%d\n", placement_parse("coloring:16", &strategy));
			return strategy.base == 16 ? 0 : 1;
		}
	END
	# shellcheck disable=SC2046 # words
	PKG_CONFIG_PATH=$1/lib/pkgconfig gcc -o "$D/program" "$D/program.c" \
		$(PKG_CONFIG_PATH=$1/lib/pkgconfig pkg-config --define-variable=prefix="$1" \
			--define-variable=libdir="$1/lib" --define-variable=includedir="$1/include" --cflags --libs placement)
	[ "$("$D/program")" = 0 ]
	rm "$D/program" "$D/program.c"
}

# dead_links FOLDER: links of the documents there that lead to no file.
dead_links() {
	local file link
	find "$1" -name '*.md' | while read -r file; do
		grep -oP '\]\(\K[^)#:]+(?=[)#])' "$file" | while read -r link; do
			[ -e "${file%/*}/$link" ] || echo "$file: $link"
		done
	done
}

@test "make install, make uninstall" {
	echo "somebody's" >"$D/other"
	fresh_make install DESTDIR="$D" PREFIX=/opt/x
	works "$D/opt/x/bin"
	version=$(sed -n 's/^VERSION := //p' Makefile)
	for page in $LOADERS loader-binfmt page-layout page-profile pagewise; do
		[ -s "$D/opt/x/share/man/man1/${page##*/}.1" ]
	done
	for tool in "$D"/opt/x/bin/*; do
		[ "$("$tool" --version | head -n 1)" = "${tool##*/} $version" ]
	done
	[ -s "$D/opt/x/share/doc/pagewise/docs/quirks.md" ]
	[ -s "$D/opt/x/share/doc/pagewise/docs/lab/assignment.md" ]
	[ ! -e "$D/opt/x/share/doc/pagewise/docs/lab/solution" ]
	[ -z "$(dead_links "$D/opt/x/share/doc")" ]
	uses_placement "$D/opt/x"
	# No link leads out of the tree, or nowhere.
	find "$D" -type l | while read -r link; do
		[[ $(readlink "$link") != /* && -e $link ]]
	done
	fresh_make uninstall DESTDIR="$D" PREFIX=/opt/x
	[ "$(files "$D")" = "$D/other" ]
	[ -z "$(find "$D" -name '*pagewise*')" ]
}

@test "make install is the same twice, and uninstall without install does nothing" {
	fresh_make install DESTDIR="$D"
	before=$(find "$D" | sort)
	fresh_make install DESTDIR="$D"
	[ "$(find "$D" | sort)" = "$before" ]
	fresh_make uninstall DESTDIR="$D"
	fresh_make uninstall DESTDIR="$D"
	[ -z "$(files "$D")" ]
}

@test "every folder may be given" {
	fresh_make install DESTDIR="$D" BINDIR=/b LIBEXECDIR=/l DATADIR=/s MANDIR=/m DOCDIR=/d BASHDIR=/c ZSHDIR=/z \
		LIBDIR=/x INCLUDEDIR=/i UNITDIR=/y
	works "$D/b"
	(cd "$D" && [ "$(echo *)" = "b c d i l m s x y z" ] || [ "$(echo *)" = "b c d i l m x y z" ])
	[ -s "$D/m/man1/hybrid_loader.1" ]
	[ -s "$D/c/hybrid_loader" ]
	[ -s "$D/z/_loaders" ]
	[ -s "$D/c/loader-binfmt" ] && [ -s "$D/z/_loader-binfmt" ]
}

@test "the units are installed, and not enabled until systemctl enables them" {
	fresh_make install PREFIX=/usr DESTDIR="$D"
	type -P systemctl >/dev/null || skip "systemctl is not installed"
	for scope in --system --global; do
		run systemctl --root="$D" "$scope" is-enabled pagewise-warm.service
		echo "$scope: $output"
		[ "$output" = disabled ]
		systemctl --root="$D" "$scope" enable pagewise-warm.service
		[ "$(systemctl --root="$D" "$scope" is-enabled pagewise-warm.service)" = enabled ]
	done
}

@test "each script of share/ is installed" {
	fresh_make install DESTDIR="$D"
	find share -type f ! -name '*.mk' ! -path 'share/deb/*' ! -path 'share/dist/*' ! -path 'share/binfmt/*.c' \
		! -path 'share/options/*' ! -path 'share/placement/*' ! -path 'share/profile/*' ! -path 'share/command/*' ! -path 'share/order/*' ! -name '*.in' ! -path '*/__pycache__/*' | while read -r file; do
		echo "$file"
		found=$(find "$D" -type f -exec cmp -s "$file" {} \; -print)
		[ -n "$found" ]
		[ ! -x "$file" ] || [ -x "$(head -n 1 <<<"$found")" ]
	done
}

@test "an ordinary user can install, with DESTDIR" {
	fresh_make man
	[ "$(id -u)" != 0 ] || chmod 777 "$D"
	drop_privileges
	fresh_make install DESTDIR="$D"
	works "$D/usr/local/bin"
}

# lint PAGE: complaints, without those that depend on which other pages are installed.
lint() {
	mandoc -Tlint "$1" 2>&1 | grep -v 'referenced manual not found\|outdated mandoc.db'
}

@test "mandoc has nothing to say about the man pages" {
	fresh_make man
	for page in build/man/*.1 docs/man/*.[1-8]; do
		ran any lint "$page"
		[ -z "$output" ]
		[ "$(grep -c '@' "$page")" = 0 ]
	done
	# The check itself: it finds a wrong line.
	(cat build/man/hybrid_loader.1; echo '.It x') >"$BATS_TEST_TMPDIR/wrong.1"
	lint "$BATS_TEST_TMPDIR/wrong.1"
}

# Each option of --help.
options_of_help() {
	"$1" --help | grep -oE -- '--[a-z0-9-]+' | sort -u
}

@test "the man pages have the options of --help, and no others" {
	fresh_make man
	for loader in $LOADERS; do
		diff <(options_of_help "$loader") \
			<(sed -nE 's/^\.It Fl ([a-zA-Z] , )?-([a-z0-9-]+).*/--\2/p' "build/man/${loader##*/}.1" | sort)
	done
}

# page_of [-v lazy=lazy] FILE: what becomes of its options' tags.
page_of() {
	awk "${@:1:$#-1}" -f share/options/man.awk build/share/options "${!#}" 2>&1
}

@test "a man page's options are those in the loaders' table, each once" {
	fresh_make man
	local page=docs/man/loader.1.in changed=$BATS_TEST_TMPDIR/changed
	page_of $page >/dev/null
	page_of -v lazy=lazy $page >/dev/null
	grep -v '@--plan@' $page >"$changed"
	ran 1 page_of "$changed"
	[[ $output == *"--plan has no entry"* ]]
	sed 's/@--plan@/@--plane@/' $page >"$changed"
	ran 1 page_of "$changed"
	[[ $output == *"@--plane@: there is no such option"* ]]
	sed 's/@--plan@/&\n.It &/' $page >"$changed"
	ran 1 page_of "$changed"
	[[ $output == *"@--plan@: has an entry"* ]]
	# An entry of a lazy loader is no mistake in the page of another one.
	grep -v '@--trace@' $page >"$changed"
	page_of "$changed" >/dev/null
	run page_of -v lazy=lazy "$changed"
	[ "$status" = 1 ] && [[ $output == *"--trace has no entry"* ]]
}

# words_of_help LOADER OPTION: the names that --help has after it.
words_of_help() {
	# What does not fit a line goes on in the same column of the next one.
	"$1" --help | sed -zE 's/\n {26}/ /g' | sed -nE "s/^ +--$2=NAME +[^:]*: +//p" | tr -s ' ' '\n'
}

@test "the man pages have the policies and engines of --help, and the default that is used" {
	fresh_make man
	for loader in on_demand_loader hybrid_loader; do
		diff <(words_of_help "./$loader" policy) \
			<(sed -nE '/-policy/,/^\.El/s/^\.It Cm (.*)/\1/p' "build/man/$loader.1")
		"./$loader" --stats="$D/stats" ./prog1
		default=$(sed -n 's/.*"policy": "\(.*\)",/\1/p' "$D/stats")
		[ -n "$default" ]
		grep -B 2 '^(the default)$' "build/man/$loader.1" | grep -q "^\.It Cm $default$"
		for engine in $(words_of_help "./$loader" engine); do
			sed -n '/-engine/,/^\.It/p' "build/man/$loader.1" | grep -q "^\.Cm.*\<$engine\>"
		done
	done
}

@test "the messages in the man pages are those of the loaders" {
	fresh_make man
	for loader in all_at_once_loader on_demand_loader hybrid_loader; do
		python3 - "build/man/$loader.1" "$loader" <<-'END'
			import re, sys
			page, said = open(sys.argv[1]).read(), open(sys.argv[2], "rb").read()
			messages = re.findall(r'^\.It "\w+: (.*)"$', page, re.M)
			assert len(messages) >= 4, messages
			# What stands between names, places and what is left out.
			between = r"\.\.\.|in PATH|--\w+,|[:;?](?: if)?|\S*[/.]\S*"
			for words in re.split(between, "...".join(messages)):
			    assert words.strip().encode() in said, f"{sys.argv[2]} never says '{words}'"
		END
	done
}

# is_copyright FILE: in the machine-readable format (copyright-format/1.0), with a text for each license, and with
# each library that --version names.
is_copyright() {
	python3 - "$1" "$(./hybrid_loader --version | tail -n 1)" <<-'END'
		import re, sys
		text = open(sys.argv[1]).read()
		stanzas = []
		for paragraph in text.rstrip("\n").split("\n\n"):
		    assert all(re.match(r"[A-Z][A-Za-z-]*:( |$)| \S", line) for line in paragraph.split("\n")), paragraph
		    stanzas.append(dict(re.findall(r"^([A-Z][A-Za-z-]*): ?(.*(?:\n .*)*)", paragraph, re.M)))
		assert stanzas[0]["Format"].endswith("copyright-format/1.0/"), stanzas[0]
		files = [s for s in stanzas if "Files" in s]
		assert files[0]["Files"] == "*" and all(s["Copyright"] and s["License"] for s in files)
		used = {name for s in files for name in re.split(r" and | or ", s["License"].replace("(", "").replace(")", ""))}
		texts = {s["License"].split("\n")[0] for s in stanzas[1:] if "Files" not in s and "\n " in s["License"]}
		assert used == texts, (used, texts)
		loaders = [s for s in files if "_loader" in s["Files"]][0]
		for library in re.findall(r"(\w+) \(", sys.argv[2]):
		    assert library in loaders["Copyright"], library
	END
}

@test "what make leaves can be linked with another libelf, without compiling; --version says what is inside" {
	read -ra archives < <(fresh_make --eval 'show: ; @echo $(LIBELF_ARCHIVES)' show)
	cp -a build/musl-release "$D/b"
	rm "$D"/b/loader/*_loader
	find "$D/b" -name '*.o' -printf '%p %T@\n' | sort >"$D/before"
	# Another libelf: one that says something else.
	[[ ${archives[0]} == */libelf.a ]]
	sed 's/unknown error/UNKNOWN error/' "${archives[0]}" >"$D/libelf.a"
	fresh_make flavour B="$D/b" LIBELF_ARCHIVES="$D/libelf.a ${archives[*]:1}"
	find "$D/b" -name '*.o' -printf '%p %T@\n' | sort | diff "$D/before" -
	grep -q 'UNKNOWN error' "$D/b/loader/hybrid_loader"
	[ "$("$D/b/loader/hybrid_loader" ./prog1)" = hello! ]
	inside=$("$D/b/loader/hybrid_loader" --version)
	if nm "$D/b/loader/hybrid_loader" | grep -q ' T inflate$'; then
		[[ $inside == *zlib* ]]
	else
		[[ $inside != *zlib* ]]
	fi
	rm "$D"/b/loader/*_loader
	fresh_make flavour B="$D/b" LIBELF_ARCHIVES="-Wl,-u,inflate ${archives[*]}"
	[[ $("$D/b/loader/hybrid_loader" --version) == *"contains libelf ("*"), musl (MIT), zlib (Zlib)" ]]
}

@test "make deb" {
	fresh_make deb
	local version package x=$D/x
	version=$(./hybrid_loader --version | head -n 1)
	package=("build/pagewise_${version##* }_$(dpkg --print-architecture).deb")
	cp "${package[0]}" "$D/first.deb"
	dpkg-deb --info "$D/first.deb" | tee "$D/info"
	grep -q "^ Architecture: $(dpkg --print-architecture)\$" "$D/info"
	[ -z "$(dpkg-deb -f "$D/first.deb" Depends)" ]
	[ "hybrid_loader $(dpkg-deb -f "$D/first.deb" Version)" = "$version" ]
	dpkg-deb -f "$D/first.deb" Static-Built-Using | grep -q "^elfutils (= [0-9].*), "
	dpkg-deb -f "$D/first.deb" Description | grep -q "static or dynamic"
	# Everything is root's and readable; the man pages and the changelog are compressed.
	[ "$(dpkg-deb --contents "$D/first.deb" | grep -cEv '^[-dl]rw[-x]r[-w][-x]r[-w][-x] root/root ')" = 0 ]
	dpkg-deb --contents "$D/first.deb" | grep -q 'hybrid_loader\.1\.gz$'

	dpkg -x "$D/first.deb" "$x"
	works "$x/usr/bin"
	for tool in "$x"/usr/bin/*; do
		[ -e "$x/usr/share/man/man1/${tool##*/}.1.gz" ]
	done
	pkg-config --exists "$x/usr/lib/$(gcc -print-multiarch)/pkgconfig/placement.pc"
	is_copyright "$x/usr/share/doc/pagewise/copyright"
	"$x/usr/bin/loader-binfmt" mark ./prog1 "$D/marked"
	gunzip -t "$x"/usr/share/man/man1/*.gz "$x"/usr/share/doc/pagewise/changelog.gz
	dpkg-deb --ctrl-tarfile "$D/first.deb" | tar -x -C "$D" ./md5sums
	(cd "$x" && md5sum --quiet -c ../md5sums)
	[ "$(wc -l <"$D/md5sums")" = "$(find "$x" -type f | wc -l)" ]

	# The same tree makes the same package.
	fresh_make deb
	cmp "${package[0]}" "$D/first.deb"
	# Not installed by install_packages.sh: it brings 120 packages.
	! command -v lintian || lintian --fail-on error,warning "$D/first.deb"
}
