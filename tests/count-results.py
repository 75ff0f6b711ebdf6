# SPDX-License-Identifier: MIT
"""Prints `N passed, N failed` for a JUnit file of meson's; exits with 1 unless all is well."""

import sys
import xml.etree.ElementTree as ET


def main(path):
    passed = failed = skipped = 0
    for suite in ET.parse(path).getroot().iter("testsuite"):
        cases = list(suite.iter("testcase"))
        for case in cases:
            if case.find("failure") is not None or case.find("error") is not None:
                failed += 1
            elif case.find("skipped") is not None:
                skipped += 1
            else:
                passed += 1
        # A program that died before its first case is a failure all the same.
        if not cases and (int(suite.get("failures", 0)) or int(suite.get("errors", 0))):
            failed += 1
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
