# SPDX-License-Identifier: MIT
"""flamebeat diff: figures against our own counts, forms, errors, the gate. Noise: diff_noise.py."""

import collections
import csv
import io
import json
import os
import random
import unittest
import xml.etree.ElementTree

import generate
import tap
from case import Case
from tap import EXAMPLES, flamebeat, shared

BUSY = os.path.join(EXAMPLES, "busy.perf.gz")
# The 12 windows of other code in it, each 0.2 s (examples/README.md).
WINDOWS = (4.78, 12.25, 16.60, 22.98, 28.55, 32.57, 40.03, 43.29, 46.31, 50.98, 55.64, 58.89)


def folded(stacks):
    """A folded file of {stack: weight}."""
    return "".join(f"{stack} {weight}\n" for stack, weight in stacks.items()).encode()


def random_stacks(seed, n=60, scale=40):
    r = random.Random(seed)
    names = ["main", "read", "a b", "std::sort<int, char>", "café", "x 12 ", "λ", "-", "z|`|"]
    stacks = collections.Counter()
    for _ in range(n):
        path = [r.choice(names[:3])] + [r.choice(names).strip() for _ in range(r.randint(1, 6))]
        stacks[";".join(path)] += r.randint(1, scale)
    return stacks


def difffolded(first, second):
    """What difffolded.pl prints of two folded files, as its usage message documents it: every
    stack of either, its weight in the first, its weight in the second, 0 where it is missing."""
    sides = []
    for data in (first, second):
        side = collections.Counter()
        for line in data.splitlines():
            stack, weight = line.rsplit(b" ", 1)
            side[stack] += int(weight)
        sides.append(side)
    return sorted(b"%s %d %d" % (stack, sides[0][stack], sides[1][stack])
                  for stack in set(sides[0]) | set(sides[1]))


def nodes(tree, path=()):
    """(path, node) of every node, without recursion."""
    todo = [(path, tree)]
    while todo:
        path, node = todo.pop()
        yield path, node
        todo += [(path + (child["name"],), child) for child in node["children"]]


class Diff(Case):
    def json(self, *args, **settings):
        return json.loads(self.ok("diff", *args, "--format", "json", **settings))

    def table(self, *args):
        return json.loads(self.ok("diff", *args, "--format", "table-json"))

    def two(self, seed=1):
        return (self.path(f"new{seed}.folded", folded(random_stacks(seed))),
                self.path(f"old{seed}.folded", folded(random_stacks(seed + 1000, 80))))


