#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts ES modules into one script, for a page that is opened from disk.

usage: bundle.py OUTPUT ENTRY.js

Each module becomes a function of its own, in the order of their imports; imports and exports must
be written on lines of their own, as all modules here do.
"""

import os
import re
import sys

IMPORT = re.compile(r'import (\{[^}]*\}) from "\./([\w-]+)\.js";$')
EXPORT = re.compile(r"export (?:async )?(?:function\*?|const|class) (\w+)")


def identifier(name):
    return "module_" + name.replace("-", "_")


def convert(name, folder, done, parts, sources):
    if name in done:
        return
    done.add(name)
    path = os.path.join(folder, name + ".js")
    sources.append(path)
    lines, exports = [], []
    with open(path, encoding="utf-8") as file:
        for line in file.read().splitlines():
            imported, exported = IMPORT.match(line), EXPORT.match(line)
            if imported:
                convert(imported.group(2), folder, done, parts, sources)
                line = f"const {imported.group(1)} = {identifier(imported.group(2))};"
            elif exported:
                exports.append(exported.group(1))
                line = line.removeprefix("export ")
            elif re.match(r"import|export", line):
                sys.exit(f"{path}: cannot bundle: {line}")
            lines.append(line)
    body = "\n".join(lines)
    if "</script" in body or "<!--" in body:
        sys.exit(f"{path}: holds what would end a script")
    parts.append(f"const {identifier(name)} = (() => {{\n{body}\n"
                 f"return {{ {', '.join(exports)} }};\n}})();\n")


def main(output, entry):
    parts, sources = ['"use strict";\n'], []
    convert(os.path.basename(entry).removesuffix(".js"), os.path.dirname(entry), set(), parts,
            sources)
    with open(output, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(parts)
    with open(output + ".d", "w", encoding="utf-8") as file:
        file.write(f"{output}: {' '.join(sources)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
