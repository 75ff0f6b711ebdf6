# SPDX-License-Identifier: MIT
"""What tests of the program have in common: a folder, and results that are looked at closely."""

import os
import re
import shutil
import tempfile
import unittest

import tap
from tap import flamebeat

# Everything, where a test normally takes a sample of what there is to try.
IS_FULL = bool(os.environ.get("FLAMEBEAT_FULL"))


def has_asan():
    with open(tap.PROGRAM, "rb") as file:
        return b"__asan_init" in file.read()


def errors_of(result):
    """Lines on standard error that are no notes."""
    return [line for line in result.stderr.splitlines()
            if not line.startswith(b"flamebeat: note: ")]


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def path(self, name, data=None):
        """A file in the test's folder; `data`: what to write there."""
        path = os.path.join(self.folder, name)
        if data is not None:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(data)
        return path

    def read(self, path):
        with open(path, "rb") as file:
            return file.read()

    def check_calm(self, result, what=None):
        """No crash, no report of a sanitizer, no warning of a library: only our own messages."""
        self.assertGreaterEqual(result.returncode, 0, what)
        for line in result.stderr.splitlines():
            self.assertTrue(line.startswith(b"flamebeat: "), (what, result.stderr))

    def ok(self, *args, **settings):
        """Standard output of a command that succeeds."""
        result = flamebeat(*args, **settings)
        self.assertEqual(result.returncode, 0, (args, result.stderr))
        self.check_calm(result, args)
        self.assertEqual(errors_of(result), [], args)
        return result.stdout

    def notes(self, pattern, *args, **settings):
        """A command that succeeds and says something about it; with --strict it says 3."""
        result = flamebeat(*args, **settings)
        self.assertEqual(result.returncode, 0, (args, result.stderr))
        self.check_calm(result, args)
        self.assertRegex(result.stderr.decode(), pattern)
        strict = flamebeat(*args, "--strict", **settings)
        self.assertEqual(strict.returncode, 3, (args, strict.stderr))
        self.check_calm(strict, args)
        return result.stdout

    def fails(self, status, pattern, *args, **settings):
        """A command that fails, prints nothing and says why in one line."""
        result = flamebeat(*args, **settings)
        self.assertEqual(result.returncode, status, (args, result.stderr))
        self.check_calm(result, args)
        errors = errors_of(result)
        self.assertEqual(len(errors), 1, (args, result.stderr))
        self.assertRegex(errors[0].decode("utf-8", "replace"), re.compile(pattern))
        self.assertEqual(result.stdout, b"", args)
        return result
