"""What the times of Lua's strings look like in text. Nothing here measures: all
functions take what measure.py writes as JSON and return lines.

    {"processor": facts of bench/processor.py, "kernel": NAME, "compiler": TEXT,
     "rounds": N, "workloads": {"KIND:SIZE": {COLUMN: {"microseconds", "unsettled",
     "times_faster_than": {COLUMN: N}}}}}

microseconds are those of the fastest round, unsettled is what bench/rounds.py says.
"""
import os
import sys
import textwrap

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import processor  # noqa: E402
import rounds  # noqa: E402

WIDTH = 80
AGAIN = "ours-again"
# What new strings are compared with, in the order of their table.
COMPARED = {"xxh3": "XXH3", "no-hash": "no hash", "every-byte": "every byte, as Redis",
            "scalar": "scalar MurmurHash3, as Valkey 8.1", AGAIN: "itself, measured again"}


def size_name(size):
    for unit, bytes_of in (("GB", 1 << 30), ("MB", 1 << 20), ("KB", 1 << 10)):
        if size >= bytes_of and size % bytes_of == 0:
            return "%d %s" % (size // bytes_of, unit)
    return "%d bytes" % size


def number(value):
    """Three digits, more for large numbers, never an exponent."""
    for limit, form in ((100, "%.0f"), (10, "%.1f"), (1, "%.2f")):
        if value >= limit:
            return form % value
    return "%.3f" % value


def ours(result):
    """The column of the best kernel."""
    return "ours:" + result["kernel"]


def align(rows):
    """Lines; the first cell of each row to the left, the others to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(cell.ljust(w) if i == 0 else cell.rjust(w)
                      for i, (cell, w) in enumerate(zip(row, widths))).rstrip() for row in rows]


def wrap(text):
    return textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def measured_on(result):
    return "%s; best kernel %s; %s; the fastest of %d rounds or more" % (
        processor.describe(result["processor"]), result["kernel"], result["compiler"],
        result["rounds"])


def most_unsettled(times, columns=None):
    return max(times[column]["unsettled"] for column in columns or times)


# ------------------------------------------------------------- first impression

KINDS = {
    "fresh": "a new string, cut out of a longer one",
    "value": "a new string, one of 64 MB of values as a server hands them to scripts",
    "hit": "a string that Lua has already: hashed and found, not stored again",
}
SHOWN = ("every-byte", "scalar", "stock", "no-hash")
LABELS = {"every-byte": "every byte, one at a time: Redis",
          "scalar": "MurmurHash3, one at a time: Valkey 8.1",
          "stock": "32 characters of it: Lua itself",
          "no-hash": "no hash, but of 64 bytes: the limit"}


def first_impression(result, size):
    """What scripts/demo.sh prints: one sentence, a table, what its words mean. A number
    that is not to be believed has a question mark, and no sentence is made of it."""
    best = ours(result)
    compared = (("every-byte", "Redis's"), ("scalar", "Valkey's"))
    kinds = [kind for kind in KINDS if "%s:%d" % (kind, size) in result["workloads"]]
    times = {kind: result["workloads"]["%s:%d" % (kind, size)] for kind in kinds}

    def cell(value, kind, *columns):
        wide = most_unsettled(times[kind], columns) > rounds.BELIEVABLE
        return number(value) + ("?" if wide else "")

    faster = times["fresh"][best]["times_faster_than"]
    if most_unsettled(times["fresh"], (best, "every-byte", "scalar")) > rounds.BELIEVABLE:
        lines = wrap("How many times as fast Lua 5.1 makes a new string of %s with Murmuration "
                     "cannot be said: the rounds differ too much." % size_name(size))
    else:
        lines = wrap("Lua 5.1 makes a new string of %s %s times as fast with Murmuration as with "
                     "the string hash that Redis gives it, and %s times as fast as with that of "
                     "Valkey 8.1." % (size_name(size), number(faster["every-byte"]),
                                      number(faster["scalar"])))
    rows = [["string hash, microseconds a string"] + kinds]
    for column, label in [*((c, LABELS[c]) for c in SHOWN), (best, "Murmuration")]:
        rows.append([label] + [cell(times[kind][column]["microseconds"], kind, column)
                               for kind in kinds])
    for column, whose in compared:
        rows.append(["  times as fast as " + whose]
                    + [cell(times[kind][best]["times_faster_than"][column], kind, column, best)
                       for kind in kinds])
    lines += ["", *align(rows), ""]
    lines += ["%-6s %s" % (kind, KINDS[kind]) for kind in kinds]
    if any(cell.endswith("?") for row in rows for cell in row[1:]):
        lines += wrap("?      not to be believed: fewer than a quarter of the rounds came within "
                      "%.0f %% of the fastest. Something else runs on this machine: wait for its "
                      "end, then run this again." % (100 * rounds.BELIEVABLE))
    lines += ["", *wrap(
        "Lua itself looks at 32 characters of a string, however long it is. That is quick, but "
        "strings that differ elsewhere only get one hash, and tables of them are slow. So Redis "
        "and Valkey hash every byte, and so does Murmuration.")]
    return lines + ["", *wrap(measured_on(result) + ".")]


# ------------------------------------------------------------------- full table

def full_table(result):
    """Every workload and column, in microseconds, and how many times faster the best
    kernel is."""
    columns = [c for c in next(iter(result["workloads"].values())) if c != AGAIN]
    others = [c for c in columns if not c.startswith("ours:")]
    names = others + [c for c in columns if c not in others]
    best = ours(result)
    rows = [["microseconds"] + names + ["unsettled"] + ["x " + other for other in others]]
    for workload, times in result["workloads"].items():
        rows.append([workload] + [number(times[c]["microseconds"]) for c in names]
                    + ["%.0f%%" % (100 * most_unsettled(times))]
                    + ["%.2f" % times[best]["times_faster_than"][other] for other in others])
    return ["Lua 5.1.5: microseconds an operation, by string hash", measured_on(result),
            "x NAME: how many times faster than NAME %s is; unsettled: how far the first "
            "quartile of the rounds is from the fastest, at most" % best, "", *align(rows)]


# ------------------------------------------------------------------ fresh strings

FRESH = "fresh:"


def noise(result, prefix=""):
    """The largest difference of the best kernel's program to itself, measured twice, over
    the workloads of that prefix; None where it was not."""
    ratios = [times[AGAIN]["times_faster_than"][ours(result)]
              for workload, times in result["workloads"].items()
              if workload.startswith(prefix) and AGAIN in times]
    return max((abs(r - 1) for r in ratios), default=None)


def noise_line(result, prefix=""):
    largest = noise(result, prefix)
    if largest is None:
        return ""
    return ("The same program measured twice differs by up to %.1f %%%s." % (
        100 * largest,
        "" if largest <= rounds.NOISE else ", which is too much: differences below that say "
        "nothing"))


def fresh_rows(result):
    """How many times as fast as with each other hash a new string in a small heap is
    made; the first row is the head."""
    best = ours(result)
    sizes = sorted(int(w.split(":")[1]) for w in result["workloads"] if w.startswith(FRESH))
    sizes = [size for size in sizes if size >= 64]
    times = {size: result["workloads"]["fresh:%d" % size] for size in sizes}
    rows = [["a new string of"] + [size_name(size) for size in sizes],
            ["Murmuration, microseconds"] + [number(times[s][best]["microseconds"]) for s in sizes]]
    for column, label in COMPARED.items():
        if all(column in times[size] for size in sizes):
            rows.append(["times as fast as " + label]
                        + ["%.2f" % times[s][best]["times_faster_than"][column] for s in sizes])
    return rows
