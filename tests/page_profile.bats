#!/usr/bin/env bats
#
# page-profile: what profiles know of files is shown, merged, exported, and read ahead.

load helpers

setup_file() {
	fresh_make -C "$ROOT" page-profile
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	export XDG_CACHE_HOME=$PWD/cache
	printf '%300000s' x >one
	printf '%300000s' x >'two "2", <2>'
	profile a key "p one 0 1000 1" "r two 0 2000 1" "r two 40000 1000 1"
	chmod 600 a
}

page_profile() {
	"${UNDER[@]}" "$ROOT/build/share/page-profile" "$@"
}

# profile FILE KEY 'ROLE FILE START LENGTH LAST'...: with one file a range, unless it is the one before.
profile() {
	python3 - "$@" <<-'END'
		import os, sys
		name, key, *words = sys.argv[1:]
		names = {"one": "one", "two": 'two "2", <2>'}
		files = []
		for word in words:
		    role, file, *numbers = word.split()
		    path = os.path.abspath(names[file])
		    if not files or files[-1][1] != path:
		        files.append((role, path, []))
		    files[-1][2].append(" ".join(numbers))
		with open(name, "w") as out:
		    print(f"page-profile 2\nprogram ./prog\nkey {key}\nruns 1\n400 1 r\nlearned 3\nfiles {len(files)} {len(words)}", file=out)
		    for role, path, ranges in files:
		        status = os.stat(path)
		        print(f"{role} {status.st_size:x} {status.st_mtime_ns // 10**9:x} {status.st_mtime_ns % 10**9:x} {len(ranges):x} - {path}", file=out)
		    for role, path, ranges in files:
		        print("\n".join(ranges), file=out)
	END
}

@test "show: the files, and how much of each" {
	ran 0 page_profile show a
	[[ $output == *"files    2, 3 ranges, 16 of 586 KiB (2.7 %)"* ]]
	[[ $output =~ 4\ +293\ +1.4\ +1\ +program\ +/.*/one ]]
	[[ $output =~ 12\ +293\ +4.1\ +2\ +read\ +/.*/two ]]
}

@test "show --plot: a picture that is well-formed" {
	page_profile show --plot=a.svg a
	python3 - a.svg <<-'END'
		import sys, xml.etree.ElementTree as tree
		rects = [r for r in tree.parse(sys.argv[1]).iter() if r.tag.endswith("rect")]
		# One rectangle is the background, two are strips, three are ranges.
		assert len(rects) == 6, rects
		assert 0 < float(rects[2].get("width")) < 20
	END
	page_profile show --plot=- a | cmp - a.svg
}

@test "merge: everything that one of them has, and nothing grows too old by it" {
	profile b key "p one 1000 1000 3" "p one 30000 1000 1"
	page_profile merge --output=c a b
	run page_profile show c
	[[ $output == *"files    2, 4 ranges, 24 of 586 KiB"* ]]
	for ((i = 0; i < 6; i++)); do
		page_profile merge --output=c c b
	done
	run page_profile show c
	[[ $output == *"files    2, 4 ranges, 24 of 586 KiB"* ]]
	page_profile merge c | cmp - c
	profile b other "p one 1000 1000 3"
	ran 125 page_profile merge --output=d a b
	[[ $output == "page-profile: b is of another program than a"* ]]
	[ ! -e d ]
}

@test "export: what the formats' readers read" {
	for format in json csv nydus soci estargz; do page_profile export --format="$format" a a >"out.$format"; done
	python3 - <<-'END'
		import csv, json, os
		paths = [os.path.abspath("one"), os.path.abspath('two "2", <2>')]
		files = json.load(open("out.json"))
		assert [file["path"] for file in files] == 2 * paths
		assert files[1]["ranges"] == [[0, 0x2000], [0x40000, 0x1000]] and files[1]["size"] == 300000
		rows = list(csv.DictReader(open("out.csv")))
		assert rows[1] == {"path": paths[1], "offset": "0", "length": "8192"} and len(rows) == 6
		assert open("out.nydus").read().splitlines() == paths
		assert json.load(open("out.soci")) == paths
		assert [json.loads(line)["path"] for line in open("out.estargz")] == paths
	END
}