class Figures(Diff):
    def test_folded_is_what_difffolded_prints(self):
        for seed in range(10):
            new, old = self.two(seed)
            lines = self.ok("diff", new, "--base", old, "--format", "folded").splitlines()
            self.assertEqual(lines, difffolded(self.ok("slice", old, "--format", "folded"),
                                               self.ok("slice", new, "--format", "folded")))

    def test_folded_of_recordings(self):
        new, old = (self.path(f"{seed}.perf", generate.text_of(generate.samples_of(seed)))
                    for seed in (3, 4))
        options = ("--event", "all", "--group-by", "tid", "--format", "folded")
        lines = self.ok("diff", new, "--base", old, *options).splitlines()
        self.assertEqual(lines, difffolded(self.ok("slice", old, *options),
                                           self.ok("slice", new, *options)))

    def test_folded_of_published_recordings(self):
        new = shared("flamegraph", "perf-iperf-stacks-pidtid-01.txt")
        old = shared("flamegraph", "perf-numa-stacks-01.txt")
        lines = self.ok("diff", new, "--base", old, "--format", "folded", "-q").splitlines()
        self.assertEqual(lines, difffolded(
            self.ok("slice", old, "--format", "folded", "-q"),
            self.ok("slice", new, "--format", "folded", "-q")))

    def test_its_own_folded_form_comes_back(self):
        new, old = self.two(7)
        both = self.path("both.folded", self.ok("diff", new, "--base", old, "--format", "folded"))
        # Read as folded stacks the second weight counts: what is new.
        self.assertEqual(self.ok("slice", both, "--format", "folded"),
                         self.ok("slice", new, "--format", "folded"))

    def test_tables_are_what_top_says_of_the_sides(self):
        sides = ("--range", "4.37..4.67"), ("--range", "2..4")
        server = os.path.join(EXAMPLES, "server.perf.gz")
        for weight in ("samples", "period"):
            top = [{(row["name"], row["dso"]): (row["self"], row["total"]) for row in json.loads(
                self.ok("top", server, *side, "--weight", weight, "--json"))["rows"]}
                for side in sides]
            table = self.table(server, *sides[0], "--base-range", sides[1][1], "--weight", weight)
            found = {(f["name"], f["dso"]): f for f in table["functions"]}
            self.assertEqual(set(found), set(top[0]) | set(top[1]))
            for key, function in found.items():
                new, base = top[0].get(key, (0, 0)), top[1].get(key, (0, 0))
                self.assertEqual((function["new_self"], function["new_total"]), new, key)
                self.assertEqual((function["base_self"], function["base_total"]), base, key)

    def test_trees_are_the_slices(self):
        new, old = self.two(2)
        weights = []
        for path in (new, old):
            tree = json.loads(self.ok("slice", path, "--format", "json"))
            weights.append({p: node["value"] for p, node in nodes(tree)})
        diff = self.json(new, "--base", old)
        found = dict(nodes(diff))
        self.assertEqual(set(found), set(weights[0]) | set(weights[1]))
        for path, node in found.items():
            self.assertEqual(node["new_total"], weights[0].get(path, 0))
            self.assertEqual(node["base_total"], weights[1].get(path, 0))
            # Widths: callees never stand out beyond their caller.
            self.assertLessEqual(sum(c["value"] for c in node["children"]), node["value"] + 1e-6)
            if node["new_total"] > 0:
                self.assertGreaterEqual(node["value"], node["new_total"])

    def test_swapping_the_sides_negates_every_delta(self):
        new, old = self.two(3)
        recording = os.path.join(EXAMPLES, "server.perf.gz")
        pairs = [((new, "--base", old), (old, "--base", new)),
                 ((recording, "--range", "4.3..4.7", "--base-range", "8..9.5"),
                  (recording, "--range", "8..9.5", "--base-range", "4.3..4.7"))]
        for forth, back in pairs:
            for normalize in ("share", "none") + (("rate",) if forth[0] == recording else ()):
                for weight in ("samples", "period"):
                    options = ("--normalize", normalize, "--weight", weight, "--min-change", 0)
                    a = dict(nodes(self.json(*forth, *options)))
                    b = dict(nodes(self.json(*back, *options)))
                    self.assertEqual(set(a), set(b))
                    for path, node in a.items():
                        for key in ("delta", "self_delta"):
                            self.assertEqual(node[key], -b[path][key], path)
                        self.assertEqual(node["significant"], b[path]["significant"], path)

    def test_the_root(self):
        recording = os.path.join(EXAMPLES, "server.perf.gz")
        sides = (recording, "--range", "4.3..4.7", "--base-range", "8..9.5")
        counts = [json.loads(self.ok("top", recording, "--range", r, "--json"))["total"]
                  for r in ("4.3..4.7", "8..9.5")]
        self.assertEqual(self.json(*sides)["delta"], 0)
        self.assertAlmostEqual(self.json(*sides, "--normalize", "rate")["delta"],
                               counts[0] / 0.4 - counts[1] / 1.5, places=6)
        self.assertEqual(self.json(*sides, "--normalize", "none")["delta"], counts[0] - counts[1])

    def test_shares_and_intervals(self):
        new = self.path("s1.folded", folded({"a;b": 300, "a;c": 700}))
        old = self.path("s2.folded", folded({"a;b": 100, "a;c": 900}))
        function = {f["name"]: f for f in self.table(new, "--base", old)["functions"]}["b"]
        self.assertAlmostEqual(function["delta"], 20)
        self.assertAlmostEqual(function["ratio"], 3)
        low, high = function["ci"]
        # Of the log ratio's usual interval, 3 * exp(+-1.96 * sqrt(0.7 / 300 + 0.9 / 100)).
        self.assertAlmostEqual(low, 3 * 0.8116, delta=0.06)
        self.assertAlmostEqual(high, 3 / 0.8116, delta=0.09)
        self.assertLess(function["q"], 1e-20)
        self.assertTrue(function["significant"])

    def test_functions_only_in_the_spikes_rank_first(self):
        ranges = [word for t in WINDOWS for word in ("--range", f"{t}..{t + 0.2:.2f}")]
        for options, name in (
                ((BUSY, *ranges), "merge_runs"),
                ((BUSY, *ranges, "--sort", "total"), "rebuild_index"),
                ((BUSY, "--range", "12.25..12.45"), "merge_runs"),
                ((os.path.join(EXAMPLES, "burst.perf.gz"), "--every", "5s", "--phase",
                  "2860ms..2920ms"), "update_histogram")):
            first = self.table(*options, "--rest")["functions"][0]
            self.assertEqual(first["name"], name)
            self.assertTrue(first["significant"])

    def test_functions_only_in_the_bursts_rank_first(self):
        ranges = [word for i in range(12)
                  for word in ("--range", f"{5 * i + 2.86:.2f}..{5 * i + 2.92:.2f}")]
        burst = os.path.join(EXAMPLES, "burst.perf.gz")
        first = self.table(burst, *ranges, "--rest")["functions"][0]
        self.assertEqual((first["name"], first["base_self"]), ("update_histogram", 0))
        self.assertTrue(first["significant"])
        # 599 samples in all: by what runs longest in a beat of 50 ms every 0.7 s.
        beat = os.path.join(EXAMPLES, "heartbeat.perf.gz")
        ranges = [word for i in range(84)
                  for word in ("--range", f"{0.7 * i + 0.9:.2f}..{0.7 * i + 1:.2f}")]
        self.assertEqual(self.table(beat, *ranges, "--rest")["functions"][0]["name"],
                         "checksum_block")

    def test_each_side_has_its_own_zero(self):
        samples = generate.samples_of(5, n=200, n_events=1, idle_share=0)
        later = [s._replace(time=s.time + 7_300_000_000) for s in samples]
        a = self.path("a.perf", generate.text_of(samples))
        b = self.path("b.perf", generate.text_of(later))
        for node in self.table(a, "--zero", "first", "--range", "1..2", "--base", b,
                               "--base-range", "1..2")["functions"]:
            self.assertEqual(node["new_total"], node["base_total"])

    def test_rest_is_everything_else(self):
        server = os.path.join(EXAMPLES, "server.perf.gz")
        whole = json.loads(self.ok("top", server, "--json"))["total"]
        table = self.table(server, "--range", "4.37..4.67", "--range", "-2..", "--rest")
        self.assertEqual(table["new"]["weight"] + table["base"]["weight"], whole)

        blocks = self.table(server, "--range", "4.37..4.67", "--rest")
        self.assertEqual((blocks["new"]["parts"], blocks["base"]["parts"]), (16, 16))
        self.assertEqual(blocks["new"]["weight"] + blocks["base"]["weight"], whole)
        once = self.table(server, "--range", "4.37..4.67", "--rest", "--noise", "counting")
        self.assertEqual((once["new"]["parts"], once["base"]["parts"]), (1, 1))
        once = self.table(server, "--range", "4.37..4.67", "--base", BUSY)
        self.assertEqual((once["new"]["parts"], once["base"]["parts"]), (1, 1))
        table = self.table(server, "--every", "4s", "--phase", "0.9..0.2", "--rest")
        self.assertEqual(table["new"]["weight"] + table["base"]["weight"], whole)

    def test_tests_look_at_samples_whatever_the_weight(self):
        server = os.path.join(EXAMPLES, "server.perf.gz")
        sides = (server, "--range", "4.37..4.67", "--base-range", "2..4")
        by_samples = {(f["name"], f["dso"]): f["q"] for f in self.table(*sides)["functions"]}
        by_period = {(f["name"], f["dso"]): f["q"]
                     for f in self.table(*sides, "--weight", "period")["functions"]}
        self.assertEqual(by_samples, by_period)

    def test_a_replaced_library_is_one_function(self):
        def text(dso):
            return (b"a 1/1 [000] 1.000000: 1 cpu-clock: \n\t10 memcpy (/lib/%s)\n\n" % dso) * 30
        table = self.table(self.path("n.perf", text(b"libc-2.36.so")), "--base",
                           self.path("o.perf", text(b"libc-2.31.so")))
        self.assertEqual([(f["name"], f["dso"], f["base_self"], f["new_self"])
                          for f in table["functions"]],
                         [("memcpy", "/lib/libc-2.36.so", 30, 30)])

    def test_several_bases(self):
        """What varies between the runs of the base is noise; what does not is none."""
        runs = [{"a;varies": v, "a;steady": 1000 + d, "a;rest": 9000 - v}
                for v, d in ((500, 3), (1000, -8), (1500, 10), (700, -2))]
        paths = [self.path(f"run{i}.folded", folded(run)) for i, run in enumerate(runs)]
        new = self.path("judged.folded", folded({"a;varies": 1500, "a;steady": 1500,
                                                 "a;rest": 7500}))
        bases = [word for path in paths for word in ("--base", path)]
        verdicts = {f["name"]: f["significant"] for f in self.table(new, *bases)["functions"]}
        self.assertEqual((verdicts["varies"], verdicts["steady"]), (False, True))
        single = {f["name"]: f["significant"]
                  for f in self.table(new, "--base", paths[0])["functions"]}
        self.assertTrue(single["varies"] and single["steady"])


