#!/bin/sh
# Turns the namespaces that it is in into a machine that boots from an empty disk: of this one it has /usr alone, read-only,
# and neither Node nor Bun. $1: an empty folder; $2: the cgroup of the machine.
set -eu
echo 0 >"$2/cgroup.procs"
exec unshare --cgroup sh -eu -c '
mount --make-rprivate /
mount -t tmpfs -o mode=755 machine "$1"
cd "$1"
mkdir usr etc var run tmp dev proc sys root opt old
chmod 1777 tmp
for name in bin sbin lib lib64; do ln -s usr/$name $name; done
mount --rbind /usr usr
mount -o remount,bind,ro usr
for name in node bun; do [ ! -e usr/bin/$name ] || mount --bind /dev/null "$(realpath usr/bin/$name)"; done
mount -t tmpfs -o mode=755 local usr/local
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 run run
mount -t tmpfs -o mode=755 dev dev
for name in null zero full random urandom tty; do
  touch dev/$name
  mount --bind /dev/$name dev/$name
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts
mount -t tmpfs -o mode=1777 shm dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
for name in ld.so.cache ssl alternatives; do [ ! -e /etc/$name ] || cp -a /etc/$name etc/; done
# What boots is what the first boot of this machine enables: nothing but the parts of systemd itself.
echo uninitialized >etc/machine-id
mkdir -p etc/systemd/system etc/systemd/system-preset
echo "disable *" >etc/systemd/system-preset/00-nothing.preset
for unit in systemd-firstboot.service dev-hugepages.mount sys-kernel-debug.mount sys-kernel-tracing.mount \
  sys-fs-fuse-connections.mount; do
  ln -s /dev/null etc/systemd/system/$unit
done
pivot_root . old
umount -l /old
# Credentials of units are mounts that a process of systemd makes for all.
mount --make-rshared /
exec env -i container=test TERM=dumb PATH=/usr/sbin:/usr/bin /lib/systemd/systemd --system --unit=multi-user.target
' sh "$1"
