#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the golden files beside it: what is in the recordings of ../shared/data/perf-6.1.

    tests/golden/count.py ../shared/data/perf-6.1

This is no parser of perf's text. For each file it says what the lines of this one file look like,
as seen by eye (which ids, which times, where the frame stands), and counts; test-golden.c compares.

A golden file has a line for each thread in order of appearance: pid/tid, comm, samples, frames, the
first and the last time; one for each event: samples, sum of periods; and for files of at most 30
samples one for each sample: time, tid, CPU, event, period, depth, leaf, root.
"""

import pathlib
import re
import sys
from typing import NamedTuple

HERE = pathlib.Path(__file__).parent
NUMBER = rb"(?P<period>\d+) "
# All of them have an offset, but for unknown ones.
SYMBOL = rb"((?P<symbol>.*)\+0x[0-9a-f]+|\[unknown\])"
TAB_FRAME = rb"^\t *[0-9a-f]+ " + SYMBOL + rb" \(.*\)$"

# By file: the event line (named groups; what is missing is not printed), the frame line.
COMM = {  # the tids of the 42 names are 15382 to 15464, and the clock stands at 125x s
    "callchain": rb"^(?P<comm>.*?) *(?P<tid>15[34]\d\d)  (?P<time>125\d\.\d{6}): +" + NUMBER +
                 rb"(?P<event>cpu-clock): $",
    "singleline": rb"^ *(?P<comm>.*?) *(?P<tid>15[34]\d\d)  (?P<time>125\d\.\d{6}): +" + NUMBER +
                  rb"(?P<event>cpu-clock):  +[0-9a-f]+ " + SYMBOL + rb" \(.*\)$",
}
CPP = rb"^(?P<comm>cpp) (?P<tid>\d+)  +(?P<time>[\d.]+): +" + NUMBER + rb"(?P<event>cpu-clock): $"
TRACE = rb"^ *(?P<comm>\S+) +(?P<tid>\d+) \[(?P<cpu>\d+)\]  (?P<time>1\d{3}\.\d{6}): +"
FILES = {
    "comm-variants-callchain": (COMM["callchain"], TAB_FRAME),
    "comm-variants-singleline": (COMM["singleline"], None),
    "cpp-dwarf-inlined": (CPP, TAB_FRAME),
    # The mark of inlined frames is on the line behind them.
    "cpp-dwarf-srcline": (CPP, rb"^\t *[0-9a-f]+ " + SYMBOL + rb"( \(.*\))?$"),
    "cpp-srccode": (CPP, TAB_FRAME),
    "f-no-dso": (rb"^(?P<comm>\S+) +(?P<tid>\d+)  (?P<time>[\d.]+): +(?P<event>\S+): $",
                 rb"^\t *[0-9a-f]+ (\[unknown\]|(?P<symbol>.*))$"),
    # The first word of a payload may look like an event's name.
    "f-no-event": (rb"^ *(?P<comm>\S+) +(?P<tid>\d+) \[(?P<cpu>\d+)\]  (?P<time>[\d.]+): "
                   rb"( *(?P<period>\d+) $|(?P<event>dfd): |prev_)", TAB_FRAME),
    "f-no-tid": (rb"^ *(?P<comm>\S+) \[(?P<cpu>\d+)\]  (?P<time>[\d.]+): +((?P<period>\d+) +)?"
                 rb"(?P<event>\S+): ", TAB_FRAME),
    "itrace-errors": (rb"^(?P<comm>zeek) (?P<tid>\d+) \[(?P<cpu>\d+)\]  (?P<time>[\d.]+): +" +
                      NUMBER + rb"(?P<event>\S+): $",
                      rb"^\s+[0-9a-f]+ (?P<symbol>main)\+0x10 \(.*\)$"),
    "multi-events": (TRACE + rb"((?P<period>\d+) +)?(?P<event>\S+): ", TAB_FRAME),
    "node-perf-basic-prof": (rb"^(?P<comm>node) (?P<tid>\d+)  (?P<time>[\d.]+): +" + NUMBER +
                             rb"(?P<event>\S+): $", TAB_FRAME),
    "ns": (CPP, TAB_FRAME),
    "page-faults-noaddr": (rb"^ +(?P<comm>ls) (?P<tid>\d+)  (?P<time>[\d.]+): +" + NUMBER +
                           rb"(?P<event>page-faults):  +[0-9a-f]+ " + SYMBOL + rb" \(.*\)$",
                           None),
    "pipe-mode-header": (rb"^(?P<comm>[^#]\S*) +(?P<tid>\d+) \[(?P<cpu>\d+)\]  (?P<time>[\d.]+): +" +
                         NUMBER + rb"(?P<event>\S+): $", TAB_FRAME),
    "reltime": (CPP, TAB_FRAME),
    # Fewer than six decimals are a number of microseconds.
    "simpleperf-legacy": (rb"^(?P<comm>Gecko)\t(?P<tid>\d+) \[(?P<cpu>\d+)\] (?P<time>[\d.]+):\t\t" +
                          NUMBER + rb"(?P<event>\S+):$",
                          rb"^ +[0-9a-f]+\t(?P<symbol>\S+) \(.*\)$"),
    "tracepoints-nocallchain": (TRACE + rb"(?P<event>\S+): ", None),
    "untimed": (rb"^(?P<comm>cpp) (?P<tid>\d+) +" + NUMBER + rb"(?P<event>\S+): $", TAB_FRAME),
    "uprobes": (rb"^(?P<comm>cpp) (?P<tid>\d+) \[(?P<cpu>\d+)\]  (?P<time>[\d.]+): +(?P<event>\S+): ",
                TAB_FRAME),
    "uregs-callchain": (CPP, TAB_FRAME),
    "uregs-singleline": (rb"^ +(?P<comm>cpp) (?P<tid>\d+)  (?P<time>[\d.]+): +" + NUMBER +
                         rb"(?P<event>cpu-clock):  +[0-9a-f]+ " + SYMBOL + rb" \([^)]*\) ABI:",
                         None),
}


class Sample(NamedTuple):
    comm: str
    tid: str
    time: str
    cpu: str
    event: str
    period: str
    frames: list


def text(match, group, default="-"):
    value = match.groupdict().get(group)
    return default if value is None else value.decode("utf-8", "surrogateescape")


def symbol(match):
    return text(match, "symbol", "@")


def seconds(digits, has_few):
    if digits == "-":
        return digits
    whole, decimals = digits.split(".")
    return f"{whole}.{decimals.zfill(6) if has_few else decimals}".rstrip("0").rstrip(".")


def read(path, name):
    event_line, frame_line = (re.compile(pattern) if pattern else None for pattern in FILES[name])
    samples = []
    for line in path.read_bytes().split(b"\n"):
        match = event_line.match(line)
        if match:
            time = seconds(text(match, "time"), name == "simpleperf-legacy")
            cpu = text(match, "cpu")
            samples.append(Sample(text(match, "comm", "").strip(), text(match, "tid"), time,
                                  cpu if cpu == "-" else str(int(cpu)),
                                  text(match, "event", "[unknown]"), text(match, "period"), []))
            if "symbol" in event_line.groupindex:
                samples[-1].frames.append(symbol(match))
        elif frame_line and (match := frame_line.match(line)):
            samples[-1].frames.append(symbol(match))
    return samples


def lines_of(samples):
    threads, events = {}, {}
    for sample in samples:
        threads.setdefault((sample.tid, sample.comm), []).append(sample)
        events.setdefault(sample.event, []).append(sample)
    for (tid, comm), own in threads.items():
        yield (f"thread -/{tid} '{comm}' {len(own)} samples, {sum(len(s.frames) for s in own)} "
               f"frames, {own[0].time} to {own[-1].time}")
    for event, own in events.items():
        yield (f"event {event} {len(own)} samples, period "
               f"{sum(int(s.period) for s in own if s.period != '-')}")
    for s in samples if len(samples) <= 30 else ():
        ends = f"{s.frames[0]} .. {s.frames[-1]}" if s.frames else "-"
        yield f"{s.time} {s.tid} {s.cpu} {s.event} {s.period} {len(s.frames)} {ends}"


def main():
    for name in FILES:
        samples = read(pathlib.Path(sys.argv[1]) / f"{name}.txt", name)
        lines = "".join(line + "\n" for line in lines_of(samples))
        (HERE / f"{name}.txt").write_bytes(lines.encode("utf-8", "surrogateescape"))


if __name__ == "__main__":
    main()
