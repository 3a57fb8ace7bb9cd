# Sourced by `guest`: how the virtual board's disk, kernel and initial file system are made. Not a command of its own.
# shellcheck shell=bash
#
# All of it comes from Debian 12, whatever the machine itself runs: the guest, and a second root that is only unpacked,
# never booted, in which the guest's modules and tools are compiled.

suite=bookworm
guest_packages=(systemd systemd-sysv udev dbus kmod linux-image-amd64 iproute2 procps openssh-server psmisc
    gpiod alsa-utils dosfstools libasound2-data mosquitto mosquitto-clients pocketsphinx-en-us espeak-ng-data
    libasound2 libncursesw6 libpocketsphinx3 libsphinxbase3 libespeak-ng1 libgpiod2 libmosquitto1 libsqlite3-0 liblinear4 libsndfile1
    libspeexdsp1)
compiler_packages=(make gcc-12 libc6-dev dash bash coreutils sed grep mawk findutils xz-utils tar binutils perl-base
    busybox-static linux-source-6.1)

# The name of what these files make: another recipe is another folder.
recipe_digest() {
    (cd "$here" && find recipe.sh modules tools root -type f -print0 | sort -z | xargs -0 sha256sum) | sha256sum | cut -c1-16
}

unpack_debian() { # variant folder packages…
    local variant=$1 folder=$2
    shift 2
    as_root mmdebstrap --quiet --variant="$variant" --aptopt='APT::Install-Recommends "false"' \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
        --dpkgopt='path-exclude=/usr/share/locale/*' \
        --include="$(IFS=,; echo "$*")" "$suite" "$folder"
}

compile() { as_root chroot "$work/compiler" /usr/bin/env PATH=/usr/bin:/bin:/usr/sbin:/sbin "$@"; }