class Forms(Diff):
    def test_flip_hatches_what_is_new(self):
        new = self.path("f1.folded", folded({"a;new": 400, "a;both": 600}))
        old = self.path("f2.folded", folded({"a;old": 500, "a;both": 500}))
        for options, hatched in (((), "old"), (("--flip",), "new")):
            svg = xml.etree.ElementTree.fromstring(
                self.ok("diff", new, "--base", old, "--format", "svg", *options))
            names = [g[0].text.split(" (")[0] for g in svg.iter("{http://www.w3.org/2000/svg}g")
                     if len(g) == 3 and g[1].get("fill", "").startswith("url(#hatch")]
            self.assertEqual(names, [hatched])

    def test_sides_are_named(self):
        burst = os.path.join(EXAMPLES, "burst.perf.gz")
        for args, new, base in (
                ((burst, "--every", "5s", "--phase", "0.9..0.2", "--rest"),
                 "every 5s, phase 0.9..0.2 ", "every 5s, phase 0.2..0.9 "),
                ((burst, "--range", "5..7", "--rest"), r"5\.\.7 s", r"0\.\.5 s.* 7\.\.60\."),
                ((BUSY, "--base", burst), "busy.perf.gz · cpu-clock", "burst.perf.gz · cpu-clock")):
            lines = self.ok("diff", *args, "--format", "table").decode().splitlines()
            self.assertRegex(lines[0], new)
            self.assertRegex(lines[1], base)

    def test_svg_says_what_is_known(self):
        new, old = self.two(4)
        svg = self.ok("diff", new, "--base", old, "--format", "svg").decode()
        self.assertIn("new4.folded against old4.folded", svg)
        for text in ("new: new4.folded", "base: old4.folded", "only in base", "95%:", "noise"):
            self.assertIn(text, svg)

    def test_colours_are_for_significant_changes_alone(self):
        new = self.path("c1.folded", folded({"a;up": 900, "a;same": 5000, "a;down": 300}))
        old = self.path("c2.folded", folded({"a;up": 300, "a;same": 5010, "a;down": 900}))
        svg = xml.etree.ElementTree.fromstring(
            self.ok("diff", new, "--base", old, "--format", "svg"))
        fill = {g[0].text.split(" (")[0]: g[1].get("fill")
                for g in svg.iter("{http://www.w3.org/2000/svg}g") if len(g) == 3}
        red, _, blue = bytes.fromhex(fill["up"][1:])
        self.assertGreater(red, blue + 100)
        red, _, blue = bytes.fromhex(fill["down"][1:])
        self.assertGreater(blue, red + 100)
        red, green, blue = bytes.fromhex(fill["same"][1:])
        self.assertLess(max(red, green, blue) - min(red, green, blue), 10)
        # The same, but below what is asked for.
        svg = self.ok("diff", new, "--base", old, "--format", "svg", "--min-change", "15")
        self.assertNotIn(fill["up"].encode() + b'" rx', svg.split(b'id="legend"')[0])

    def test_csv_and_json_agree(self):
        new, old = self.two(5)
        rows = list(csv.DictReader(io.StringIO(
            self.ok("diff", new, "--base", old, "--format", "csv").decode(), newline="")))
        functions = self.table(new, "--base", old)["functions"]
        self.assertEqual([row["name"] for row in rows], [f["name"] for f in functions])
        for row, function in zip(rows, functions):
            self.assertEqual(int(row["new_total"]), function["new_total"])
            self.assertEqual(row["significant"] == "yes", function["significant"])
            if function["ratio"] is None:
                self.assertEqual(row["ratio"], "")
            else:
                self.assertAlmostEqual(float(row["ratio"]), function["ratio"], places=6)

    def test_markdown_has_its_columns(self):
        new, old = self.two(6)
        lines = self.ok("diff", new, "--base", old, "--format", "markdown").decode().splitlines()
        rows = [line for line in lines if line.startswith("|")]
        self.assertGreater(len(rows), 4)
        for row in rows:
            self.assertEqual(row.replace("\\|", "").count("|"), 9, row)

    def test_call_tree_as_text(self):
        new = self.path("t1.folded", folded({"a;b;up": 900, "a;same": 5000}))
        old = self.path("t2.folded", folded({"a;b;up": 300, "a;same": 5010, "a;gone": 90}))
        lines = self.ok("diff", new, "--base", old, "--format", "tree").decode().splitlines()
        at = {line.split()[-1]: line.split() for line in lines[4:]}
        self.assertEqual(at["up"][:3], ["5.56%", "15.25%", "+9.70"])
        self.assertEqual(at["gone"][:3], ["1.67%", "0.00%", "-1.67"])
        self.assertEqual(at["all"][:3], ["100.00%", "100.00%", "~"])

    def test_flamescope(self):
        new = self.path("fs1.folded", folded({"a;up": 900, "a;same": 100}))
        old = self.path("fs2.folded", folded({"a;up": 100, "a;same": 50, "a;gone": 50}))
        tree = json.loads(self.ok("diff", new, "--base", old, "--format", "flamescope"))
        found = {node["n"]: (node["v"], node["d"]) for node in tree["c"][0]["c"]}
        # weight = 1000 / 200; d = v1 - v2 * weight
        self.assertEqual(found, {"up": (900, 400), "same": (100, -150), "gone": (0, -250)})

    def test_speedscope_has_both_sides(self):
        new, old = self.two(11)
        file = json.loads(self.ok("diff", new, "--base", old, "--format", "speedscope"))
        names = [frame["name"] for frame in file["shared"]["frames"]]
        for profile, path in zip(file["profiles"], (new, old)):
            self.assertEqual(len(profile["samples"]), len(profile["weights"]))
            self.assertEqual(sum(profile["weights"]), profile["endValue"])
            stacks = {";".join(names[i] for i in stack): weight
                      for stack, weight in zip(profile["samples"], profile["weights"])}
            lines = self.ok("slice", path, "--format", "folded").decode().splitlines()
            self.assertEqual(len(stacks), len(lines))
            self.assertEqual(sorted(stacks.values()),
                             sorted(int(line.rsplit(" ", 1)[1]) for line in lines))

    def test_page_has_picture_and_table(self):
        new, old = self.two(14)
        path = self.path("page.html")
        self.ok("diff", new, "--base", old, "-o", path)
        page = self.read(path).decode()
        frames = []
        for text in (self.ok("diff", new, "--base", old, "--format", "svg").decode(),
                     page[page.index("<svg "):page.index("</svg>") + 6]):
            picture = xml.etree.ElementTree.fromstring(text.encode())
            frames.append([(g[0].text, g[1].get("fill"), g[1].get("width"))
                           for g in picture.iter("{http://www.w3.org/2000/svg}g") if len(g) == 3])
        self.assertGreater(len(frames[0]), 20)
        self.assertEqual(frames[1], frames[0])
        data = page.split('<script type="application/json" id="data">')[1].split("</script>")[0]
        self.assertEqual(json.loads(data), self.table(new, "--base", old))
        self.assertIn("Content-Security-Policy\" content=\"default-src 'none'", page)

    def test_limit_and_order(self):
        new, old = self.two(8)
        table = self.table(new, "--base", old)["functions"]
        few = json.loads(self.ok("diff", new, "--base", old, "--format", "table-json", "-n", 3))
        self.assertEqual(few["functions"], table[:3])
        self.assertEqual(few["more_functions"], len(table) - 3)
        keys = [(not f["significant"], -abs(f["delta"])) for f in table]
        self.assertEqual(keys, sorted(keys))
        text = self.ok("diff", new, "--base", old, "--format", "table", "-n", 3).decode()
        self.assertIn(f"({len(table) - 3} more functions: --limit 0)", text)

    def test_names_stay_text(self):
        hostile = "</script><script>alert(1)</script>]]>\x1b[31m|`\u202e&\"'"
        new = self.path("h1.folded", folded({f"a;{hostile}": 400, "a;b": 100}))
        old = self.path("h2.folded", folded({f"a;{hostile}2": 400, "a;b": 100}))
        for form in ("svg", "html", "json", "table-json", "table", "csv", "markdown", "folded"):
            out = self.ok("diff", new, "--base", old, "--format", form)
            self.assertNotIn(b"\x1b", out, form)
            if form in ("svg", "html", "json", "table-json"):
                self.assertNotIn(b"<script>alert", out, form)
        xml.etree.ElementTree.fromstring(self.ok("diff", new, "--base", old, "--format", "svg"))

    def test_deep_trees(self):
        stack = "a;" + ";".join(f"f{i % 7}" for i in range(100000))
        new = self.path("d1.folded", folded({"a;b": 50, stack: 50}))
        old = self.path("d2.folded", folded({"a;b": 90, stack: 10}))
        options = ("--max-frames", 200000, "--base", old)
        lines = self.ok("diff", new, *options, "--format", "folded").splitlines()
        self.assertEqual(len(lines), 2)
        self.assertTrue(lines[1].endswith(b" 10 50"))
        out = self.ok("diff", new, *options, "--format", "json")
        self.assertEqual(out.count(b'"name":"f'), 100000)

    def test_same_bytes_again(self):
        new, old = self.two(9)
        for form in ("svg", "png", "html", "pprof", "json", "table-json", "table"):
            args = ("diff", new, "--base", old, "--format", form)
            self.assertEqual(self.ok(*args), self.ok(*args, env={"LC_ALL": "C"}), form)


