# SPDX-License-Identifier: MIT
"""Prints `N passed, N failed` for a folder of meson's logs; exits with 1 unless all is well."""

import json
import os
import sys
import xml.etree.ElementTree as ET


def count_cases(path):
    """Passed, failed, skipped; and the programs that have a failed case."""
    passed = failed = skipped = 0
    told = set()
    for suite in ET.parse(path).getroot().iter("testsuite"):
        for case in suite.iter("testcase"):
            if case.find("failure") is not None or case.find("error") is not None:
                failed += 1
                told.add(suite.get("name"))
            elif case.find("skipped") is not None:
                skipped += 1
            else:
                passed += 1
    return passed, failed, skipped, told


def main(folder):
    passed, failed, skipped, told = count_cases(os.path.join(folder, "testlog.junit.xml"))
    with open(os.path.join(folder, "testlog.json"), encoding="utf-8") as log:
        for program in map(json.loads, log):
            # One that died or ran out of time after its last case is a failure all the same.
            is_told = any(name.endswith(program["name"]) for name in told)
            failed += program["result"] not in ("OK", "SKIP") and not is_told
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
