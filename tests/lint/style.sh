#!/bin/sh
# SPDX-License-Identifier: MIT
# What can be checked of the style without reading: format, licence lines, sizes, banned functions.
set -eu
cd "${FLAMEBEAT_ROOT:-$(dirname "$0")/../..}"
files=$(ls store/*.[ch] parse/*.[ch] heatmap/*.[ch] slice/*.[ch] render/*.[ch] serve/*.[ch] cli/*.[ch] tests/*.[ch])
n=0
failed=0

problems=$(mktemp)
trap 'rm -f "$problems"' EXIT

report() { # name; what is wrong is in the file
  n=$((n + 1))
  if [ ! -s "$problems" ]; then
    echo "ok $n $1"
  else
    echo "not ok $n $1"
    head -20 "$problems" | sed 's/^/# /'
    failed=1
  fi
}

echo 1..5
# shellcheck disable=SC2086
clang-format --dry-run $files 2>&1 | grep -E 'warning:' >"$problems" || true
report "clang-format agrees"
# shellcheck disable=SC2086
for file in $files; do
  head -n 1 "$file" | grep -q 'SPDX-License-Identifier: MIT' || echo "$file"
done >"$problems"
report "files begin with their licence"
for file in $files; do
  lines=$(wc -l <"$file")
  case $file in tests/*) limit=900 ;; *) limit=500 ;; esac
  [ "$lines" -le "$limit" ] || echo "$file: $lines lines"
done >"$problems"
report "files stay short"
# shellcheck disable=SC2086
awk 'FNR == 1 { open = 0 }
     /^[A-Za-z].*\)$/ && !/;/ { name = $0; start = FNR }
     /^{/ { open = 1; if (start == 0) start = FNR }
     /^}/ { if (open && FNR - start > 62 && name != "") print FILENAME ": " FNR - start " lines: " name
            open = 0; name = ""; start = 0 }' $files >"$problems"
report "functions stay short"
# The plug-in lives in perf and has libc alone.
# shellcheck disable=SC2086
grep -nE '\b(strcpy|strcat|sprintf|vsprintf|gets|atoi|atol|strtok|alloca|malloc|calloc|realloc|system|popen)\(' \
  $(echo $files | tr ' ' '\n' | grep -vE '^tests/|^parse/perf-plugin.c') >"$problems" || true
report "no banned functions"
exit "$failed"
