# Sourced by the scripts beside it: what they need of the machine, said and installed. Not a command of its own.
# shellcheck shell=bash

set -euo pipefail
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$project"

# What building and running need of Debian 12 and 13.
build_packages=(pkg-config libasound2-dev libpocketsphinx-dev libsphinxbase-dev libespeak-ng-dev libgpiod-dev
    libmosquitto-dev libsqlite3-dev liblinear-dev libsndfile1-dev libspeexdsp-dev)
run_packages=(pocketsphinx-en-us espeak-ng-data libasound2-data mosquitto mosquitto-clients flite gpsd gpsd-clients)
# The towns by which places are named. libgeonames-common, beside it, holds translations only: the towns are a resource
# inside libgeonames0's library, and gresource (libglib2.0-bin) takes it out.
place_packages=(libgeonames0 libglib2.0-bin)

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
fail() { printf '%s\n' "$*" >&2; exit 1; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif command -v sudo >/dev/null; then sudo "$@"
    else fail "This needs root for: $*
Run it as root, or install sudo."; fi
}

# The packages that are missing, and only those, are installed.
install_packages() {
    local missing=()
    for package in "$@"; do
        dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    command -v apt-get >/dev/null || fail "These Debian packages are needed: ${missing[*]}"
    say "Installing ${missing[*]}"
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
    # Debian starts the broker as a service on its own port; nothing here uses that one.
}

# Takes the towns out of their package, which it installs, into a file for the setting paths.places. Its failure need
# not end anything: without towns only the names of places are missing.
make_places() (
    install_packages "${place_packages[@]}" || exit
    library=$(dpkg-query -L libgeonames0 | grep '/libgeonames\.so\.0$') || exit
    resource=$(gresource list "$library" | grep '/cities\.compiled$') || exit
    gresource extract "$library" "$resource" >"$1.new" && mv "$1.new" "$1"
)

# The package's dependencies need Swift 6.2; Debian 13's own is 6.0.
require_swift() {
    local advice="VanOrb's dependencies need Swift 6.2 or later. Get a toolchain for Debian 12 from swift.org (swiftly
install latest, or unpack the archive and put its usr/bin first in PATH), then run this again."
    command -v swift >/dev/null || fail "There is no swift in PATH. $advice"
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
    [ -n "$version" ] || fail "swift --version does not tell its version. $advice"
    if [ "${version%%.*}" -lt 6 ] || { [ "${version%%.*}" = 6 ] && [ "${version##*.}" -lt 2 ]; }; then
        fail "This is Swift $version. $advice"
    fi
}

# A TCP port on loopback that nobody listens on at this moment.
free_port() {
    local port
    for _ in $(seq 50); do
        port=$((20000 + RANDOM % 20000))
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
    done
    fail "No free port on 127.0.0.1."
}

# Runs a long step with a line that shows it is alive; its output is shown when it fails.
step() {
    local title=$1 log started=$SECONDS
    shift
    log=$(mktemp)
    "$@" >"$log" 2>&1 &
    local pid=$!
    while kill -0 "$pid" 2>/dev/null; do
        if [ -t 1 ]; then
            printf '\r\033[K%s … %d s  %s' "$title" $((SECONDS - started)) "$(tail -n 1 "$log" | cut -c1-60)"
            sleep 1
        else
            sleep 5
            [ $(((SECONDS - started) % 30)) -ge 5 ] || printf '%s … %d s\n' "$title" $((SECONDS - started))
        fi
    done
    if [ -t 1 ]; then printf '\r\033[K'; fi
    if wait "$pid"; then
        printf '%s: done in %d s\n' "$title" $((SECONDS - started))
        rm -f "$log"
    else
        local status=$?
        printf '%s FAILED:\n' "$title" >&2
        tail -n 60 "$log" >&2
        rm -f "$log"
        return "$status"
    fi
}
