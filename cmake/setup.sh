#!/usr/bin/env bash
# Makes build/tamp ready to run: installs what is missing, configures, compiles. Quick when there is nothing to do.
#
#   cmake/setup.sh          the executable
#   cmake/setup.sh tests    the executable and all tests, warnings as errors
#
# From the environment: TAMP_CATALYST=OFF (no pictures, no ParaView), TAMP_SLURM=OFF (no SLURM for tests of job scripts),
# TAMP_ARCH=x86-64-v3 (default: this machine).

set -euo pipefail

source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build_dir=$source_dir/build
purpose=${1:-run}

say() { printf 'tamp set-up: %s\n' "$*"; }
fail() {
    printf 'tamp set-up: %s\n' "$@" >&2
    exit 1
}

case $purpose in
run | tests) ;;
*) fail "unknown purpose '$purpose'; usage: cmake/setup.sh [tests]" ;;
esac

# is_on VALUE: as CMake understands it
is_on() {
    case $1 in
    OFF | Off | off | NO | No | no | FALSE | False | false | 0) return 1 ;;
    *) return 0 ;;
    esac
}

# ---- Packages ---------------------------------------------------------------------------------------------------

# packages SECTION: the names listed under [SECTION]
packages() {
    awk -v wanted="[$1]" '/^\[/ { section = $1; next } /^#/ || NF == 0 { next } section == wanted { print $1 }' \
        "$source_dir/cmake/packages.txt"
}

# missing SECTION...: those not installed; nothing where dpkg does not rule
missing() {
    local section package
    command -v dpkg-query >/dev/null || return 0
    local installed
    # shellcheck disable=SC2016 # dpkg-query's own variables
    installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n')
    for section in "$@"; do
        for package in $(packages "$section"); do
            grep -qxF "installed $package" <<<"$installed" || echo "$package"
        done
    done
}

# may_install [quietly]: whether apt-get can be used; quietly: without asking for a password
as_root=()
may_install() {
    command -v apt-get >/dev/null || return 1
    if [[ $(id -u) -eq 0 ]]; then
        return 0
    fi
    command -v sudo >/dev/null || return 1
    if [[ ${1:-} == quietly ]]; then
        sudo -n true 2>/dev/null || return 1
    fi
    as_root=(sudo)
}

# apt ARGUMENTS...: apt-get, waiting for others that hold one of its locks. Its own time-out covers only dpkg's.
apt() {
    local log attempt
    log=$(mktemp)
    for attempt in {1..60}; do
        if "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 \
            -o Acquire::Retries=3 -q "$@" 2> >(tee "$log" >&2); then
            rm -f "$log"
            return 0
        fi
        grep -q 'Could not get lock\|Unable to lock' "$log" || break
        say "another package manager is at work; waiting (${attempt}0 s so far)"
        sleep 10
    done
    rm -f "$log"
    return 1
}

updated=no
install_packages() {
    if [[ $updated == no ]]; then
        apt update || return 1
        updated=yes
    fi
    apt install --yes --no-install-recommends --no-remove "$@"
}

need=(core)
if [[ $purpose == tests ]]; then
    need+=(tests)