# Debian 12's kernel has no gpio-sim. Its source builds as a module of its own, but for one function that the kernel
# keeps to itself, in whose place stands the one that is meant for modules.
make_modules() { # kernel release
    local release=$1 source=$work/compiler/modules
    as_root mkdir -p "$source"
    as_root tar xJf "$work/compiler/usr/src/linux-source-6.1.tar.xz" -C "$source" --strip-components=3 \
        linux-source-6.1/drivers/gpio/gpio-sim.c linux-source-6.1/drivers/gpio/gpiolib.h \
        linux-source-6.1/kernel/irq/irq_sim.c
    as_root mv "$source/gpio-sim.c" "$source/gpio-sim-core.c"
    as_root sed -i 's/handle_simple_irq(irq_to_desc(irqnum))/generic_handle_irq(irqnum)/' "$source/irq_sim.c"
    as_root cp "$here"/modules/* "$source"
    # Unpacked packages have not been set up.
    as_root ln -sf mawk "$work/compiler/usr/bin/awk"
    compile make -s -C "/usr/src/linux-headers-$release" M=/modules CC=gcc-12 modules
    as_root mkdir -p "$work/root/usr/lib/modules/$release/extra"
    as_root cp "$source"/*.ko "$work/root/usr/lib/modules/$release/extra/"
    as_root chroot "$work/root" depmod "$release"
}

# Programs for the guest, without libraries, so that it does not matter where they were compiled.
make_tools() {
    local tool name
    for tool in "$here"/tools/*.c; do
        name=$(basename "$tool" .c)
        as_root cp "$tool" "$work/compiler/tmp/"
        compile gcc-12 -O2 -Wall -Werror -static -o "/tmp/$name" "/tmp/$name.c"
        as_root cp "$work/compiler/tmp/$name" "$work/root/usr/local/bin/"
    done
}

# Debian's own initial file system takes half a minute to unpack under emulation; this one has what finds the disk.
make_initrd() { # kernel release, file
    local release=$1 tree=$work/initrd module
    local modules=$work/root/usr/lib/modules/$release
    mkdir -p "$tree"/{bin,dev,proc,sys,root,lib}
    cp "$work/compiler/bin/busybox" "$tree/bin/busybox"
    {
        echo '#!/bin/busybox sh'
        echo '/bin/busybox mount -t devtmpfs dev /dev'
        for module in $(needed_modules "$modules" virtio_pci virtio_blk ext4 crc32c_generic); do
            cp "$modules/$module" "$tree/lib/"
            echo "/bin/busybox insmod /lib/$(basename "$module")"
        done
        echo 'until [ -b /dev/vda ]; do /bin/busybox usleep 50000; done'
        echo '/bin/busybox mount -t ext4 /dev/vda /root && exec /bin/busybox switch_root /root /sbin/init'
    } >"$tree/init"
    chmod 755 "$tree/init" "$tree/bin/busybox"
    (cd "$tree" && find . -print0 | cpio --quiet --null --create --format=newc) >"$2"
}

# The files of these modules and of what they need, in the order in which they load.
needed_modules() { # folder names…
    awk -v wanted="${*:2}" '
        { file = $1; sub(/:$/, "", file); name = file; sub(/.*\//, "", name); sub(/\.ko$/, "", name)
          file_of[name] = file; needs[file] = ""
          for (i = 2; i <= NF; i++) needs[file] = needs[file] " " $i }
        function load(file,  parts, count, i) {
            if (file in loaded) return
            loaded[file] = 1
            count = split(needs[file], parts, " ")
            for (i = count; i >= 1; i--) load(parts[i])
            print file
        }
        END { count = split(wanted, names, " ")
              for (i = 1; i <= count; i++) if (names[i] in file_of) load(file_of[names[i]]) }
    ' "$1/modules.dep"
}

# Makes everything in a folder of its own, which is moved into place when it is whole.
make_image() { # target folder
    local target=$1 release key
    work=$(mktemp -d "${TMPDIR:-/tmp}/vanorb-board.XXXXXX")
    chmod 755 "$work"
    trap 'as_root rm -rf "$work"' RETURN
    unpack_debian apt "$work/root" "${guest_packages[@]}"
    # as_root find: its /boot is its own.
    release=$(as_root find "$work/root/boot" -name 'vmlinuz-*' -printf '%f\n' | sed 's/^vmlinuz-//' | sort -V | tail -n 1)
    unpack_debian extract "$work/compiler" "${compiler_packages[@]}" "linux-headers-$release"
    make_modules "$release"
    make_tools
    as_root cp -r "$here/root/." "$work/root/"
    as_root chmod 755 "$work"/root/usr/local/sbin/*
    mkdir -p "$work/made"
    ssh-keygen -q -t ed25519 -N '' -C virtual-board -f "$work/made/key"
    key=$(cat "$work/made/key.pub")
    as_root mkdir -p -m 700 "$work/root/root/.ssh"
    echo "$key" | as_root tee "$work/root/root/.ssh/authorized_keys" >/dev/null
    as_root chroot "$work/root" /bin/sh -e <<'INSIDE'
        echo virtual-board >/etc/hostname
        systemctl -q enable systemd-networkd virtual-board.service
        systemctl -q disable apt-daily.timer apt-daily-upgrade.timer e2scrub_all.timer fstrim.timer dpkg-db-backup.timer \
            e2scrub_reap.service alsa-restore.service alsa-state.service 2>/dev/null || true
        systemctl -q mask systemd-networkd-wait-online.service getty@tty1.service serial-getty@ttyS0.service
        rm -rf /var/cache/apt /var/lib/apt/lists
INSIDE
    as_root cat "$work/root/boot/vmlinuz-$release" >"$work/made/vmlinuz"
    make_initrd "$release" "$work/made/initrd"
    # Room for what the tests write; sparse, so that it takes none before.
    as_root mke2fs -q -t ext4 -O ^has_journal,^metadata_csum -E lazy_itable_init=1 -d "$work/root" "$work/made/disk" 2500M
    as_root tune2fs -O has_journal "$work/made/disk" >/dev/null
    as_root chown -R "$(id -u):$(id -g)" "$work/made"
    mkdir -p "$(dirname "$target")"
    rm -rf "$target"
    mv "$work/made" "$target"
}
