# SPDX-License-Identifier: MIT
"""Flame charts: time on the x axis, in lanes."""

import json
import os

import tap
from case import Case

SERVER = os.path.join(tap.EXAMPLES, "server.perf.gz")


def sample(comm, tid, us, *frames):
    """One sample as perf script prints it; frames from the root."""
    lines = [f"{comm} {tid}/{tid} [000] {us // 10**6}.{us % 10**6:06d}:   1000000 cpu-clock: "]
    lines += [f"\t    ffff {frame}+0x0 (/bin/{comm})" for frame in reversed(frames)]
    return "\n".join(lines) + "\n\n"


class Chart(Case):
    def chart(self, source, *args):
        return json.loads(self.ok("slice", source, "--chart", "--format", "flat", *args))

    def frames(self, source, *args):
        """(lane, depth in the lane, name, begin, end in µs), lanes in order."""
        flat = self.chart(source, "--min-width", "0", *args)
        found, lane = [], None
        columns = (flat[key] for key in ("name", "depth", "begin", "value"))
        for name, depth, begin, value in zip(*columns):
            name = flat["names"][name]
            if value == flat["total"] and begin == 0 and depth != 0 and name.count("/"):
                lane = (name, depth)
            elif lane is not None:
                found.append((lane[0], depth - lane[1], name, begin, begin + value))
        return found

    def test_equal_neighbours_merge_and_gaps_stay_empty(self):
        text = "".join([
            sample("a", 1, 1000000, "main", "f"),
            sample("a", 1, 1001000, "main", "f", "g"),
            sample("b", 2, 1001500, "main"),
            sample("a", 1, 1002000, "main", "g"),
            sample("a", 1, 1010000, "main", "g"),
        ] + [sample("c", 3, 1100000 + 1000 * i, "x") for i in range(200)])
        source = self.path("s.perf", text.encode())
        self.assertEqual(self.frames(source), [
            ("a-1/1", 1, "main", 0, 3000),
            ("a-1/1", 2, "f", 0, 2000),
            ("a-1/1", 3, "g", 1000, 2000),
            ("a-1/1", 2, "g", 2000, 3000),
            ("a-1/1", 1, "main", 10000, 11000),
            ("a-1/1", 2, "g", 10000, 11000),
            ("b-2/2", 1, "main", 1500, 2500),
            ("c-3/3", 1, "x", 100000, 300000),
        ])
        # A range is what is shown, from edge to edge.
        flat = self.chart(source, "--range", "0.0005..0.0025")
        self.assertEqual(flat["total"], 2000)
        self.assertEqual(self.frames(source, "--range", "0.0005..0.0025"), [
            ("a-1/1", 1, "main", 500, 2000),
            ("a-1/1", 2, "f", 500, 1500),
            ("a-1/1", 3, "g", 500, 1500),
            ("a-1/1", 2, "g", 1500, 2000),
            ("b-2/2", 1, "main", 1000, 2000),
        ])

    def test_frames_of_a_row_do_not_overlap_and_stay_within_their_callers(self):
        flat = self.chart(SERVER, "--min-width", "0")
        rows, last = {}, {}
        for depth, begin, value in zip(flat["depth"], flat["begin"], flat["value"]):
            self.assertGreaterEqual(begin, rows.get(depth, 0))
            rows[depth] = begin + value
            self.assertLessEqual(begin + value, flat["total"])
            if depth - 1 in last:
                above = last[depth - 1]
                self.assertTrue(above[0] <= begin and begin + value <= above[1])
            last[depth] = (begin, begin + value)
            for deeper in [d for d in last if d > depth]:
                del last[deeper]

    def test_lanes_are_as_busy_as_in_speedscope(self):
        threads = json.loads(self.ok("slice", SERVER, "--format", "speedscope"))["profiles"][1:]
        busy = {}
        for lane, depth, _, begin, end in self.frames(SERVER):
            if depth == 1:
                busy[lane] = busy.get(lane, 0) + end - begin
        self.assertEqual(len(busy), len(threads))
        for thread in threads:
            seconds = sum(weight for stack, weight in zip(thread["samples"], thread["weights"])
                          if stack) / 1000
            # Each end of a span is rounded down to a whole µs.
            self.assertAlmostEqual(busy[thread["name"].replace(" ", "_")], seconds,
                                   delta=len(thread["samples"]))

    def test_lanes_are_what_group_by_says(self):
        flat = self.chart(SERVER, "--group-by", "cpu", "--max-depth", "1")
        lanes = [flat["names"][name] for name, depth in zip(flat["name"], flat["depth"])
                 if flat["names"][name].startswith("CPU_")]
        self.assertEqual(lanes, ["CPU_0", "CPU_1"])

    def test_every_form_of_a_tree_can_show_it(self):
        for form in ("svg", "png", "html", "json", "folded", "tree", "flamescope"):
            self.assertGreater(len(self.ok("slice", SERVER, "--range", "3..3.3", "--chart",
                                           "--format", form)), 100, form)

    def test_without_times(self):
        folded = self.path("x.folded", b"a;b 1\n")
        self.fails(1, "time", "slice", folded, "--chart", "--format", "svg")

    def test_nothing_chosen(self):
        self.notes("no sample", "slice", SERVER, "--chart", "--comm", "nobody", "--format", "svg")


if __name__ == "__main__":
    tap.main()