@test "export: a list of no files is refused; no ranges are none" {
	"$ROOT/hybrid_loader" --guard=none --record=none "$ROOT/prog1"
	for format in nydus soci estargz; do
		ran 125 page_profile export --format="$format" none none
		[ "$output" = "page-profile: --format=$format: there is no file to list, since no profile here has files; --profile=auto learns them" ]
		[ "$(page_profile export --format="$format" none a)" = "$(page_profile export --format="$format" a)" ]
	done
	[ "$(page_profile export --format=json none)" = $'[\n]' ]
	[ "$(page_profile export --format=csv none)" = path,offset,length ]
}

@test "warm: reads what is not in memory, says how much, and refuses what others may write" {
	sync one two*
	[ "$(stat -f -c %T .)" = tmpfs ] || evict one two*
	ran 0 page_profile warm a
	[[ $output =~ ^./prog:\ 2\ files,\ 16\ KiB\ wanted,\ ([0-9]+)\ KiB ]]
	[ "${BASH_REMATCH[1]}" -ge 16 ] || [ "$(stat -f -c %T .)" = tmpfs ]
	echo >>one
	ran any page_profile warm --verbose a a
	[[ $output == *"/one has changed"*"; 1 file skipped"*"2 profiles: "* ]]
	chmod 666 a
	ran 125 page_profile warm a
	[[ $output == "page-profile: a: other users may write to it"* ]]
}

@test "warm: as many profiles as there are" {
	mapfile -t many < <(yes a | head -n 40)
	run page_profile warm "${many[@]}"
	echo "$output" | tail -n 2
	[ "$status" = 0 ]
	[[ $output == *$'\n'"40 profiles: "* ]]
}

@test "a program's name stands for its profiles in the cache" {
	mkdir -p cache/pagewise
	profile cache/pagewise/key1 key1 "p one 0 1000 1" "r two 0 2000 1"
	profile cache/pagewise/key2 key2 "p two 0 1000 1"
	chmod -R go-w cache
	# A file of that name comes first.
	refuses "one is no profile" page_profile show one
	mkdir elsewhere
	cd elsewhere
	for name in one key1; do
		[ "$(page_profile show "$name")" = "$(page_profile show ../cache/pagewise/key1)" ]
	done
	page_profile warm one | grep -q '^./prog: 2 files, '
	ran 125 page_profile show three
	[[ $output == "page-profile: three is no profile, and no profile in "*" is of such a program; pagewise profile list prints those" ]]
	chmod 666 ../cache/pagewise/key1
	ran 125 page_profile warm one
	[[ $output == *"other users may write to it"* ]]
}

@test "what it cannot do it says in a sentence" {
	while IFS='|' read -r arguments sentence; do
		# shellcheck disable=SC2086 # words
		ran 125 page_profile $arguments
		echo "$arguments: $status $output"
		[[ $output == "page-profile: $sentence"* ]]
		[ "${#lines[@]}" = 1 ]
	done <<-'END'
		|a command is missing
		shwo a|there is no command shwo; did you mean show?
		nothing a|there are list, show, merge, warm, export, forget and learn
		list a|list takes no name
		warm --all a|warm takes no --all
		show|the name of a profile is missing
		show a a|there is one profile to show
		show --format=csv a|show takes no --format
		export --format=csv --output=b a|export takes no --output; leave it out
		show --wrong a|there are --plot
		export a|--format is missing
		export --format=tar a|--format=tar is unknown; there are json
		show /nowhere/at/all|/nowhere/at/all is no profile, and no profile in 
		show prog|prog is no profile, and no profile in 
		show a/b|a/b cannot be read: Not a directory; name a file, or a folder such as ~/.cache/pagewise
		show one|one is no profile; pagewise learn makes one
		merge -o|--output needs a value; try --help
		show --plot|--plot needs a value; try --help
		show --plot= a|--plot needs a value; try --help
	END
	head -c 60 a >short
	run page_profile show short
	[[ $output == "page-profile: short is damaged; learn again" ]]
	page_profile --help | grep -q '^Usage: page-profile'
	ran 125 bash -c '"$0" show a > /dev/full' "$ROOT/build/share/page-profile"
}
