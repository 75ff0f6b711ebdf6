# SPDX-License-Identifier: MIT
"""Help, man page, README and the tables of the program agree."""

import os
import re
import shutil
import subprocess
import unittest

import tap
from tap import ROOT, flamebeat

MAN = os.path.join(ROOT, "docs", "flamebeat.1")


def commands():
    text = flamebeat("--help").stdout.decode()
    block = text.split("Commands:\n")[1].split("\n\n")[0]
    return [line.split()[0] for line in block.splitlines()]


def options(command):
    text = flamebeat(command, "--help").stdout.decode()
    return re.findall(r"^  (?:-(\w), |    )--([\w-]+)", text, re.M)


def man_section(command):
    with open(MAN, encoding="utf-8") as file:
        text = file.read()
    parts = re.split(r"^\.Ss ", text, flags=re.M)
    for part in parts[1:]:
        if part.splitlines()[0].strip() == command:
            return re.split(r"^\.Sh ", part, flags=re.M)[0]
    return ""


class Docs(unittest.TestCase):
    def test_every_command_answers_help(self):
        self.assertGreaterEqual(len(commands()), 5)
        for command in commands():
            result = flamebeat(command, "--help")
            self.assertEqual(result.returncode, 0, command)
            self.assertEqual(result.stderr, b"")
            self.assertTrue(result.stdout.startswith(b"Usage: flamebeat " + command.encode()))

    def test_help_fits_a_terminal(self):
        for command in commands():
            for line in flamebeat(command, "--help").stdout.decode().splitlines():
                self.assertLessEqual(len(line), 110, line)

    def test_manual_has_every_command_and_option_and_no_other(self):
        for command in commands():
            section = man_section(command)
            self.assertTrue(section, f"docs/flamebeat.1 has no section on {command}")
            listed = set(re.findall(r"^\.It (?:Fl \w , )?Fl -([\w-]+)", section, re.M))
            there = {long for _, long in options(command)}
            self.assertEqual(listed, there, command)

    def test_manual_has_the_help_texts(self):
        with open(MAN, encoding="utf-8") as file:
            manual = " ".join(file.read().replace("\\-", "-").replace("\\&", "").split())
        for command in commands():
            text = flamebeat(command, "--help").stdout.decode()
            summary = text.split("\n")[2].rstrip(".")
            self.assertIn(" ".join(summary.split()), manual, command)

    def test_manual_is_well_formed(self):
        if not shutil.which("mandoc"):
            self.skipTest("no mandoc")
        result = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", MAN],
                                stdout=subprocess.PIPE, check=False)
        self.assertEqual(result.stdout.decode(), "")

    def test_readme_shows_every_command(self):
        with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
            readme = file.read()
        for command in commands():
            self.assertIn(f"flamebeat {command}", readme)
        for promised in ("examples/quickstart", "tests/run"):
            self.assertIn(promised, readme)
            self.assertTrue(os.access(os.path.join(ROOT, promised), os.X_OK))

    def test_links_in_documents_lead_somewhere(self):
        for folder, name in (("", "README.md"), ("", "HACKING.md"), ("examples", "README.md"),
                             ("docs", "store-format.md"), ("docs", "diff.md")):
            path = os.path.join(ROOT, folder, name)
            with open(path, encoding="utf-8") as file:
                links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", file.read())
            for link in links:
                if not link.startswith("http"):
                    target = os.path.join(ROOT, folder, link)
                    self.assertTrue(os.path.exists(target), f"{name}: {link}")


if __name__ == "__main__":
    tap.main()
