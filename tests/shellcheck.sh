#!/usr/bin/env bash
# Every shell script of the tree, sourced ones included, passes shellcheck.

set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
command -v shellcheck >/dev/null || {
    echo "skipped: shellcheck is not installed (Debian: shellcheck)"
    exit 77
}

# What git tracks, or will; without git, what lies in the folders that hold scripts. Scripts are known by their first line.
files() {
    git ls-files --cached --others --exclude-standard -z 2>/dev/null || find .ci cmake inputs jobscripts src tests -type f -print0
}
scripts=()
while IFS= read -r -d '' file; do
    if [[ -f $file ]] && LC_ALL=C head -c 200 "$file" | head -n 1 | grep -qaE '^(#!.*\b(ba)?sh$|# shellcheck shell=)'; then
        scripts+=("$file")
    fi
done < <(files)
((${#scripts[@]} > 10)) || {
    echo "found only: ${scripts[*]}" >&2
    exit 1
}
shellcheck --external-sources --source-path=. "${scripts[@]}"
echo "${#scripts[@]} scripts in order"
