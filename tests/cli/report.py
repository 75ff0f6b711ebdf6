# SPDX-License-Identifier: MIT
"""Reports: what they find, say and leave behind; what runs around onsets; spikes against the rest."""

import csv
import html.parser
import io
import json
import os
import random
import re
import shutil

import tap
from case import Case
from tap import flamebeat

PAGE_FILES = {"index.html", "report.md", "report.json", "heatmap.png", "flame.svg", "spikes.csv",
              "perf.flame.json", "diff.svg"}


def sample(seconds, stack, comm="app", tid=7, cpu=0):
    frames = "".join(f"\t{16 + i:x} {name}+0x1 (/bin/{comm})\n"
                     for i, name in enumerate(reversed(stack.split(";"))))
    return seconds, f"{comm} {tid}/{tid} [{cpu:03d}] {seconds:.6f}: 1 cpu-clock:\n{frames}\n"


def recording(period=1.0, seconds=60, precursor=True, seed=1, comm="worker", spike="crunch"):
    """Background of 30 samples a second; spikes of 30 samples in 60 ms; one sample of another
    function 40 ms before each."""
    rng = random.Random(seed)
    samples = []
    for _ in range(30 * seconds):
        samples.append(sample(100 + rng.random() * seconds, f"main;loop;part{rng.randrange(5)}",
                              cpu=rng.randrange(2)))
    onset = 100.305
    while onset < 100 + seconds - 1:
        for i in range(30):
            samples.append(sample(onset + i * 0.002, f"start;{spike}", comm, 9, 1))
        if precursor:
            samples.append(sample(onset - 0.040, "irq;ring_the_bell", "timer", 11, 0))
        onset += period if period else rng.uniform(0.8, 2.2)
    return "".join(text for _, text in sorted(samples)).encode()


