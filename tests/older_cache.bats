#!/usr/bin/env bats
#
# The cache of a version before the name Pagewise: elf-profiles beside the cache. Its profiles are used and moved.

load helpers

setup() {
	cd "$ROOT" || return
	export XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache
	OLDER=$XDG_CACHE_HOME/elf-profiles NEWER=$XDG_CACHE_HOME/pagewise
}

# older_cache: what a version before the name Pagewise left, with a profile of prog1; its folder is $OLDER.
older_cache() {
	rm -rf "$XDG_CACHE_HOME"
	./hybrid_loader --guard=none --record=auto ./prog1
	learn_once
	mv "$NEWER" "$OLDER"
	ENTRY=$(ls "$OLDER")
}

# learn_once: later starts write nothing to the cache, which a watcher would do after their end.
learn_once() {
	[ "$(stat -Lc %i /proc/self/ns/pid)" = 4026531836 ] || return 0
	./hybrid_loader --profile=auto ./prog1
	eventually grep -qrsx 'learned 1' "$NEWER"
	eventually test -d "$NEWER/.looked-through"
}

uses_profile() {
	local said
	said=$("$@" ./hybrid_loader -v --profile=auto ./prog1 2>&1)
	echo "$said"
	[[ $said == *hello!* && $said != *"there is no profile"* && $said != *"no profile is used"* ]]
}

@test "a cache of an older version is read, and moved once" {
	older_cache
	uses_profile
	[ ! -e "$OLDER" ]
	[ "$(ls "$NEWER")" = "$ENTRY" ]
	[ "$(stat -c %a "$NEWER")" = 700 ]
	uses_profile
	# By a start that only reads, too.
	older_cache
	./pagewise run ./prog1
	[ -e "$NEWER/$ENTRY" ]
	# Both are there: each profile is moved when it is asked for, and the newer one counts.
	older_cache
	mkdir -m 700 "$NEWER"
	echo other >"$OLDER/other"
	uses_profile
	[ "$(ls "$NEWER" "$OLDER")" = "$OLDER:"$'\n'other$'\n\n'"$NEWER:"$'\n'"$ENTRY" ]
	echo older >"$OLDER/$ENTRY"
	uses_profile
	[ "$(cat "$OLDER/$ENTRY")" = older ]
}

@test "two starts at a time move an older cache once, and none is without its profile" {
	older_cache
	for _ in 1 2 3 4 5 6 7 8; do
		mv "$NEWER" "$OLDER" 2>/dev/null || [ -d "$OLDER" ]
		./hybrid_loader -v --profile=auto ./prog1 >"$BATS_TEST_TMPDIR/one" 2>&1 &
		./hybrid_loader -v --profile=auto ./prog1 >"$BATS_TEST_TMPDIR/two" 2>&1
		wait $!
		! grep "no profile" "$BATS_TEST_TMPDIR/one" "$BATS_TEST_TMPDIR/two"
		[ ! -e "$OLDER" ]
		[ -s "$NEWER/$ENTRY" ]
	done
}

@test "an older cache that cannot be moved is read where it is; one that others made is not" {
	requires root user_namespaces
	older_cache
	uses_profile unshare --mount sh -c 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && "$@"' "$XDG_CACHE_HOME"
	[ -e "$OLDER/$ENTRY" ]
	[ ! -e "$NEWER" ]
	for wrong in "chmod 770" "chown 12345"; do
		older_cache
		# shellcheck disable=SC2086 # two words
		$wrong "$OLDER"
		run ./pagewise run -v ./prog1
		[[ $output == *"there is no profile of it yet"* ]]
		[ -e "$OLDER/$ENTRY" ]
		[ ! -e "$NEWER" ]
	done
	older_cache
	mv "$OLDER" "$OLDER.real" && ln -s elf-profiles.real "$OLDER"
	run ./pagewise run -v ./prog1
	[[ $output == *"there is no profile of it yet"* ]]
	[ -L "$OLDER" ]
	[ ! -e "$NEWER" ]
	# Root renames nothing in another user's folder, and reads its own profile there.
	older_cache
	chown 12345 "$XDG_CACHE_HOME"
	uses_profile
	[ -e "$OLDER/$ENTRY" ]
	[ ! -e "$NEWER" ]
}
