#!/bin/sh
# SPDX-License-Identifier: MIT
# A folder may include only itself and the layers below it (HACKING.md has the same table).
set -eu
cd "${FLAMEBEAT_ROOT:-$(dirname "$0")/../..}"

check() { # folder, what it may include...
  folder=$1
  shift
  [ -d "$folder" ] || return 0
  allowed=$(echo "$folder" "$@" | tr ' ' '|')
  grep -nE '^#include "[^"]*/' "$folder"/*.[ch] 2>/dev/null |
    grep -vE "#include \"($allowed)(/|\")" >>"$bad" || true
}

bad=$(mktemp)
trap 'rm -f "$bad"' EXIT
check store
check parse store
check heatmap store
check slice store
check render store heatmap slice web-static
check serve store heatmap slice render web-static parse/load.h
check cli store parse heatmap slice render serve
# Every include names its folder, so that the layer shows.
grep -nE '^#include "[^/"]+"' store/*.[ch] parse/*.[ch] heatmap/*.[ch] slice/*.[ch] render/*.[ch] \
  serve/*.[ch] cli/*.[ch] >>"$bad" || true

echo 1..1
if [ -s "$bad" ]; then
  echo "not ok 1 includes stay within the layers"
  sed 's/^/# /' "$bad"
  exit 1
fi
echo "ok 1 includes stay within the layers"
