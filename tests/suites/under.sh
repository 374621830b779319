#!/bin/sh
#
# under.sh HELPER FOLDER PLACE COMMAND [ARG]...: runs COMMAND in PLACE, in namespaces of its own (user, mount, PID), in
# which the kernel starts every program for this machine by HELPER, a LOADER.run of share/binfmt; with HELPER "native"
# it starts them itself. HELPER and its loader are not started that way: bytes 9 to 15 of their ELF headers, unused and
# zero elsewhere, tell them from other programs. Of FOLDER/sources and of /tmp COMMAND sees a copy of its own. What it
# writes there ends with it, and so does what it leaves running. Linux 6.7 has a binfmt_misc for each user namespace.

exec unshare --user --map-root-user --mount --pid --fork --kill-child --mount-proc sh -c '
	helper=$1 folder=$2 place=$3
	shift 3
	own=$folder/scratch
	mount -t tmpfs none "$own" && mkdir "$own/tmp" "$own/changed" "$own/work" && chmod 1777 "$own/tmp" &&
		mount -t overlay none "$folder/sources" \
			-o "userxattr,lowerdir=$folder/sources,upperdir=$own/changed,workdir=$own/work" &&
		mount --bind "$own/tmp" /tmp && mount -t binfmt_misc none /proc/sys/fs/binfmt_misc && cd "$place" || exit 125
	any="\xff\xff\xff\xff\xff\xff"
	e_machine=$(dd if=/proc/self/exe bs=1 skip=18 count=2 2>/dev/null | od -A n -t x1 | sed "s/ /\\\\x/g")
	[ "$helper" = native ] || printf "%s" \
		":suites:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00$e_machine:" \
		"$any\xff\x00$any\xff\xff\xfe\xff\xff\xff:$helper:OP" >/proc/sys/fs/binfmt_misc/register || exit 125
	"$@"
' sh "$@"
