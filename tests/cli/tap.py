# SPDX-License-Identifier: MIT
"""Runs unittest cases and prints TAP, which meson reads; see tests/meson.build.

The program under test is named by the variable FLAMEBEAT, the repository by FLAMEBEAT_ROOT.
"""

import os
import subprocess
import sys
import unittest

ROOT = os.environ.get("FLAMEBEAT_ROOT") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
)
PROGRAM = os.environ.get("FLAMEBEAT", "flamebeat")
EXAMPLES = os.path.join(ROOT, "examples")
# Recordings of other projects, beside the repository where it is developed.
SHARED = os.path.join(os.path.dirname(ROOT), "shared", "data")

# Colours and time zones of whoever runs the tests must not matter.
CLEAN = {k: v for k, v in os.environ.items() if k not in ("COLORTERM", "NO_COLOR", "COLUMNS")}
CLEAN["TERM"] = "dumb"
# As tests/run has it: libraries that keep what they own until the end.
CLEAN.setdefault("LSAN_OPTIONS", f"suppressions={ROOT}/tests/lsan.supp:print_suppressions=0")


def flamebeat(*args, stdin=None, env=None, cwd=None, timeout=300):
    """Runs the program; returns a CompletedProcess with bytes. `stdin`: bytes or None."""
    return subprocess.run(
        [PROGRAM, *map(str, args)],
        input=b"" if stdin is None else stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**CLEAN, **(env or {})},
        cwd=cwd,
        timeout=timeout,
        check=False,
    )


def shared(*parts):
    """Path of a recording of another project; skips the test where the folder is missing."""
    path = os.path.join(SHARED, *parts)
    if not os.path.exists(path):
        raise unittest.SkipTest(f"no {path}")
    return path


class _Tap(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.n = 0
        self.has_failed_part = False

    def _line(self, ok, test, note=""):
        self.n += 1
        print(f"{'ok' if ok else 'not ok'} {self.n} {test.id().removeprefix('__main__.')}{note}")
        sys.stdout.flush()

    def addSuccess(self, test):
        super().addSuccess(test)
        self._line(True, test)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self._line(True, test, f" # SKIP {reason}")

    def _failed(self, test, err):
        self.has_failed_part = False
        self._line(False, test)
        for line in self._exc_info_to_string(err, test).splitlines():
            print(f"# {line}")
        sys.stdout.flush()

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            print(f"# {subtest.id().removeprefix('__main__.')}")
            for line in self._exc_info_to_string(err, subtest).splitlines():
                print(f"# {line}")
            self.has_failed_part = True

    def startTest(self, test):
        super().startTest(test)
        self.has_failed_part = False

    def stopTest(self, test):
        super().stopTest(test)
        if self.has_failed_part:
            self._line(False, test)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._failed(test, err)

    def addError(self, test, err):
        super().addError(test, err)
        self._failed(test, err)


def main():
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    print(f"1..{suite.countTestCases()}")
    result = _Tap()
    suite.run(result)
    sys.exit(0 if result.wasSuccessful() else 1)
