# SPDX-License-Identifier: MIT
"""The heat map's cells against FlameScope's algorithm, written anew here in exact integers.

FlameScope: columns are whole seconds of perf's clock, the first is that of the earliest event;
`row = rows - floor(rows * (time % 1)) - 1` counts from the top; a cell counts event lines of all
events, idle ones too. Its arithmetic is floating point, which puts stamps on the edge of a row
into the wrong one; here it is integers. Its last column is that of the last line, ours that of
the latest event.
"""

import gzip
import json
import os
import re
import unittest

import tap
from tap import EXAMPLES, flamebeat, shared

ROWS = (10, 25, 49, 50, 99, 100)  # what FlameScope offers
NS = 10**9

# "comm  tid [cpu] seconds.fraction: period event:", nothing after it.
EVENT_LINE = re.compile(rb" (\d+)\.(\d{6}|\d{9}): +(?:\d+ +)?[^ ]+: *$")


def event_times(text):
    """Times of the event lines in ns, by a reader of its own."""
    times = []
    for line in text.split(b"\n"):
        if line and line[:1] not in b"#\t ":
            found = EVENT_LINE.search(line)
            if found:
                times.append(int(found[1]) * NS + int(found[2].ljust(9, b"0")))
    return times


def flamescope(times, rows):
    first, last = min(times) // NS, max(times) // NS
    values = [[0] * rows for _ in range(last - first + 1)]
    for time in times:
        second, fraction = divmod(time, NS)
        values[second - first][rows - rows * fraction // NS - 1] += 1
    return values


class FlameScope(unittest.TestCase):
    def check(self, path, n_events):
        with open(path, "rb") as file:
            text = file.read()
        if text[:2] == b"\x1f\x8b":
            text = gzip.decompress(text)
        times = event_times(text)
        self.assertGreaterEqual(len(times), n_events)
        for rows in ROWS:
            with self.subTest(rows=rows):
                result = flamebeat("heatmap", path, "--event", "all", "--idle", "keep", "--rows",
                                   rows, "--format", "json")
                self.assertEqual(result.returncode, 0, result.stderr)
                ours = json.loads(result.stdout)
                values = flamescope(times, rows)
                self.assertEqual(ours["values"], values)
                self.assertEqual(ours["maxvalue"], max(map(max, values)))
                self.assertEqual(ours["columns"], list(range(len(values))))
                self.assertEqual(len(ours["rows"]), rows)
                for i, offset in enumerate(ours["rows"]):
                    self.assertAlmostEqual(offset, (rows - 1 - i) * 1000 / rows, places=5)
                self.assertEqual(ours["zero_ns"], min(times) // NS * NS)

    def test_recording_of_flamescope(self):
        self.check(shared("flamescope", "perf.test01"), 9)

    def test_heartbeat(self):
        self.check(os.path.join(EXAMPLES, "heartbeat.perf.gz"), 5000)

    def test_server(self):
        self.check(os.path.join(EXAMPLES, "server.perf.gz"), 20000)

    def test_edges_of_rows(self):
        # Stamps right at and right before the edges, where floating point goes wrong.
        for base, before in ((28648, 1000), (331669, 1), (6034779, 1)):
            edges = [base * NS + row * NS // 50 for row in range(150)]
            times = sorted(edges + [edge - before for edge in edges[1:]])
            text = "".join(f"busy 7 [000] {t // NS}.{t % NS:09}: 1 cycles: \n\n" for t in times)
            if before == 1000:
                text = text.replace("000: 1", ": 1")
            self.assertEqual(event_times(text.encode()), times)
            result = flamebeat("heatmap", "-", "--event", "all", "--idle", "keep", "--format",
                               "json", stdin=text.encode())
            values = json.loads(result.stdout)["values"]
            self.assertEqual(values, flamescope(times, 50))
            self.assertEqual({value for column in values[:2] for value in column}, {2})


if __name__ == "__main__":
    tap.main()
