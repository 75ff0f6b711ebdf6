#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rewrites the commands and options in docs/flamebeat.1 from the program's own help.

usage: docs/update-manual.py PROGRAM

The rest of the page is written by hand. tests/cli/docs.py fails when the two differ.
"""

import os
import re
import subprocess
import sys

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "flamebeat.1")
BEGIN = '.\\" begin of what update-manual.py writes\n'
END = '.\\" end of what update-manual.py writes\n'


def help_of(program, *args):
    return subprocess.run([program, *args], stdout=subprocess.PIPE, check=True, text=True).stdout


def escape(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def options(text):
    """(title, [(short, long, argument, help)]) of each table in a command's help."""
    # Where an option leaves no room, its help stands on the next line.
    text = re.sub(r"(\n +(?:-\w, )?--[\w-]+(?: \S+)?)\n +(?!-)", r"\1  ", text)
    for block in text.split("\n\n")[2:]:
        lines = block.strip("\n").split("\n")
        rows = []
        for line in lines[1:]:
            match = re.match(r" +(?:-(\w), )?--([\w-]+)(?: (\S+))? +(.*)", line)
            rows.append(match.groups())
        yield lines[0].rstrip(":"), rows


def section(program, command):
    text = help_of(program, command, "--help")
    usage, summary = text.split("\n")[0], text.split("\n")[2]
    arguments = usage.split("[OPTIONS] ")[1]
    out = [f".Ss {command}", f".D1 flamebeat {command} [OPTIONS] {escape(arguments)}", ".Pp",
           escape(summary)]
    alias = re.search(r"Also called `flamebeat (\w+)`", text)
    if alias:
        out.append(f"Also called\n.Ql flamebeat {alias.group(1)} .")
    for title, rows in options(text):
        out += [".Pp", f"{escape(title)}:", ".Bl -tag -width Ds"]
        for short, long, argument, help_text in rows:
            flags = f"Fl {short} , Fl -{long}" if short else f"Fl -{long}"
            out.append(f".It {flags}" + (f" Ar {escape(argument)}" if argument else ""))
            out.append(escape(help_text[0].upper() + help_text[1:]) + ".")
        out.append(".El")
    return out


def main(program):
    listing = help_of(program, "--help").split("Commands:\n")[1].split("\n\n")[0]
    out = []
    for line in listing.splitlines():
        out += section(program, line.split()[0])
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    head, rest = page.split(BEGIN)
    tail = rest.split(END)[1]
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(head + BEGIN + "\n".join(out) + "\n" + END + tail)


if __name__ == "__main__":
    main(sys.argv[1])