class Checker(html.parser.HTMLParser):
    """Tags that are opened are closed; nothing leads to the network; no scripts; the rows of a
    table have as many cells as its head."""

    VOID = {"meta", "img", "link", "br"}

    def __init__(self):
        super().__init__()
        self.open, self.links, self.text, self.tags = [], [], [], set()
        self.head = self.cells = 0

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.head = 0 if tag == "thead" else self.head + (tag == "th")
        self.cells = 0 if tag == "tr" else self.cells + (tag == "td")
        self.links += [value for name, value in attrs if name in ("href", "src", "data")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (self.open, tag)
        self.open.pop()
        if tag == "tr" and self.cells > 0:
            assert self.cells == self.head, (self.cells, self.head)

    def handle_data(self, data):
        self.text.append(data)


class Report(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.planted = os.path.join(cls.folder, "planted.perf")
        with open(cls.planted, "wb") as file:
            file.write(recording())

    def page(self, folder):
        checker = Checker()
        checker.feed(self.read(os.path.join(folder, "index.html")).decode())
        self.assertEqual(checker.open, [])
        self.assertNotIn("script", checker.tags)
        for link in checker.links:
            self.assertNotIn(":", link)
            self.assertTrue(os.path.exists(os.path.join(folder, link)), link)
        return checker

    def report(self, *args, name="out"):
        folder = os.path.join(self.folder, name)
        shutil.rmtree(folder, ignore_errors=True)
        self.ok("report", *args, "-o", folder)
        return folder, json.loads(self.read(os.path.join(folder, "report.json")))

    def test_finds_what_was_planted(self):
        folder, report = self.report(self.planted)
        self.assertLessEqual(PAGE_FILES, set(os.listdir(folder)))
        self.assertRegex(report["found"][0], r"^Every 1\.00\d* s ± .*`crunch` in `worker`")
        self.assertTrue(any(re.search(r"`(ring_the_bell|irq)` stands out 40 ms ahead", line)
                            for line in report["found"]), report["found"])
        self.assertEqual(report["summary"]["spikes"], 59)
        page = self.page(folder)
        self.assertIn("Every 1.00", "".join(page.text))
        self.assertIn("crunch", "".join(page.text))
        for table in re.findall("<table>.*?</table>",
                                self.read(os.path.join(folder, "index.html")).decode(), re.S):
            cells = {len(re.findall("<t[hd]", row)) for row in table.split("<tr>")[1:]}
            self.assertEqual(len(cells), 1, table[:300])
        markdown = self.read(os.path.join(folder, "report.md")).decode()
        self.assertIn("`crunch` in `worker`", markdown)
        for picture in re.findall(r"!\[[^]]*\]\(([^)]*)\)", markdown):
            self.assertTrue(os.path.exists(os.path.join(folder, picture)), picture)

    def test_says_what_the_commands_say(self):
        folder, report = self.report(self.planted)
        spikes = json.loads(self.ok("spikes", self.planted, "--json"))
        self.assertEqual(report["spikes"], spikes)
        self.assertEqual(report["periods"], json.loads(self.ok("periods", self.planted, "--json")))
        self.assertEqual(self.read(os.path.join(folder, "spikes.csv")),
                         self.ok("spikes", self.planted, "--csv"))
        self.assertEqual(self.read(os.path.join(folder, "perf.flame.json")),
                         self.ok("slice", self.planted, "--format", "json"))
        self.assertEqual(len(report["top_spikes"]), 10)
        for spike in report["top_spikes"]:
            self.assertIn(spike["flame_graph"], os.listdir(folder))

    def test_is_reproducible(self):
        one, _ = self.report(self.planted, name="one")
        two, _ = self.report(self.planted, "--threads", "1", name="two")
        for name in os.listdir(one):
            # The words of the command line are part of the report.
            a = self.read(os.path.join(one, name))
            b = self.read(os.path.join(two, name)).replace(b" --threads 1", b"")
            b = b.replace(b"/two", b"/one").replace(b"--threads=1 ", b"")
            self.assertEqual(a.replace(b"--threads", b""), b.replace(b"--threads", b""), name)

    def test_quiet_recording(self):
        path = self.path("quiet", b"".join(
            sample(100 + i / 20, "main;loop")[1].encode() for i in range(400)))
        _, report = self.report(path)
        self.assertEqual(report["found"], ["No period and no spike stands out from what chance "
                                           "makes of a steady load."])

    def test_one_sample_and_no_time(self):
        path = self.path("one.perf", sample(5, "main")[1].encode())
        self.report(path)
        folded = self.path("folded", b"main;f 10\nmain;g 3\n")
        self.fails(1, "time", "report", folded, "-o", self.path("never"))

    def test_hostile_names(self):
        evil = "<script>alert(1)</script>`|*_[x](http://e)&\"'"
        path = os.path.join(self.folder, "<img src=x onerror=alert(2)>`|.perf")
        with open(path, "wb") as file:
            file.write(recording(comm="<b>|`x", spike=evil))
        folder, report = self.report(path)
        checker = self.page(folder)
        text = "".join(checker.text)
        self.assertIn("<script>alert(1)</script>", text)
        self.assertEqual(checker.tags & {"script", "b", "iframe"}, set())
        self.assertNotIn("onerror", str([t for t in checker.links]))
        markdown = self.read(os.path.join(folder, "report.md")).decode()
        for line in markdown.splitlines():
            if "alert" in line and not line.startswith("#"):
                code = re.sub(r"(`+) ?.*?[^`]\1(?!`)", "", line)
                self.assertNotIn("<", code.replace("\\<", ""), line)
        self.assertIn("script", report["periods"]["periods"][0]["function"])

    def test_since_and_until(self):
        _, report = self.report(self.planted, "--since", "10", "--until", "20")
        self.assertEqual(report["summary"]["spikes"], 10)
        for spike in report["spikes"]["spikes"]:
            self.assertTrue(10 <= float(spike["range"].split("..")[0]) < 20)
        self.fails(2, "--since", "report", self.planted, "--since", "x", "-o", self.path("n"))

    def test_usage(self):
        self.fails(2, "-o FOLDER", "report", self.planted)
        self.fails(2, "spikes/min", "report", self.planted, "-o", self.path("n"), "--fail-if", "x")
        self.fails(1, "", "report", self.planted, "-o", self.planted)
        self.fails(1, "", "report", self.planted, "-o", self.path("n"), "--baseline",
                   self.path("no.json"))
        self.fails(1, "not JSON", "report", self.planted, "-o", self.path("n"), "--baseline",
                   self.planted)

    def test_top(self):
        folder, report = self.report(self.planted, "--top", "2")
        self.assertEqual(len(report["top_spikes"]), 2)
        self.assertEqual(len([n for n in os.listdir(folder) if n.startswith("spike-")]), 2)


class Gate(Case):
    def run_report(self, status, path, *args):
        folder = os.path.join(self.folder, "gate")
        result = flamebeat("report", path, "-o", folder, *args)
        self.check_calm(result)
        self.assertEqual(result.returncode, status, result.stderr)
        return result, json.loads(self.read(os.path.join(folder, "report.json")))

    def test_conditions(self):
        path = self.path("planted", recording())
        _, report = self.run_report(0, path, "--fail-if", "spikes/min > 1000")
        self.assertTrue(report["gate"]["passes"])
        result, report = self.run_report(6, path, "--fail-if", "spikes/min > 1000", "--fail-if",
                                         "spikes >= 59")
        self.assertIn(b"spikes >= 59", result.stderr)
        self.assertFalse(report["gate"]["passes"])
        self.run_report(6, path, "--fail-if", "max-length > 0.03")
        self.run_report(0, path, "--fail-if", "max-length > 3")

    def test_new_periods_are_named(self):
        old = self.path("old", recording(period=None, precursor=False))
        self.run_report(0, old)
        shutil.copy(os.path.join(self.folder, "gate", "report.json"), self.path("old.json"))
        self.run_report(0, old, "--baseline", self.path("old.json"))
        new = self.path("new", recording(period=1.0, precursor=False))
        result, report = self.run_report(6, new, "--baseline", self.path("old.json"))
        self.assertRegex(result.stderr.decode(), r"a new period: every (1\.00|999\.).*crunch in worker")
        shutil.copy(os.path.join(self.folder, "gate", "report.json"), self.path("new.json"))
        # The same beat, other noise, and a tenth of the samples gone: nothing new.
        rng = random.Random(4)
        again = recording(period=1.0, precursor=False, seed=9).split(b"\n\n")
        thinned = b"\n\n".join(part for part in again[:-1] if rng.random() > 0.1) + b"\n\n"
        _, report = self.run_report(0, self.path("again", thinned), "--baseline",
                                    self.path("new.json"))
        self.assertEqual(report["summary"]["new_periods"], 0)


class Each(Case):
    def setUp(self):
        self.out = os.path.join(self.folder, self.id().rsplit(".", maxsplit=1)[-1])
        self.inputs = [self.path(f"in/{name}.perf", recording(seed=i, seconds=12))
                       for i, name in enumerate(("a", "b", "c"))]

    def index(self):
        return json.loads(self.read(os.path.join(self.out, "index.json")))

    def test_a_page_each_and_an_index(self):
        self.ok("report", "--each", *self.inputs, "-o", self.out)
        for name in ("a", "b", "c"):
            self.assertLessEqual(PAGE_FILES, set(os.listdir(os.path.join(self.out,
                                                                         f"{name}.perf"))))
        index = self.index()
        self.assertEqual([row["title"] for row in index["recordings"]],
                         ["a.perf", "b.perf", "c.perf"])
        page = self.read(os.path.join(self.out, "index.html")).decode()
        self.assertIn('href="b.perf/index.html"', page)
        self.assertIn("](b.perf/report.md)", self.read(os.path.join(self.out,
                                                                    "index.md")).decode())

    def test_a_failing_input_does_not_stop_the_others(self):
        bad = self.path("in/bad<i>.perf", b"no recording at all\n" * 30)
        result = flamebeat("report", "--each", self.inputs[0], bad, "/no/such.perf",
                           self.inputs[1], "-o", self.out)
        self.assertEqual(result.returncode, 1)
        self.check_calm(result)
        self.assertIn(b"2 of 4 inputs", result.stderr)
        index = self.index()
        self.assertEqual(index["failed"], 2)
        self.assertEqual(["error" in row for row in index["recordings"]],
                         [False, True, True, False])
        page = self.read(os.path.join(self.out, "index.html")).decode()
        self.assertNotIn("<i>", page)
        self.assertIn("bad&lt;i&gt;.perf", page)

    def test_goes_on_where_it_stopped(self):
        self.ok("report", "--each", *self.inputs, "-o", self.out)
        pages = {name: os.path.join(self.out, name, "index.html")
                 for name in ("a.perf", "b.perf", "c.perf")}
        before = {name: os.stat(path).st_ino for name, path in pages.items()}
        # One page is unfinished, one input has changed, one page is whole.
        os.unlink(os.path.join(self.out, "a.perf", "report.json"))
        with open(self.inputs[1], "ab") as file:
            file.write(sample(113, "main;late")[1].encode())
        result = flamebeat("report", "--each", *self.inputs, "-o", self.out)
        self.assertEqual(result.returncode, 0, result.stderr)
        after = {name: os.stat(path).st_ino for name, path in pages.items()}
        self.assertNotEqual(before["a.perf"], after["a.perf"])
        self.assertNotEqual(before["b.perf"], after["b.perf"])
        self.assertEqual(before["c.perf"], after["c.perf"])
        self.ok("report", "--each", *self.inputs, "-o", self.out, "--redo")
        self.assertNotEqual(after["c.perf"], os.stat(pages["c.perf"]).st_ino)

    def test_same_names_and_odd_names(self):
        odd = self.path("other/a.perf", recording(seconds=12, seed=8))
        worse = self.path("in/..hid den;$(x).perf", recording(seconds=12, seed=9))
        self.ok("report", "--each", self.inputs[0], odd, worse, "-o", self.out)
        folders = [row["folder"] for row in self.index()["recordings"]]
        self.assertEqual(len(set(folders)), 3)
        for folder in folders:
            self.assertRegex(folder, r"^[A-Za-z0-9_][A-Za-z0-9._-]*$")

    def test_index_as_baseline(self):
        self.ok("report", "--each", *self.inputs, "-o", self.out)
        shutil.copy(os.path.join(self.out, "index.json"), self.path("base.json"))
        self.ok("report", "--each", *self.inputs, "-o", self.out + "2", "--baseline",
                self.path("base.json"))
        for row in json.loads(self.read(os.path.join(self.out + "2", "index.json")))["recordings"]:
            self.assertTrue(row["gate"]["passes"])


class Onsets(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.planted = os.path.join(cls.folder, "planted.perf")
        with open(cls.planted, "wb") as file:
            file.write(recording(period=None))

    def test_a_precursor_is_top_at_its_lag_and_nowhere_else(self):
        onsets = json.loads(self.ok("spikes", self.planted, "--align", "--json"))
        self.assertGreater(onsets["onsets"], 30)
        lags = [top["lag_ms"] for top in onsets["top"] if top["function"] in ("ring_the_bell",
                                                                             "irq")]
        self.assertEqual(lags, [-40])
        self.assertEqual({top["function"] for top in onsets["top"] if 0 <= top["lag_ms"] <= 40} -
                         {"start"}, {"crunch"})
        bell = next(f for f in onsets["functions"] if f["name"] == "ring_the_bell")
        at = bell["samples"][onsets["lags_ms"].index(-40)]
        self.assertGreaterEqual(at, 0.95 * onsets["onsets"])
        self.assertGreaterEqual(at, 0.95 * sum(bell["samples"]))

    def test_without_it_there_is_nothing_before(self):
        path = self.path("plain", recording(period=None, precursor=False))
        onsets = json.loads(self.ok("spikes", path, "--align", "--json"))
        self.assertEqual([top for top in onsets["top"] if top["lag_ms"] < 0], [])

    def test_forms(self):
        text = self.ok("spikes", self.planted, "--align").decode()
        self.assertRegex(text, r"-40 ms +\d+ .* (ring_the_bell|irq)")
        self.assertEqual(self.ok("spikes", self.planted, "--align", "--format", "png")[:4],
                         b"\x89PNG")
        csv = self.ok("spikes", self.planted, "--align", "--csv").decode().splitlines()
        self.assertEqual(csv[0], "lag_ms,function,samples,expected,deviations")
        self.fails(2, "png", "spikes", self.planted, "--format", "png")

    def test_no_spikes(self):
        path = self.path("quiet", sample(5, "main")[1].encode())
        self.assertIn(b"nothing stands out", self.ok("spikes", path, "--align"))
        self.ok("spikes", path, "--align", "-o", self.path("quiet.png"))


class Against(Case):
    def test_spikes_against_the_rest(self):
        path = self.path("planted", recording())
        table = json.loads(self.ok("diff", path, "--spikes", "--format", "table-json"))
        rows = table["functions"]
        self.assertEqual(rows[0]["name"], "crunch")
        spikes = json.loads(self.ok("spikes", path, "--json"))["spikes"]
        ranges = [f"--range={spike['range']}" for spike in spikes]
        same = json.loads(self.ok("diff", path, *ranges, "--rest", "--normalize", "rate",
                                  "--format", "table-json"))
        self.assertEqual(table["functions"], same["functions"])

    def test_what_cannot_go_together(self):
        path = self.path("planted", recording(seconds=12))
        self.fails(2, "--spikes", "diff", path, "--spikes", "--rest", "--range", "1..2")
        self.fails(2, "--spikes", "diff", path, "--spikes", "--base", path)
        self.ok("diff", path, "--spikes", "--range", "2..8", "--format", "table")

    def test_without_spikes(self):
        path = self.path("quiet", b"".join(
            sample(100 + i / 20, "main;loop")[1].encode() for i in range(400)))
        self.notes("there is none", "diff", path, "--spikes", "--format", "table")


class Csv(Case):
    def test_everywhere_there_are_tables(self):
        path = self.path("planted", recording(seconds=12))
        for command, first in (("top", "function"), ("info", "key"), ("spikes", "start_ns"),
                               ("periods", "period_ns")):
            rows = list(csv.reader(io.StringIO(self.ok(command, path, "--csv").decode())))
            self.assertEqual(rows[0][0], first)
            self.assertGreater(len(rows), 1, command)
            self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        rows = dict(list(csv.reader(io.StringIO(self.ok("info", path, "--csv").decode()))))
        info = json.loads(self.ok("info", path, "--json"))
        self.assertEqual(int(rows["samples"]), info["samples"])
        self.assertEqual(int(rows["covered_ns"]), info["covered_ns"])


class Colours(Case):
    """slice --color-by period=P"""

    @staticmethod
    def nodes(tree):
        """(name, beat) of all nodes, parents first."""
        pending = [tree]
        while pending:
            node = pending.pop()
            yield node["name"], node["value"], node["beat"]
            pending += node["children"]

    def beats(self, path, *args):
        return {name: (value, beat) for name, value, beat in self.nodes(json.loads(self.ok(
            "slice", path, "--format", "json", "--color-by", *args)))}

    def test_only_what_is_periodic_is_coloured(self):
        path = self.path("planted", recording(spike="crunch;tick"))
        beats = self.beats(path, "period=1s")
        self.assertGreater(beats["crunch"][1]["strength"], 0.9)
        # Spikes are 0.305 to 0.365 s into each second.
        self.assertAlmostEqual(beats["crunch"][1]["phase"], 0.335, delta=0.01)
        self.assertAlmostEqual(beats["ring_the_bell"][1]["phase"], 0.265, delta=0.01)
        for name, (_, beat) in beats.items():
            self.assertEqual(beat["clear"], name in ("root", "start", "crunch", "tick", "irq",
                                                     "ring_the_bell"), (name, beat))
            if name.startswith(("part", "loop", "main")):
                self.assertLess(beat["strength"], 0.3)
        # One child alone: what its parent has is what it has.
        self.assertEqual(beats["crunch"], beats["tick"])
        self.assertEqual(beats["start"], beats["tick"])
        other = self.beats(path, "period=0.77s")
        self.assertFalse(other["crunch"][1]["clear"])

    def test_a_single_burst_is_no_beat(self):
        text = [sample(100 + i / 20, "main;loop") for i in range(400)]
        text += [sample(110 + i / 1000, "main;burst") for i in range(200)]
        path = self.path("burst", "".join(part for _, part in sorted(text)).encode())
        self.assertFalse(self.beats(path, "period=1.3s")["burst"][1]["clear"])

    def test_forms_and_mistakes(self):
        path = self.path("planted", recording(seconds=12))
        svg = self.ok("slice", path, "--color-by", "period=1s", "--format", "svg").decode()
        self.assertIn("of the period", svg)
        self.assertIn("may be chance", svg)
        self.ok("slice", path, "--color-by", "period=1s", "--format", "png")
        self.assertIn("in phase", self.ok("slice", path, "--color-by", "period=1s", "--format",
                                          "tree").decode())
        self.assertEqual(self.ok("slice", path, "--color-by", "name", "--format", "json"),
                         self.ok("slice", path, "--format", "json"))
        for bad in ("period", "period=", "period=0", "heat"):
            self.fails(2, "--color-by", "slice", path, "--color-by", bad)
        self.fails(2, "--chart", "slice", path, "--color-by", "period=1", "--chart")


if __name__ == "__main__":
    tap.main()
