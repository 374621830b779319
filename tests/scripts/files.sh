#!/bin/sh
# Run by busybox sh: applets that read, write, pack, search and compare files.

mkdir -p files/sub && cd files || exit 1
seq 1 2000 >numbers
dd if=/dev/zero of=zeros bs=1000 count=7 2>/dev/null
dd if=numbers of=piece bs=1 skip=10 count=300 2>/dev/null
wc -c numbers zeros piece
wc numbers
head -n 3 numbers && tail -n 3 numbers && tail -c 10 numbers
od -An -tx1 piece | head -n 4
od -c zeros | head -n 3
hexdump -C piece | tail -n 3
xxd piece | head -n 2

for pack in gzip bzip2; do
	$pack -c numbers >packed
	$pack -dc packed | cmp - numbers && echo "$pack: same"
done
tar cf all.tar numbers zeros piece sub
tar czf all.tar.gz numbers sub
tar tf all.tar
mkdir out && tar xzf all.tar.gz -C out && cmp numbers out/numbers && echo "tar: same"
printf '%s\n' numbers piece | cpio -o -H newc 2>/dev/null | cpio -t 2>/dev/null

sed -n -e '/7$/p' -e '100q' numbers | tr '\n' ' '
sed 's/\([0-9]\)\([0-9]\)$/\2\1/' numbers | sed -n '$p;11p'
sed -i -e 1,1990d -e 's/^/line /' numbers && cat numbers
awk '{ n[$2 % 3] += $2 } END { for (i = 0; i < 3; i++) printf "%d:%d ", i, n[i]; print NR }' numbers
awk 'function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2) } BEGIN { print f(18) }'
awk 'BEGIN { while (("echo a; echo b" | getline line) > 0) print "got " line }'
grep -n '9' numbers
grep -cv '9' numbers
grep -E -o '1(9+)' numbers | sort -u
cut -d ' ' -f 2 numbers | sort -k1.4r | uniq -c | head -n 3
sort -t ' ' -k 2,2nr numbers | paste -s -d , -

cp numbers other && sed -i 3d other
diff -u numbers other | tail -n +3
TZ=UTC touch -d '2001-02-03 04:05:06' other && TZ=UTC stat -c '%y %n' other && TZ=UTC date -r other
ln -s numbers link && readlink link && [ -L link ] && stat -c '%F %s %a' link numbers
find . -type f -size +1k -exec ls {} + | sort
find . -name '*.tar*' -print0 | sort -z | xargs -0 -n 1 basename
find . -type l -o -type d | sort
md5sum numbers zeros && sha256sum piece && md5sum numbers >sums && md5sum -c sums
tr -dc '0-9' <numbers | fold -w 11 | rev | tac
echo 'scale=20; 4*a(1)' | bc -l
base64 piece | tee copy | base64 -d | cmp - piece && head -n 1 copy
cmp copy piece
cat nowhere
ls nowhere
cd .. && rm -r files
exit 3
