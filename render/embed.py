#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns text files into C string constants.

usage: embed.py OUTPUT.c HEADER NAME=FILE...

HEADER is the file that declares the constants. The text must be ASCII and must not hold what would
end a CDATA section, because that is where render/tree-svg.c puts it.
"""

import sys


def c_literal(line):
    escaped = line.replace("\\", "\\\\").replace('"', '\\"')
    escaped = escaped.replace("\t", "\\t").replace("?", "\\?").replace("\n", "\\n")
    return f'\t"{escaped}"\n'


def main(output, header, *items):
    parts = ["/* Made by render/embed.py: do not edit. */\n", f'#include "{header}"\n']
    for item in items:
        name, path = item.split("=", 1)
        with open(path, encoding="ascii", newline="\n") as file:
            text = file.read()
        if "]]>" in text or "\r" in text:
            sys.exit(f"{path}: holds ']]>' or a carriage return")
        parts.append(f"\nconst char {name}[] =\n")
        parts.extend(c_literal(line) for line in text.splitlines(keepends=True))
        parts[-1] = parts[-1].rstrip("\n") + ";\n"
    with open(output, "w", encoding="ascii", newline="\n") as file:
        file.writelines(parts)


if __name__ == "__main__":
    main(*sys.argv[1:])
