#!/usr/bin/env bats
#
# The profiles of the cache: pagewise profile list and forget, folders of profiles, and how they expire.

load helpers

setup_file() {
	fresh_make -C "$ROOT" pagewise
}

setup() {
	cd "$ROOT" || return
	export XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache
	FOLDER=$XDG_CACHE_HOME/pagewise
	P=$PWD/pagewise
}

# entry NAME DAYS [PROGRAM]: a profile in the cache that was last used so many days ago; of a copy of prog3, or of PROGRAM.
entry() {
	local program=${3-$BATS_TEST_TMPDIR/$1}
	mkdir -p "$FOLDER"
	chmod 700 "$FOLDER"
	[ -e "$program" ] || cp prog3 "$program"
	printf 'page-profile 2\nprogram x\nkey %s\nruns 0\nlearned 2\nfiles 1 1\np %x %x 0 1 - %s\n0 3000 2\n' "$1" \
		"$(stat -c %s "$program")" "$(stat -c %Y "$program")" "$program" >"$FOLDER/$1"
	chmod 600 "$FOLDER/$1"
	touch -d "-$2 days" "$FOLDER/$1"
}

# learn: a start that is learned from, and so looks through the cache.
learn() {
	cp prog3 "$BATS_TEST_TMPDIR/learned"
	./hybrid_loader --profile=auto "$BATS_TEST_TMPDIR/learned"
	eventually test -d "$FOLDER/.looked-through"
	# Not by grep, which would read all profiles, and so use them.
	eventually has_learned
}

entries_are() {
	[ "$(entries)" = "$1" ]
}

has_learned() {
	[ -n "$(find "$FOLDER" -type f \( -name 'build-id*' -o -name 'file:*' \) ! -name '*.partial-*')" ]
}

entries() {
	(cd "$FOLDER" && find . -type f ! -name 'build-id*' ! -name 'file:*' -printf '%f\n' | sort | tr '\n' ' ')
}

@test "list: program, size, runs and last use, the newest first" {
	run "$P" profile list
	[[ $status = 0 && $output == *"there is no profile in $FOLDER yet; pagewise run --learn makes one, and with -v prints why not" ]]
	entry old 3
	entry new 1
	echo text >"$FOLDER/other"
	ran any "$P" profile list
	[ "${#lines[@]}" = 3 ]
	[[ ${lines[1]} =~ ^$(date -r "$FOLDER/new" +%Y-%m-%d)\ +2\ +12\ +$BATS_TEST_TMPDIR/new\ +new$ ]]
	[[ ${lines[2]} =~ ^$(date -r "$FOLDER/old" +%Y-%m-%d)\ +2\ +12\ +$BATS_TEST_TMPDIR/old\ +old$ ]]
}

@test "forget: by path, by name, by the profile's file, and all" {
	entry one 1
	entry two 1
	entry three 1
	"$P" profile forget "$BATS_TEST_TMPDIR/one" | grep -x 'one: forgotten'
	[ "$(entries)" = "three two " ]
	"$P" profile forget two
	[ "$(entries)" = "three " ]
	ran 125 "$P" profile forget two
	[ "$output" = "pagewise profile: there is no profile of two in $FOLDER; pagewise profile list prints those" ]
	refuses "wants the names of programs, or --all" "$P" profile forget
	run "$P" profile forget --all three
	[[ $status = 125 && -e $FOLDER/three ]]
	entry four 1
	echo damaged >"$FOLDER/x.partial-y"
	"$P" profile forget --all
	[ -z "$(entries)" ]
	# Nothing outside the cache is removed by a name with a slash, nor by a link.
	entry one 1
	mv "$FOLDER/one" "$BATS_TEST_TMPDIR/elsewhere"
	ln -s ../../elsewhere "$FOLDER/one"
	expect "exit 125" "$P" profile forget one
	expect "exit 125" "$P" profile forget ../../elsewhere
	[ -e "$BATS_TEST_TMPDIR/elsewhere" ]
}

@test "a folder stands for its profiles: show, merge, warm, export" {
	entry one 1
	entry two 1
	[ "$("$P" profile show "$FOLDER" | grep -c '^program ')" = 2 ]
	[ "$("$P" profile warm "$FOLDER" | grep -c 'wanted')" = 2 ]
	[ "$("$P" profile export --format=nydus "$FOLDER")" = "$("$P" profile export --format=nydus "$FOLDER/one" "$FOLDER/two")" ]
	[ "$("$P" profile merge "$FOLDER/one")" = "$(rm "$FOLDER/two" && "$P" profile merge "$FOLDER")" ]
	# What is no profile is left out, with a line, and so is one that others may write to.
	entry two 1
	echo text >"$FOLDER/other"
	chmod 622 "$FOLDER/two"
	ran 0 "$P" profile warm "$FOLDER"
	[[ $output == *"left out: $FOLDER/other is no profile"* && $output == *"left out: $FOLDER/two: other users may write"* ]]
	mkdir "$BATS_TEST_TMPDIR/empty"
	ran 125 "$P" profile warm "$BATS_TEST_TMPDIR/empty"
	[ "$output" = "pagewise profile: there is no profile in $BATS_TEST_TMPDIR/empty; name another folder" ]
}

@test "what is not used expires, when something is learned, once a day at most" {
	requires learner
	entry used 89
	entry unused 91
	entry gone 8
	rm "$BATS_TEST_TMPDIR/gone"
	entry away 6
	rm "$BATS_TEST_TMPDIR/away"
	entry changed 8
	echo >>"$BATS_TEST_TMPDIR/changed"
	entry read_lately 91
	touch -a "$FOLDER/read_lately"
	echo notes >"$FOLDER/notes"
	touch -d "-900 days" "$FOLDER/notes"
	echo text >"$FOLDER/k.partial-AbCdEf"
	touch -d "-2 days" "$FOLDER/k.partial-AbCdEf"
	entry outside 91
	mv "$FOLDER/outside" "$BATS_TEST_TMPDIR"
	ln -s "$BATS_TEST_TMPDIR/outside" "$FOLDER/link"
	learn
	eventually test ! -e "$FOLDER/unused"
	eventually entries_are "away notes read_lately used "
	[ -e "$BATS_TEST_TMPDIR/outside" ]
	# Within a day nothing is looked at.
	entry unused 91
	rm "$FOLDER"/build-id* "$FOLDER"/file:* 2>/dev/null || true
	learn
	[ -e "$FOLDER/unused" ]
	touch -d "-2 days" "$FOLDER/.looked-through"
	rm "$FOLDER"/build-id* "$FOLDER"/file:* 2>/dev/null || true
	learn
	eventually test ! -e "$FOLDER/unused"
}

@test "a start notes that its profile is used, once a day" {
	requires learner
	./pagewise run --learn "$GUESTS/glibc-static/prog3"
	eventually grep -qrs '^learned 1' "$FOLDER"
	profile=$(find "$FOLDER" -type f)
	touch -d "-3 days" "$profile"
	before=$(stat -c %Y "$profile")
	./pagewise run "$GUESTS/glibc-static/prog3"
	[ "$(stat -c %X "$profile")" -gt "$((before + 86400))" ]
	[ "$(stat -c %Y "$profile")" = "$before" ]
	touch -a -d "-2 hours" "$profile"
	before=$(stat -c %X "$profile")
	./pagewise run "$GUESTS/glibc-static/prog3"
	[ "$(stat -c %X "$profile")" = "$before" ]
}