class Usage(Diff):
    def test_what_is_compared_must_be_said(self):
        new, old = self.two()
        self.fails(2, "compared with what", "diff", new)
        self.fails(2, "one of the two is needed", "diff", BUSY, "--rest")
        self.fails(2, "one of the two is needed", "diff", BUSY, "--rest", "--every", "1", "--phase",
                   "0..0.5", "--range", "1..2")
        self.fails(2, "does not go with", "diff", BUSY, "--range", "1..2", "--rest", "--base", old)
        self.fails(2, "--base-range", "diff", BUSY, "--base-range", "x..y")
        self.fails(2, "--min-change", "diff", new, "--base", old, "--min-change", "lots")
        self.fails(2, "chart", "diff", BUSY, "--range", "1..2", "--rest", "--chart")
        self.fails(2, "auto, counting, blocks", "diff", new, "--base", old, "--noise", "none")
        self.fails(2, "share, rate", "diff", new, "--base", old, "--normalize", "mean")
        self.fails(2, "table-json", "diff", new, "--base", old, "--format", "gif")
        self.fails(1, "missing.perf", "diff", new, "--base", self.path("missing.perf"))

    def test_stacks_without_time(self):
        new, old = self.two()
        self.fails(1, "no timestamps", "diff", new, "--base", old, "--range", "1..2")
        self.fails(1, "no timestamps", "diff", new, "--base-range", "1..2")
        self.fails(1, "--normalize rate", "diff", new, "--base", old, "--normalize", "rate")
        # A recording against folded stacks is fine, unless these are asked for time.
        self.ok("diff", BUSY, "--range", "1..2", "--base", old, "-q", "--format", "table")
        self.fails(1, "no timestamps", "diff", BUSY, "--base", old, "--base-range", "1..2")

    def test_empty_sides(self):
        for form in ("svg", "png", "html", "pprof", "json", "table-json", "table", "csv",
                     "markdown", "folded"):
            args = ("diff", BUSY, "--base-range", "1..2", "--format", form)
            self.notes("the new side holds no sample", *args, "--range", "1..1")
            self.notes("the base holds no sample", "diff", BUSY, "--base-range", "1..1",
                       "--format", form)
            self.notes("the base holds no sample", *args[:2], "--range", "1..1", "--base-range",
                       "2..2", "--format", form)
        tree = json.loads(self.notes("holds no sample", "diff", BUSY, "--range", "1..1",
                                     "--base-range", "1..2", "--format", "json"))
        self.assertFalse(any(node["significant"] for _, node in nodes(tree)))
        self.assertGreater(tree["value"], 0)
        self.notes("the base holds no sample", "diff", BUSY, "--range", "..", "--rest",
                   "--format", "table")

    def test_different_events(self):
        def text(event):
            return (b"a 1/1 [000] 1.000000: 1 %s: \n\t10 f (/bin/a)\n\n" % event) * 5
        a, b = self.path("e1.perf", text(b"cycles")), self.path("e2.perf", text(b"cpu-clock"))
        both = self.path("e3.perf", text(b"cpu-clock") + text(b"cycles"))
        self.notes("different events: cycles, and cpu-clock", "diff", a, "--base", b,
                   "--format", "table")
        # The base has the new side's event: that one is taken, though it is not its default.
        self.assertEqual(self.table(a, "--base", both, "-q")["base"]["weight"], 5)

    def test_the_gate(self):
        new = self.path("g1.folded", folded({"a;b": 1300, "a;c": 8700}))
        old = self.path("g2.folded", folded({"a;b": 1000, "a;c": 9000}))
        for condition, status in (
                ("increase > 2", 6), ("increase>2.9", 6), ("increase > 3.1", 0),
                ("increase >= 3 %", 6), ("decrease > 2", 6), ("change < 1", 0), ("change != 0", 6)):
            out = self.path("gate.csv")
            result = flamebeat("diff", new, "--base", old, "--fail-if", condition, "-o", out)
            self.assertEqual(result.returncode, status, (condition, result.stderr))
            self.check_calm(result)
            self.assertIn(b"name,dso", self.read(out), "the output is written all the same")
            os.remove(out)
        noise = self.path("g3.folded", folded({"a;b": 13, "a;c": 87}))
        self.ok("diff", noise, "--base", old, "--fail-if", "increase > 2", "--format", "table")
        result = flamebeat("diff", new, "--base", old, "--fail-if", "increase > 90", "--fail-if",
                           "increase > 1", "--format", "csv")
        self.assertEqual(result.returncode, 6)
        self.assertIn(b"'increase > 1' holds: it is 3", result.stderr)

    def test_conditions_that_make_no_sense(self):
        new, old = self.two()
        for condition in ("", "increase", "increase >", "increase > x", "growth > 2",
                          "increase > 2 points", "increase >> 2", "2 < increase",
                          "increase > inf", "increase > nan", "increase > 2 %%"):
            self.fails(2, "--fail-if: expected a condition such as", "diff", new, "--base", old,
                       "--fail-if", condition)


if __name__ == "__main__":
    tap.main()
