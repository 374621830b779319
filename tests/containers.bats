#!/usr/bin/env bats
#
# docs/containers.md: what it shows runs, in a root directory of the test's own and a PID namespace that ends with each
# command, as in a container.
#

load helpers

setup() {
	cd "$ROOT" || return 1
	R=$BATS_TEST_TMPDIR/root
	DATA=$R/local/lib/app/data
	DOCUMENT=docs/containers.md
	mkdir -p "$R"/{usr,etc,dev,proc,tmp,local/bin,work}
	local folder
	for folder in bin sbin lib lib64; do
		[ ! -L "/$folder" ] || ln -s "$(readlink "/$folder")" "$R/$folder"
	done
	contained true || skip "no directory can be mounted here"
}

# blocks WORD [SECTION]: the lines of the document's blocks of that kind.
blocks() {
	awk -v word="$1" -v section="${2-}" '/^## / { here = $0 } /^```/ { shown = $0 == "```" word && index(here, section); next } shown' "$DOCUMENT"
}

# contained COMMAND [ARG]...: with this machine's programs, in the folder /work.
contained() {
	local own=()
	[ "$(id -u)" = 0 ] || own=(--user --map-root-user)
	unshare "${own[@]}" --mount --pid --fork --kill-child bash -c '
		cd "$0" && for folder in usr etc dev; do mount --rbind "/$folder" "$folder" || exit; done &&
			mount --bind local usr/local && mount -t proc none proc && exec chroot . sh -c "cd /work; exec \"\$@\"" - "$@"' \
		"$R" "$@" 3>&- 4>&-
}

# The archive and the program that the Dockerfile copies, in the folder $BATS_TEST_TMPDIR.
make_context() {
	local archive
	archive=$(blocks dockerfile | grep -o '[^ ]*\.tar\.gz' | head -1)
	mkdir -p "$BATS_TEST_TMPDIR/${archive%.tar.gz}/bin"
	cp pagewise "$BATS_TEST_TMPDIR/${archive%.tar.gz}/bin"
	tar -C "$BATS_TEST_TMPDIR" -czf "$BATS_TEST_TMPDIR/$archive" "${archive%.tar.gz}"
	mkdir "$BATS_TEST_TMPDIR/app"
	head -c 1048576 /dev/zero >"$BATS_TEST_TMPDIR/app/data"
	gcc -Wl,--build-id -x c -o "$BATS_TEST_TMPDIR/app/app" - <<-'END'
		#include <fcntl.h>
		#include <stdio.h>
		#include <sys/mman.h>
		int main(int argc, char **argv)
		{
			char *data = mmap(0, 1 << 20, PROT_READ, MAP_PRIVATE, open("/usr/local/lib/app/data", O_RDONLY), 0);
			printf("app %d %s\n", data[argc], argv[1]);
			return 0;
		}
	END
}

# build_image: does what the Dockerfile says; ENTRYPOINT has the words of its last line then.
build_image() {
	local instruction words from to
	make_context
	while read -r instruction words; do
		echo "$instruction $words"
		case $instruction in
		FROM) ;;
		COPY)
			from=$BATS_TEST_TMPDIR/${words% *}
			[ ! -d "$from" ] || from=$from/.
			# /usr is this machine's, but for /usr/local.
			to=${words##* }
			to=$R${to#/usr}
			mkdir -p "$to" && cp -r "$from" "$to" ;;
		RUN) contained sh -c "$words" ;;
		ENTRYPOINT) mapfile -t ENTRYPOINT < <(python3 -c 'import json, sys; print(*json.loads(sys.argv[1]), sep="\n")' "$words") ;;
		*) return 1 ;;
		esac
	done < <(blocks dockerfile)
}

# export_image: a layer has times in whole seconds.
export_image() {
	find "$R/local" -type f -exec sh -c 'for file; do touch -d "@$(stat -c %Y "$file")" "$file"; done' - {} +
	evict "$DATA" "$R/local/lib/app/app"
}

@test "the Dockerfile's commands learn a profile, and its entry point reads ahead by it" {
	build_image
	[ "$(find "$R/local/share/profiles" -type f | wc -l)" = 1 ]
	# The time must have a fraction to lose.
	[[ $(stat -c %y "$DATA") != *.000000000* ]]
	export_image
	[[ $(stat -c %y "$DATA") == *.000000000* ]]
	ran 0 contained "${ENTRYPOINT[@]:0:2}" --verbose "${ENTRYPOINT[@]:2}" --version
	[[ $output == *"KiB of "*" files, in "* && $output != *"has changed"* && $output == *"app 0 --version"* ]]
	# Another version of a file is another file.
	echo >>"$DATA"
	evict "$DATA" "$R/local/lib/app/app"
	ran any contained "${ENTRYPOINT[@]:0:2}" --verbose "${ENTRYPOINT[@]:2}" --version
	[[ $output == *"not read ahead: /usr/local/lib/app/data has changed"* ]]
	run contained "${ENTRYPOINT[@]}" --version
	[ "$output" = "app 0 --version" ]
}

@test "the CI job's commands run in the image, and the lists are made of its profile" {
	local command count=0
	build_image
	while read -r command; do
		echo "$command"
		contained sh -c "$command"
		count=$((count + 1))
	done < <(blocks yaml | sed -n 's/^ *- run: //p'; blocks sh "## Lists")
	[ "$count" = 7 ]
	grep -qx 'learned 2' "$R/work/app.profile"
	grep -qx /usr/local/lib/app/data "$R/work/files.txt"
	python3 -c 'import json, sys; assert "/usr/local/lib/app/data" in json.load(open(sys.argv[1]))' "$R/work/prefetch.json"
	grep -qx '{"path": "/usr/local/lib/app/data"}' "$R/work/record.json"
}

@test "profiles that root keeps are read ahead by for other users, who write none" {
	requires root setpriv
	build_image
	rm -r "$R/local/share/profiles"
	blocks sh "## One folder" | sed '$d; s/^sudo //' >"$R/work/commands"
	contained sh -e commands
	last=$(blocks sh "## One folder" | tail -1)
	evict "$DATA" "$R/local/lib/app/app"
	chmod 755 "$R"
	ran any contained setpriv --reuid=65534 --regid=65534 --clear-groups sh -c "${last/run/run --verbose}"
	[[ $output == *"KiB of "*" files, in "* && $output == *"app 0 --version"* ]]
	[ "$(find "$R/local/share/profiles" -type f | wc -l)" = 1 ]
	# One that they could write to is none.
	chmod 666 "$R"/local/share/profiles/*
	evict "$DATA" "$R/local/lib/app/app"
	run contained setpriv --reuid=65534 --regid=65534 --clear-groups sh -c "${last/run/run --verbose}"
	[[ $output == *"no file is read ahead: other users may write to the profile"* && $output == *"app 0 --version"* ]]
}
