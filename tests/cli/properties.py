# SPDX-License-Identifier: MIT
"""What must hold for any recording, tried on random ones (generate.py)."""

import collections
import gzip
import json
import os
import re

import tap
import case
import generate
import png
from generate import NS

EVERYTHING = ("--event", "all", "--idle", "keep")

# Seed and what is unlike the default. The recordings are small, since every call of the program
# costs a tenth of a second with sanitizers; set FLAMEBEAT_SEED to try others.
SEED = int(os.environ.get("FLAMEBEAT_SEED", "0"))
RECORDINGS = (
    (SEED + 1, {}),
    (SEED + 2, {"tick": 1, "n_events": 1, "idle_share": 0.7}),
    (SEED + 3, {"n": 700, "seconds": 30, "n_events": 4, "idle_share": 0}),
)


def folded_of(data):
    """Weight by stack; every line is there once, sorted, with a weight."""
    lines = data.split(b"\n")
    assert lines.pop() == b""
    weights = {}
    for line in lines:
        stack, weight = line.rsplit(b" ", 1)
        assert stack not in weights, stack
        weights[stack] = int(weight)
    assert list(weights) == sorted(weights)
    return collections.Counter(weights)


def seconds(ns):
    return f"{ns // NS}.{ns % NS:09}"


class Case(case.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.recordings = []
        for seed, settings in RECORDINGS:
            samples = generate.samples_of(seed, **settings)
            path = os.path.join(cls.folder, f"{seed}.perf")
            with open(path, "wb") as file:
                file.write(generate.text_of(samples, ns=settings.get("tick") == 1))
            cls.recordings.append((path, samples))

    def heatmap(self, *args, **settings):
        return json.loads(self.ok("heatmap", "--format", "json", *args, **settings))

    def slice(self, *args, **settings):
        return folded_of(self.ok("slice", "--format", "folded", *args, **settings))

    def top(self, *args):
        return json.loads(self.ok("top", "--json", *args))

    def tree(self, *args):
        return json.loads(self.ok("slice", "--format", "json", *args))


def zero_of(samples):
    return samples[0].time // NS * NS


def base_of(event):
    """An event without its PMU and modifiers."""
    if b"/" in event:
        return event.split(b"/")[1].split(b",")[0]
    return event.split(b":")[0] if event.endswith((b":P", b":pppH")) else event


def process_of(samples):
    """The name of each pid: that of the thread that has it as its tid, else the earliest."""
    names = {}
    for sample in samples:
        names.setdefault(sample.pid, sample.comm)
    for sample in reversed(samples):
        if sample.pid == sample.tid:
            names[sample.pid] = sample.comm
    return names


def is_busy(sample):
    return not sample.is_idle


class Sums(Case):
    """Cells, folded lines, tables and trees hold the same samples: those that the filter means."""

    def filters(self, samples):
        """Options, and which samples they choose."""
        zero, last = zero_of(samples), samples[-1].time
        first_event = samples[0].event
        middle = samples[len(samples) // 2]
        a, b = samples[len(samples) // 5].time, samples[-len(samples) // 4].time
        every = 370 * 10**6
        yield EVERYTHING, lambda s: True
        yield ("--event", "all"), is_busy
        yield (), lambda s: s.event == first_event and not s.is_idle
        yield ("--event", "all", "--idle", "only"), lambda s: s.is_idle
        yield (*EVERYTHING[2:], "--event", base_of(middle.event).decode()), \
            lambda s: base_of(s.event) == base_of(middle.event)
        yield (*EVERYTHING, "--cpu", "0,2-5"), lambda s: s.cpu in (0, 2)
        yield (*EVERYTHING, "--pid", middle.pid, "--pid", 0), lambda s: s.pid in (middle.pid, 0)
        yield (*EVERYTHING, "--tid", middle.tid), lambda s: s.tid == middle.tid
        yield (*EVERYTHING, "--comm", "^[a-z]+$", "--comm", "^$", "--comm", "[0-9]"), \
            lambda s: re.search(rb"^[a-z]+$|^$|[0-9]", s.comm)
        yield (*EVERYTHING, "--range", f"{seconds(a - zero)}..{seconds(b - zero)}"), \
            lambda s: a <= s.time < b
        yield (*EVERYTHING, "--range", f"@{seconds(b)}..", "--range", f"@{seconds(b)}+1000ns",
               "--range", f"..{seconds(a - zero)}"), lambda s: s.time < a or s.time >= b
        yield (*EVERYTHING, "--range", "-700ms..-20us"), \
            lambda s: last + 1 - 700 * 10**6 <= s.time < last + 1 - 20000
        yield (*EVERYTHING, "--zero", "first", "--range", "500ms+1"), \
            lambda s: 5 * 10**8 <= s.time - samples[0].time < 15 * 10**8
        yield (*EVERYTHING, "--zero", f"@{seconds(b)}", "--range", "..0"), lambda s: s.time < b
        yield (*EVERYTHING, "--every", "370ms", "--phase", "0.25..200ms"), \
            lambda s: 925 * 10**5 <= (s.time - zero) % every < 2 * 10**8
        yield ("--event", "all", "--every", "0.37", "--phase", "300ms..30ms", "--every-origin",
               f"@{seconds(a)}", "--cpu", "1"), \
            lambda s: is_busy(s) and s.cpu == 1 and \
            not 3 * 10**7 <= (s.time - a) % every < 3 * 10**8

    def check(self, path, samples, options, is_chosen, weight):
        chosen = list(filter(is_chosen, samples))
        total = sum(1 if weight == "samples" or s.period is None else s.period for s in chosen)
        options = (path, *options, "--weight", weight)
        picture = self.heatmap(*options)
        self.assertEqual(sum(map(sum, picture["values"])), total)
        self.assertEqual(max(map(max, picture["values"])), picture["maxvalue"])
        self.assertEqual((picture["total"], picture["samples"]), (total, len(chosen)))
        self.assertEqual(sum(self.slice(*options).values()), total)
        self.assertEqual(self.top(*options, "--limit", 1)["total"], total)
        self.assertEqual(self.tree(*options)["value"], total)

    def test_sums_are_the_chosen_samples(self):
        for path, samples in self.recordings[:2]:
            n_empty = 0
            for i, (options, is_chosen) in enumerate(self.filters(samples)):
                with self.subTest(recording=path, options=options):
                    self.check(path, samples, options, is_chosen, ("samples", "period")[i % 2])
                n_empty += not any(map(is_chosen, samples))
            self.assertLessEqual(n_empty, 1)

    def test_tables_split_the_total(self):
        path, samples = self.recordings[0]
        processes = process_of(samples)
        for by, key in (("cpu", lambda s: s.cpu), ("comm", lambda s: s.comm),
                        ("thread", lambda s: (s.comm, s.pid, s.tid)),
                        ("process", lambda s: processes[s.pid])):
            with self.subTest(by=by):
                rows = self.top(path, *EVERYTHING, "--by", by)["rows"]
                expected = collections.Counter(key(s) for s in samples)
                self.assertEqual([row["self"] for row in rows],
                                 sorted(expected.values(), reverse=True))
        functions = self.top(path, *EVERYTHING)
        self.assertEqual(sum(row["self"] for row in functions["rows"]), len(samples))
        for row in functions["rows"]:
            self.assertLessEqual(row["self"], row["total"])

    def test_groups_split_the_total(self):
        path, samples = self.recordings[0]
        for by, key in (("comm", lambda s: s.comm), ("pid", lambda s: (s.comm, s.pid)),
                        ("tid", lambda s: (s.comm, s.pid, s.tid)), ("cpu", lambda s: s.cpu)):
            with self.subTest(by=by):
                groups = collections.Counter()
                for stack, weight in self.slice(path, *EVERYTHING, "--group-by", by).items():
                    # A name at the end of its line has no blank before digits.
                    groups[stack.split(b";")[0].replace(b" ", b"_")] += weight
                self.assertEqual(sorted(groups.values()),
                                 sorted(collections.Counter(map(key, samples)).values()))
        ungrouped = self.slice(path, *EVERYTHING, "--group-by", "none")
        self.assertEqual(sum(ungrouped.values()), len(samples))

    def test_cells_of_rows_that_are_no_time(self):
        path, samples = self.recordings[0]
        zero = zero_of(samples)
        expected = collections.Counter(((s.time - zero) // NS, f"CPU {s.cpu}") for s in samples)
        picture = self.heatmap(path, *EVERYTHING, "--by", "cpu")
        cells = {(c, label.split(" (")[0] if label.startswith("CPU") else f"CPU {label}"): value
                 for c, column in zip(picture["columns"], picture["values"])
                 for label, value in zip(picture["rows"], column) if value}
        self.assertEqual(cells, dict(expected))

    def test_cells_of_the_heaviest_rows(self):
        path, samples = self.recordings[2]
        zero = zero_of(samples)
        heaviest = collections.Counter(s.comm for s in samples).most_common()
        n_rows = 4
        while heaviest[n_rows][1] == heaviest[n_rows - 1][1]:
            n_rows += 1  # no doubt about who is in it
        expected = []
        for comm, _ in heaviest[:n_rows]:
            in_column = collections.Counter((s.time - zero) // NS for s in samples
                                            if s.comm == comm)
            expected.append([in_column[c] for c in range((samples[-1].time - zero) // NS + 1)])
        picture = self.heatmap(path, *EVERYTHING, "--by", "comm", "--rows", n_rows)
        self.assertEqual(sorted(zip(*picture["values"])), sorted(map(tuple, expected)))
        sums = [sum(row) for row in zip(*picture["values"])]
        self.assertEqual(sums, sorted(sums, reverse=True))

    def test_peaks(self):
        # The largest weight of the 20 ms parts, counted from zero, of a cell.
        path, samples = self.recordings[2]
        zero, part_ns = zero_of(samples), 20 * 10**6
        for column, rows in ((12 * NS, 3), (5 * NS, 50), (NS, 7), (30 * 10**6, 1)):
            with self.subTest(column=column, rows=rows):
                parts = collections.Counter()
                for s in samples:
                    c, rest = divmod(s.time - zero, column)
                    parts[c, rows - 1 - rest * rows // column, (s.time - zero) // part_ns] += 1
                expected = collections.Counter()
                for (c, r, _), weight in parts.items():
                    expected[c, r] = max(expected[c, r], weight)
                picture = self.heatmap(path, *EVERYTHING, "--cell", "peak", "--column",
                                       f"{column}ns", "--rows", rows)
                cells = {(c, r): value for c, values in enumerate(picture["values"])
                         for r, value in enumerate(values) if value}
                self.assertEqual(cells, dict(expected))
                self.assertEqual(picture["total"], len(samples))

    def test_cells_for_any_column_and_rows(self):
        path, samples = self.recordings[1]
        zero = zero_of(samples)
        for column, rows in ((10**9, 7), (300 * 10**6, 50), (1234567, 3), (7 * 10**9, 100),
                             (20 * 10**6, 1)):
            with self.subTest(column=column, rows=rows):
                expected = collections.Counter()
                for s in samples:
                    c, rest = divmod(s.time - zero, column)
                    expected[c, rows - 1 - rest * rows // column] += 1
                picture = self.heatmap(path, *EVERYTHING, "--column", f"{column}ns", "--rows",
                                       rows)
                cells = {(c, r): value for c, values in enumerate(picture["values"])
                         for r, value in enumerate(values) if value}
                self.assertEqual(cells, dict(expected))
                self.assertEqual(len(picture["columns"]),
                                 (samples[-1].time - zero) // column + 1)

    def test_values_of_a_tree_hold_those_of_its_children(self):
        for path, _ in self.recordings:
            tree = self.tree(path, *EVERYTHING, "--annotate", "kernel,jit,inline")
            weights = collections.Counter()
            nodes = [((), tree)]
            self.assertEqual(tree["name"], "root")
            while nodes:
                names, node = nodes.pop()
                children = node["children"]
                own = node["value"] - sum(child["value"] for child in children)
                self.assertGreaterEqual(own, 0)
                self.assertTrue(own or children)
                self.assertEqual(set(node), {"name", "value", "children"})
                keys = [child["name"].encode() for child in children]
                self.assertEqual(len(keys), len(set(keys)))
                self.assertTrue(all(keys), "empty name")
                if own:
                    weights[names] += own
                nodes += [((*names, child["name"]), child) for child in children]
            lines = self.slice(path, *EVERYTHING, "--annotate", "kernel,jit,inline")
            self.assertEqual(sorted(weights.values()), sorted(lines.values()))
            self.assertEqual(tree["value"], sum(lines.values()))


class Tiles(Case):
    """Neighbouring ranges and phases share no sample and lose none."""

    def check(self, path, parts, *options):
        whole = self.slice(path, *options)
        total = collections.Counter()
        for part in parts:
            total += self.slice(path, *options, *part)
        self.assertEqual(total, whole)
        self.assertTrue(whole)

    def test_ranges(self):
        path, samples = self.recordings[0]
        zero, last = zero_of(samples), samples[-1].time
        # On samples, one beside them, and on cells' edges.
        cuts = sorted({samples[40].time, samples[80].time + 1, samples[150].time - 1,
                       zero + 1780 * 10**6, last})
        ends = ["", *(seconds(cut - zero) for cut in cuts), ""]
        parts = [("--range", f"{a}..{b}") for a, b in zip(ends, ends[1:])]
        self.check(path, parts, *EVERYTHING)
        self.check(path, parts[1:] + parts[:1], "--weight", "period")
        # In one command, overlapping, nothing counts twice.
        every = [word for part in parts[::-1] for word in part] + ["--range", "0.5+2"]
        self.assertEqual(self.slice(path, *EVERYTHING, *every), self.slice(path, *EVERYTHING))

    def test_cells(self):
        # The range of every column, and those of one column's cells, are the heat map's numbers.
        path, samples = self.recordings[1]
        picture = self.heatmap(path, *EVERYTHING, "--rows", 8)
        self.check(path, [("--range", f"{c}..{c + 1}") for c in picture["columns"]], *EVERYTHING)
        for value, offset in zip(picture["values"][1], picture["rows"]):
            part = self.slice(path, *EVERYTHING, "--range", f"1.{int(offset * 1000):06}+125ms")
            self.assertEqual(sum(part.values()), value)
        self.assertEqual(picture["zero_ns"], zero_of(samples))

    def test_phases(self):
        for path, every, cuts in (
            (self.recordings[0][0], "1.3", ("0", "0.1", "0.333333333", "0.75", "1")),
            (self.recordings[0][0], "77ms", ("0ms", "10ms", "10001us", "60.5ms", "77ms")),
            (self.recordings[2][0], "7s", ("0", "1/3", "5s", "1")),
        ):
            cuts = [cut.replace("1/3", "0.3333333333333333") for cut in cuts]
            with self.subTest(every=every):
                parts = [("--every", every, "--phase", f"{a}..{b}")
                         for a, b in zip(cuts, cuts[1:])]
                self.check(path, parts, *EVERYTHING)

    def test_phases_that_begin_and_end_on_samples(self):
        path, samples = self.recordings[1]
        every, origin = 450 * 10**6, samples[50].time
        cuts = sorted((samples[i].time - origin) % every for i in (20, 90, 160, 230))
        cuts = [0, *cuts, every]
        parts = [("--every", "450ms", "--every-origin", f"@{seconds(origin)}", "--phase",
                  f"{a}ns..{b}ns") for a, b in zip(cuts, cuts[1:])]
        self.check(path, parts, *EVERYTHING)
        wrapped = [(*parts[0][:-1], f"{a}ns..{b}ns") for a, b in
                   ((cuts[4], cuts[1]), (cuts[1], cuts[4]))]
        self.check(path, wrapped, *EVERYTHING)

    def test_phases_that_wrap(self):
        path, samples = self.recordings[1]
        origin = ("--every", "310ms", "--every-origin", f"@{seconds(samples[33].time)}")
        for a, b, c in (("0.9", "0.2", "0.4"), ("300ms", "10ms", "11ms"), ("0.5", "0", "0.1")):
            with self.subTest(phase=a):
                parts = [(*origin, "--phase", f"{x}..{y}") for x, y in ((a, b), (b, c), (c, a))]
                self.check(path, parts, *EVERYTHING)

    def test_idle_and_the_rest(self):
        path, _ = self.recordings[1]
        self.check(path, [("--idle", "keep", "--range", "0..1"), ("--idle", "keep", "--range",
                                                                 "1..")], "--idle", "keep")
        whole = self.slice(path, "--idle", "keep")
        self.assertEqual(self.slice(path) + self.slice(path, "--idle", "only"), whole)


FORMS = (
    ("heatmap", "--format", "json", "--column", "150ms", "--rows", "33"),
    ("heatmap", "--format", "json", *EVERYTHING, "--weight", "period"),
    ("heatmap", "--format", "json", "--by", "thread"),
    ("slice", "--format", "folded", "--event", "all"),
    ("slice", "--format", "json", *EVERYTHING, "--annotate", "kernel,jit,inline"),
    ("slice", "--format", "flamescope", "--group-by", "tid"),
    ("slice", "--format", "tree", "--title", "T"),
    ("top", "--json", *EVERYTHING),
    ("top", "--csv", "--by", "pool"),
)


def without_source(svg):
    """The SVG of a flame graph tells, in its description, which file it was made from."""
    return re.sub(rb"(?<=source: )[^<]*?(?=; event:)", b"", svg, count=1)


class SameRecording(Case):
    """However it comes, the same recording gives the same results."""

    def other_forms(self, path):
        """(arguments, standard input) of the recording in its other forms."""
        text = self.read(path)
        name = os.path.basename(path)
        store = self.path(name + ".beat")
        self.ok("ingest", path, "-o", store)
        packed = self.path(name + ".any", gzip.compress(text))
        stored = self.read(store)
        return {"store": (store, None), "gzip": (packed, None), "stdin": ("-", text),
                "gzip, stdin": ("-", gzip.compress(text)), "store, stdin": ("-", stored)}

    def test_forms_of_input(self):
        for path, _ in self.recordings[:2]:
            others = self.other_forms(path)
            for form in FORMS:
                expected = self.ok(*form, path)
                for name, (other, stdin) in others.items():
                    with self.subTest(input=name, form=form):
                        self.assertEqual(self.ok(*form, other, stdin=stdin), expected)

    def test_forms_of_input_same_pictures(self):
        path, _ = self.recordings[0]
        others = self.other_forms(path)
        for form in (("heatmap", "--column", "200ms", "--cell-width", "6"),
                     ("slice", "--width", "500", "--scale-factor", "1")):
            form = (*form, "--format", "png", "--title", "T", "--event", "all")
            expected = png.decode(self.ok(*form, path))
            self.assertGreater(len(set(expected.rows)), 50)
            for name, (other, stdin) in others.items():
                with self.subTest(input=name, form=form):
                    picture = png.decode(self.ok(*form, other, stdin=stdin))
                    self.assertEqual(picture[:3], expected[:3])
        svg = ("slice", "--format", "svg", "--title", "T", "--event", "all")
        expected = without_source(self.ok(*svg, path))
        for name, (other, stdin) in others.items():
            with self.subTest(input=name, form="svg"):
                self.assertEqual(without_source(self.ok(*svg, other, stdin=stdin)), expected)

    def test_store_of_a_store_is_the_same(self):
        for path, _ in self.recordings:
            one, two, three = (self.path(f"{n}.beat") for n in (1, 2, 3))
            self.ok("ingest", path, "-o", one)
            self.ok("ingest", one, "-o", two)
            stored = self.read(one)
            self.assertEqual(self.read(two), stored)
            self.assertEqual(self.ok("ingest", "-", "-o", "-", stdin=stored), stored)
            self.ok("ingest", "-", "-o", three, stdin=gzip.compress(self.read(path)))
            self.assertEqual(self.read(three), stored)

    def test_info_of_a_store(self):
        path, samples = self.recordings[0]
        one = json.loads(self.ok("info", "--json", path))
        store = self.path("info.beat")
        self.ok("ingest", path, "-o", store)
        self.assertEqual(json.loads(self.ok("info", "--json", store)), one)
        self.assertEqual(one["samples"], len(samples))
        self.assertEqual(one["frames"], sum(len(s.frames) for s in samples))
        self.assertEqual(one["idle_samples"], sum(s.is_idle for s in samples))
        self.assertEqual(one["skipped_lines"], 0)
        self.assertEqual((one["start_ns"], one["end_ns"], one["zero_ns"]),
                         (samples[0].time, samples[-1].time, zero_of(samples)))
        self.assertEqual(
            {e["name"].encode(): (e["samples"], e["period"]) for e in one["events"]},
            {event: (sum(s.event == event for s in samples),
                     sum(s.period or 0 for s in samples if s.event == event))
             for event in {s.event for s in samples}})

    def test_order_of_records(self):
        for seed, settings in RECORDINGS:
            samples = generate.samples_of(seed, **settings)
            is_ns = settings.get("tick") == 1
            folder = self.path(f"order{seed}")
            texts = [generate.text_of(samples, ns=is_ns),
                     generate.text_of(samples[::-1], ns=is_ns),
                     generate.text_of(generate.shuffled(samples, seed), ns=is_ns)]
            for form in FORMS[:6]:
                results = [self.ok(*form, "rec", cwd=os.path.dirname(
                    self.path(f"{folder}/{i}/rec", text))) for i, text in enumerate(texts)]
                with self.subTest(seed=seed, form=form):
                    self.assertEqual(results[1], results[0])
                    self.assertEqual(results[2], results[0])

    def test_ways_to_print_times(self):
        # In µs or ns, and with records that no empty line separates.
        samples = generate.samples_of(5, n=150)
        plain = generate.text_of(samples)
        dense = plain.replace(b"\n\n", b"\n")
        for form in FORMS[:5]:
            expected = self.ok(*form, "-", stdin=plain)
            with self.subTest(form=form):
                for text in (generate.text_of(samples, ns=True), dense, plain.rstrip(b"\n"),
                             plain.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + plain):
                    self.assertEqual(self.ok(*form, "-", stdin=text), expected)


class Reproducible(Case):
    """The same bytes, whatever the locale, the time zone and the number of threads."""

    FORMS = FORMS + (
        ("heatmap", "--format", "png"), ("heatmap", "--format", "term", "--column", "250ms"),
        ("slice", "--format", "svg"), ("slice", "--format", "png", "--width", "500"),
        ("ingest", "-o", "-"), ("info",), ("info", "--json"), ("top",),
    )

    def test_surroundings(self):
        path, _ = self.recordings[0]
        for form in self.FORMS:
            expected = self.ok(*form, path, env={"LC_ALL": "C.UTF-8"})
            for env in ({"LC_ALL": "C.UTF-8", "TZ": "Asia/Kathmandu"},
                        {"LC_ALL": "C.UTF-8", "LC_NUMERIC": "de_DE.UTF-8", "TZ": "UTC+7"},
                        {"LC_ALL": "de_DE.UTF-8", "G_MESSAGES_DEBUG": "all"},
                        {"LC_ALL": "C"}):
                if "term" in form and env["LC_ALL"] != "C.UTF-8":
                    continue  # what a terminal can show depends on it
                with self.subTest(form=form, env=env):
                    self.assertEqual(self.ok(*form, path, env=env), expected)

    def test_threads(self):
        path, _ = self.recordings[2]
        for form in self.FORMS:
            expected = self.ok(*form, path)
            for n in (1, 2, 8):
                with self.subTest(form=form, threads=n):
                    self.assertEqual(self.ok(*form, path, "--threads", n), expected)


class Picture(Case):
    def test_pixels_are_the_cells(self):
        # Cells of the same weight have one colour, others another; empty ones are blank, but for
        # those before and after the recording, which are hatched.
        path, _ = self.recordings[0]
        info = json.loads(self.ok("info", path, "--json"))
        start, end = (info[key] - info["zero_ns"] for key in ("start_ns", "end_ns"))
        options = (path, "--event", "all", "--column", "500ms", "--rows", "20")
        values = self.heatmap(*options)["values"]
        picture = png.decode(self.ok("heatmap", *options, "--cell-width", 8, "--cell-height",
                                         6, "--format", "png"))
        grid = {k: int(v) for k, v in re.findall(r"(\w+)=(-?\d+)",
                                                 picture.texts["flamebeat:grid"])}
        self.assertEqual((grid["columns"], grid["rows"]), (len(values), 20))
        self.assertEqual((grid["cell_width"], grid["cell_height"]), (8, 6))
        colours = collections.defaultdict(set)
        for c, column in enumerate(values):
            for r, value in enumerate(column):
                begin = (20 * c + 19 - r) * 25_000_000
                if not start <= begin <= end - 25_000_000:
                    continue
                x, y = grid["left"] + c * 8 + 4, grid["top"] + r * 6 + 3
                colours[value].add(picture.rows[y][3 * x:3 * x + 3])
        self.assertGreaterEqual(len(colours), 4)
        for value, seen in colours.items():
            self.assertEqual(len(seen), 1, value)
        self.assertEqual(len(set.union(*colours.values())), len(colours))
        self.assertEqual(colours[0], {b"\xff\xff\xff"})


if __name__ == "__main__":
    tap.main()