fi
installed_something=no
mapfile -t lacking < <(missing "${need[@]}")
if ((${#lacking[@]} > 0)); then
    say "missing packages: ${lacking[*]}"
    if may_install; then
        if install_packages "${lacking[@]}"; then
            installed_something=yes
            lacking=()
        elif ((${#as_root[@]} > 0)); then
            say "they could not be installed by sudo; trying to build with what there is"
        else
            fail "these packages could not be installed: ${lacking[*]}"
        fi
    else
        say "they cannot be installed from here (neither root nor sudo); trying to build with what there is"
    fi
fi

# offer SECTION PURPOSE SWITCH: installs packages without which everything else works
offer() {
    local section=$1 purpose=$2 switch=$3 lacking
    mapfile -t lacking < <(missing "$section")
    if ((${#lacking[@]} > 0)); then
        say "missing packages for $purpose: ${lacking[*]} ($switch=OFF does without)"
        if may_install quietly && install_packages "${lacking[@]}"; then
            installed_something=yes
        else
            say "going on without $purpose: these packages could not be installed"
        fi
    fi
}
if is_on "${TAMP_CATALYST:-ON}"; then
    offer catalyst pictures TAMP_CATALYST
fi
if [[ $purpose == tests ]] && is_on "${TAMP_SLURM:-ON}"; then
    offer slurm "tests of job scripts" TAMP_SLURM
fi

# ---- Configure --------------------------------------------------------------------------------------------------

not_found() {
    fail "$1" \
        "tamp needs CMake 3.25, a C++20 compiler, Open MPI, PETSc (real), parallel HDF5, toml++, fmt, spdlog, CLI11 and" \
        "nlohmann-json; its tests need GoogleTest and Python 3 as well. On Debian 12 these packages hold them:" \
        "  $(packages core | xargs)" "  $(packages tests | xargs)" \
        "Elsewhere install them, or load their modules, such that cmake and pkg-config find them (CMAKE_PREFIX_PATH," \
        "PKG_CONFIG_PATH), and try again."
}

for tool in cmake pkg-config mpirun; do
    command -v "$tool" >/dev/null || not_found "$tool is missing."
done

# One set-up at a time in a build folder: jobs of an array may start together.
mkdir -p "$build_dir"
if command -v flock >/dev/null; then
    exec 9>"$build_dir/.setup.lock"
    flock 9 || say "no lock on $build_dir; going on without"
fi

cache=$build_dir/CMakeCache.txt
cached() { sed -n "s/^$1:[A-Z]*=//p" "$cache"; }

options=()
if is_on "${TAMP_CATALYST:-ON}"; then
    options+=(TAMP_CATALYST=ON)
else
    options+=(TAMP_CATALYST=OFF)
fi
if [[ -n ${TAMP_ARCH:-} ]]; then
    options+=("TAMP_ARCH=$TAMP_ARCH")
fi
if [[ $purpose == tests ]]; then
    options+=(TAMP_TESTS=ON TAMP_WARNINGS_AS_ERRORS=ON)
fi

must_configure() {
    [[ -f $cache && (-f $build_dir/build.ninja || -f $build_dir/Makefile) ]] || return 0
    [[ $installed_something == no ]] || return 0
    local option revision
    for option in "${options[@]}"; do
        [[ $(cached "${option%%=*}") == "${option#*=}" ]] || return 0
    done
    revision=$(git -C "$source_dir" describe --always --dirty 2>/dev/null || echo unknown)
    [[ $(cached TAMP_CONFIGURED_REVISION) == "$revision" ]] || return 0
    return 1
}

if [[ -f $cache && $(cached CMAKE_HOME_DIRECTORY) != "$source_dir" ]]; then
    say "build/ was made for another folder ($(cached CMAKE_HOME_DIRECTORY)); configuring afresh"
    rm -rf "$cache" "$build_dir/CMakeFiles"
fi
if must_configure; then
    # The preset says Ninja; a build folder keeps the generator that it was made with.
    if [[ -f $cache ]]; then
        generator=$(cached CMAKE_GENERATOR)
    elif command -v ninja >/dev/null; then
        generator=${CMAKE_GENERATOR:-Ninja}
    else
        generator=${CMAKE_GENERATOR:-Unix Makefiles}
    fi
    (cd "$source_dir" && cmake --preset release -G "$generator" "${options[@]/#/-D}") ||
        not_found "CMake could not configure the build: see its message above."
fi

# ---- Build ------------------------------------------------------------------------------------------------------

targets=()
if [[ $purpose == run ]]; then
    targets=(--target tamp)
fi
cmake --build "$build_dir" --parallel "$(nproc)" "${targets[@]}" || fail "the build failed: see the messages above."
