#!/bin/sh
# enter-root.sh pivot|chroot ROOT COMMAND …: runs the command in another root, with mounts that end with it.
# After `chroot` the kernel refuses user namespaces, after `pivot` it does not.
exec unshare --mount --propagation private sh -eu -c '
way=$1; root=$2; shift 2
mount --bind "$root" "$root"
cd "$root"
mount --rbind /proc proc
mount --rbind /sys sys
mount --rbind /dev dev
[ "$way" = pivot ] || exec chroot . "$@"
mkdir -p .outside
pivot_root . .outside
cd /
umount -l /.outside
rmdir /.outside
exec "$@"' sh "$@"
