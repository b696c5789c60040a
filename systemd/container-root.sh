#!/bin/sh
# container-root.sh PACKAGE FOLDER: lays out the root of the container image in FOLDER. It takes the program and its
# runtime from the Debian package, and from the Debian it runs in the libraries of that runtime: no shell, no package
# manager, nothing else. See Containerfile.
set -eu

package=$1
root=$2
# Of no user of the machine: the image knows it by number.
user=65532

mkdir -p "$root/usr/bin" "$root/usr/lib" "$root/usr/share/doc" "$root/etc/linewatch" "$root/var/lib/linewatch" \
	"$root/run/secrets" "$root/proc" "$root/sys" "$root/dev"

unpacked=$(mktemp -d)
dpkg-deb -x "$package" "$unpacked"
cp -r "$unpacked/usr/lib/linewatch" "$root/usr/lib/"
mv "$root"/usr/lib/linewatch/node_modules/*/bin/node "$root/usr/bin/node"
rm -r "$root/usr/lib/linewatch/node_modules" "$root/usr/lib/linewatch/systemd"
cp -r "$unpacked/usr/share/doc/linewatch" "$root/usr/share/doc/"
rm -r "$unpacked"

# Each library by the path it is looked for at, and on what terms it is there.
for library in $(ldd "$root/usr/bin/node" | grep -o '/[^ ]*'); do
	mkdir -p "$root${library%/*}"
	cp -L "$library" "$root$library"
done
for name in libc6 libstdc++6 libgcc-s1 libatomic1; do
	mkdir -p "$root/usr/share/doc/$name"
	cp -L "/usr/share/doc/$name/copyright" "$root/usr/share/doc/$name/"
done

echo "linewatch:x:$user:$user:Linewatch:/var/lib/linewatch:/nonexistent" >"$root/etc/passwd"
echo "linewatch:x:$user:" >"$root/etc/group"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
chown -R 0:0 "$root"
chmod -R go-w "$root"
chown "$user:$user" "$root/var/lib/linewatch"
chmod 700 "$root/var/lib/linewatch"
