# SPDX-License-Identifier: MIT
"""flamebeat diff --format pprof, decoded by our own few lines and by go tool pprof."""

import collections
import gzip
import os
import shutil
import subprocess

import tap
from diff import Diff, folded, random_stacks
from tap import EXAMPLES


def protobuf(data):
    """[(field, value)] of a message: integers, and bytes."""
    def varint(at):
        value = shift = 0
        while True:
            value |= (data[at] & 127) << shift
            at, shift = at + 1, shift + 7
            if data[at - 1] < 128:
                return value, at
    at, fields = 0, []
    while at < len(data):
        key, at = varint(at)
        value, at = varint(at)
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
        fields.append((key >> 3, value))
    return fields


def varints(data):
    """The integers of a packed list."""
    values, value, shift = [], 0, 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            values.append(value)
            value = shift = 0
    return values


def pprof(data):
    """Sample types, the default one, and [(folded stack, values)] of a file for pprof."""
    fields = protobuf(gzip.decompress(data))
    of = lambda wanted: [value for field, value in fields if field == wanted]
    strings = [text.decode() for text in of(6)]
    types = [tuple(strings[i] for _, i in protobuf(value)) for value in of(1)]
    functions = {f[1]: strings[f[2]] for f in map(dict, map(protobuf, of(5)))}
    locations = {f[1]: functions[dict(protobuf(f[4]))[1]]
                 for f in map(dict, map(protobuf, of(4)))}
    samples = [(";".join(locations[i] for i in reversed(varints(f[1]))), varints(f[2]))
               for f in map(dict, map(protobuf, of(2)))]
    return types, strings[of(14)[0]], samples


class Pprof(Diff):
    def test_pprof_has_both_sides(self):
        hostile = "</script>\x1b[31m\"'&"
        stacks = random_stacks(12), random_stacks(13, 80)
        stacks[0][f"a;{hostile}"] = 7
        new, old = (self.path(f"pprof{i}.folded", folded(side)) for i, side in enumerate(stacks))
        types, default, samples = pprof(self.ok("diff", new, "--base", old, "--format", "pprof"))
        self.assertEqual(types, [("base", "count"), ("new", "count")])
        self.assertEqual(default, "new")
        for side, path in ((1, new), (0, old)):
            found, expected = collections.Counter(), collections.Counter()
            for stack, values in samples:
                found[stack.replace("\x1b", "_")] += values[side]
            for line in self.ok("slice", path, "--format", "folded").decode().splitlines():
                stack, weight = line.rsplit(" ", 1)
                expected[stack] += int(weight)
            self.assertEqual(+found, expected)
            self.assertEqual(found.total(), sum(stacks[1 - side].values()))
        # Periods of a clock are nanoseconds.
        server = os.path.join(EXAMPLES, "server.perf.gz")
        sides = (server, "--range", "4.3..4.7", "--base-range", "8..9.5", "--weight", "period")
        types, _, samples = pprof(self.ok("diff", *sides, "--format", "pprof"))
        self.assertEqual(types, [("base", "nanoseconds"), ("new", "nanoseconds")])
        table = self.table(*sides)
        for side, name in enumerate(("base", "new")):
            self.assertEqual(sum(values[side] for _, values in samples), table[name]["weight"])

    def test_go_tool_pprof_reads_either_side(self):
        if shutil.which("go") is None:
            self.skipTest("no go")
        new = self.path("go1.folded", folded({"a;up": 900, "a;same": 100}))
        old = self.path("go2.folded", folded({"a;up": 100, "a;same": 50, "a;gone": 50}))
        file = self.path("sides.pb.gz")
        self.ok("diff", new, "--base", old, "-o", file)
        for side, total in (("new", 1000), ("base", 200)):
            text = subprocess.run(["go", "tool", "pprof", "-top", f"-sample_index={side}", file],
                                  capture_output=True, check=True).stdout.decode()
            self.assertIn(f"100% of {total} total", text)


if __name__ == "__main__":
    tap.main()
