"""Writes what was measured as text and charts, from the JSON files that bench/measure.py,
bench/lua/run.sh and bench/server/run.sh wrote:

    docs/results/SLUG.md, SLUG-*.svg   all of a processor (bench/processor.py's slug)
    docs/benchmarks.md                 the short tables of every processor that has a page
    a page of HTML                     all of this run, needs no other file
    docs/results/instructions.md       what run-arch.sh counted, by preset

report.sh and run-arch.sh call this. What was not measured now stays as it was.
"""
import argparse
import glob
import html
import json
import os
import re
import shutil
import sys

import processor
import rounds
from charts import Series, bar_chart, line_chart, size_name

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lua"))
import tables as lua_tables  # noqa: E402

# One colour for one thing in every chart; peers are grey.
COLOURS = {"avx512": "#c02d2d", "avx512vl": "#e7298a", "avx2": "#e08214",
           "sse4": "#8073ac", "neon": "#c02d2d",
           "scalar": "#4d4d4d", "x86_32": "#1b7837", "x64_128": "#2166ac",
           "XXH3": "#777777", "XXH64": "#aaaaaa"}
# XXH3 for the instruction set of a kernel; a kernel's name begins with the set's.
XXH3_SETS = {"avx512": "avx512", "avx2": "avx2", "sse4": "sse2", "neon": "baseline"}


def warn(message):
    print("draw.py: " + message, file=sys.stderr)


def best_kernel(measured):
    return measured["kernels"][0]


def set_of(kernel):
    """The instruction set that a kernel's name begins with; None for scalar."""
    return next((s for s in XXH3_SETS if kernel.startswith(s)), None)


def xxh3_row(kernel):
    return XXH3_SETS.get(set_of(kernel), "none")


def colour(kernel):
    return COLOURS.get(kernel) or COLOURS[set_of(kernel) or "scalar"]


def first_rows(measured):
    """The rows of the first compiler."""
    return measured["rows"][measured["compilers"][0]]


def curves(measured, value):
    """wide32 on each kernel, what it is compared with, and peers."""
    best = best_kernel(measured)
    wanted = [("wide32", k, "wide32, " + k, colour(k), False) for k in measured["kernels"]]
    wanted += [("x86_32", "scalar", "x86_32", COLOURS["x86_32"], False),
               ("x64_128", best, "x64_128", COLOURS["x64_128"], False),
               ("XXH3", xxh3_row(best), "XXH3 (peer)", COLOURS["XXH3"], True)]
    wanted += [("XXH64", build, "XXH64 (peer)", COLOURS["XXH64"], True)
               for build in ("sse2", "baseline")]
    series = []
    for function, build, name, of_colour, dashed in wanted:
        points = [(int(row.split("/")[2]), value(numbers))
                  for row, numbers in first_rows(measured).items()
                  if row.split("/")[:2] == [function, build] and row.count("/") == 2]
        if points:
            series.append(Series(name, points, of_colour, dashed))
    return series


# ----------------------------------------------------------------- tables

def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def sizes_of(rows, function):
    return sorted({int(row.split("/")[2]) for row in rows
                   if row.split("/")[0] == function and row.split("/")[2].isdigit()})


def names_of(measured, rows):
    """FUNCTION/BUILD of rows in the order of tables, without what only shows noise."""
    functions = ("wide32", "wide32_copy", "wide32_then_memcpy", "x86_32", "x86_128", "x64_128",
                 "plain_x86_32", "plain_x64_128", "XXH3", "XXH3_then_memcpy", "XXH64", "memcpy")
    builds = (*measured["kernels"], "avx512", "avx2", "sse2")

    def order(name):
        function, build = name.split("/")
        return (functions.index(function) if function in functions else 99, function,
                builds.index(build) if build in builds else 99, build)

    names = {"/".join(row.split("/")[:2]) for row in rows}
    return sorted((n for n in names if "_again" not in n), key=order)


def matrix(rows, names, sizes, cell):
    """Rows of a table: cell(numbers) of NAME/SIZE, empty where that was not measured."""
    return [[name] + [cell(rows["%s/%s" % (name, s)]) if "%s/%s" % (name, s) in rows else ""
                      for s in sizes] for name in names]


def speed_tables(measured):
    rows = first_rows(measured)
    sizes = [s for s in (16, 64, 128, 256, 1000, 4096, 102400, 1 << 20, 64 << 20)
             if s in sizes_of(rows, "wide32")]
    names = names_of(measured, rows)
    head = ["function/kernel"] + [size_name(s) for s in sizes]
    return "GB/s (1 GB = 10^9 bytes):\n\n%s\nCycles a byte:\n\n%s" % (
        table(head, matrix(rows, names, sizes, lambda r: "%.2f" % r["gigabytes_per_second"])),
        table(head, matrix(rows, names, sizes, lambda r: "%.3f" % r["cycles_per_byte"])))


def latency_table(measured):
    rows = first_rows(measured)
    sizes = [s for s in (1, 4, 8, 16, 32, 64, 96, 128, 160, 192, 224, 256)
             if s in sizes_of(rows, "wide32")]
    return "Cycles a call:\n\n" + table(
        ["function/kernel"] + [size_name(s) for s in sizes],
        matrix(rows, names_of(measured, rows), sizes, lambda r: "%.0f" % r["cycles_per_call"]))


def memory_table(measured):
    rows = first_rows(measured)
    best = best_kernel(measured)
    names = [name for name in names_of(measured, rows)
             if name.split("/")[1] in (best, xxh3_row(best), "libc") or name == "x86_32/scalar"]
    sizes = sizes_of(rows, "wide32")
    lines = []
    for name in names:
        for mode in ("", "/unaligned", "/cold", "/throughput"):
            lines.append([name + mode] + [
                "%.0f" % rows["%s/%d%s" % (name, s, mode)]["cycles_per_call"] for s in sizes])
    return "Cycles a call:\n\n" + table(["function/kernel"] + [size_name(s) for s in sizes], lines)


def batch_table(measured):
    lines = []
    rows = first_rows(measured)
    lengths = ("4", "8", "16", "64", "1-64", "64-1024")
    names = sorted({"/".join(row.split("/")[:2]) for row in rows
                    if not row.startswith("batch_loop")},
                   key=lambda n: (n.split("/")[0], measured["kernels"].index(n.split("/")[1])))
    for name in names:
        variant = re.search(r"x\d+_\d+", name).group(0)
        cells = []
        for length in lengths:
            row = rows.get("%s/%s" % (name, length))
            loop = rows["batch_loop_%s/scalar/%s" % (variant, length)]
            cells.append("%.2f" % (loop["ns"] / row["ns"]) if row else "")
        lines.append([name.replace("batch_", "", 1)] + cells)
    return ("Times as fast as a loop over the same keys, by length of key in bytes:\n\n" +
            table(["function/kernel"] + list(lengths), lines))


def kernels_table(measured):
    rows = first_rows(measured)
    lengths = {}
    for name in rows:
        function, _, length = name.split("/")
        lengths.setdefault(function, set()).add(length)
    lines = []
    for function in sorted(lengths):
        for length in sorted(lengths[function], key=lambda t: [int(n) for n in t.split("-")]):
            names = ["%s/%s/%s" % (function, k, length) for k in measured["kernels"]]
            lines.append([function, length] + [
                "%.3f" % rows[name]["cycles_per_byte"] if name in rows else "" for name in names])
    return table(["cycles a byte", "bytes"] + measured["kernels"], lines)


def ports_table(measured):
    lines = []
    for name, row in measured["rows"].items():
        _, kernel, model = name.split("/")
        lines.append([kernel, model, "%d" % row["instructions"], "%d" % row["bytes"],
                      "%.1f" % row["port_limit_bytes_per_cycle"],
                      "%.1f" % row["simulated_bytes_per_cycle"]])
    return ("llvm-mca %s:\n\n" % measured["llvm_mca"] +
            table(["kernel", "model", "instructions of the loop", "bytes of a turn",
                   "port limit, bytes a cycle", "simulated, bytes a cycle"], lines))


def sum_table(measured):
    return table(["program", "seconds", "GB/s", "speed of cat"],
                 [[name, "%.2f" % row["seconds"], "%.1f" % row["gigabytes_per_second"],
                   "%.2f" % row["speed_of_cat"]] for name, row in measured["rows"].items()])


# -------------------------------------------- XXH3 for the same instruction set

def ratios(rows, ours, peer, sizes):
    """How many times as fast as `peer` `ours` is, by size; None where one is missing."""
    result = {}
    for size in sizes:
        both = [rows.get("%s/%d" % (name, size)) for name in (ours, peer)]
        result[size] = both[1]["ns"] / both[0]["ns"] if all(both) else None
    return result


def ranges(sizes, among):
    """Names of sizes; those that follow each other in `among` as FIRST to LAST."""
    runs = []
    for place, size in enumerate(among):
        if size in sizes:
            if place and among[place - 1] in sizes:
                runs[-1][1] = size
            else:
                runs.append([size, size])
    return ", ".join(size_name(first) if first == last else
                     "%s to %s" % (size_name(first), size_name(last)) for first, last in runs)


def ahead(of_sizes):
    """One sentence: where XXH3 is ahead, and where wide32."""
    parts = []
    for who, holds, times in (
            ("XXH3 is ahead", lambda r: r < 1 - rounds.NOISE, lambda r: 1 / r),
            ("they are level", lambda r: abs(r - 1) <= rounds.NOISE, None),
            ("wide32 is ahead", lambda r: r > 1 + rounds.NOISE, lambda r: r)):
        sizes = [s for s, r in of_sizes.items() if r is not None and holds(r)]
        if sizes:
            most = max(times(of_sizes[s]) for s in sizes) if times else 0
            parts.append("%s at %s" % (who, ranges(sizes, list(of_sizes)))
                         + (" (up to %.2f times as fast)" % most if times else ""))
    return "; ".join(parts) + "." if parts else ""


def pairs(measured):
    """(compiler, rows, kernel, XXH3's build) for each kernel whose instruction set XXH3 was
    built for."""
    return [(compiler, measured["rows"][compiler], kernel, xxh3_row(kernel))
            for kernel in measured["kernels"] for compiler in measured["compilers"]
            if "XXH3/%s/64" % xxh3_row(kernel) in measured["rows"][compiler]]


def noise_row(measured, sizes):
    """The largest difference of wide32 to itself by size, over kernels and compilers."""
    row = []
    for size in sizes:
        row.append(max(abs(rows["wide32_again/%s/%d" % (kernel, size)]["ns"]
                           / rows["wide32/%s/%d" % (kernel, size)]["ns"] - 1)
                       for rows in measured["rows"].values() for kernel in measured["kernels"]))
    return row


def xxh3_short(measured):
    """Ratios, who is ahead where, and what two equal rows differ by."""
    sizes = sizes_of(first_rows(measured), "wide32")
    head = ["kernel, compiler"] + [size_name(s) for s in sizes]
    lines, copies, sentences = [], [], []

    def line(compiler, kernel, of_sizes):
        return ["%s, %s" % (kernel, compiler)] + [
            "%.2f" % r if r is not None else "" for r in of_sizes.values()]

    for compiler, rows, kernel, build in pairs(measured):
        hashing = ratios(rows, "wide32/" + kernel, "XXH3/" + build, sizes)
        lines.append(line(compiler, kernel, hashing))
        copies.append(line(compiler, kernel, ratios(
            rows, "wide32_copy/" + kernel, "XXH3_then_memcpy/" + build, sizes)))
        sentences.append("- %s, %s: %s" % (kernel, compiler, ahead(hashing)))
    if not lines:
        return "XXH3 was not measured: %s.\n" % measured["missing_peers"]
    noise = noise_row(measured, sizes)
    lines.append(["wide32 measured twice"] + ["±%.1f %%" % (100 * n) for n in noise])
    worst = max(noise)
    verdict = "" if worst <= rounds.NOISE else (
        "\nThe same function measured twice differs by %.1f %%, more than %.0f %%: differences "
        "below that say nothing.\n" % (100 * worst, 100 * rounds.NOISE))
    return (
        "How many times as fast as XXH3, built for the same instruction set, wide32 is; below "
        "1 XXH3 is ahead:\n\n%s%s\n%s\n\nHow many times as fast as XXH3 and then memcpy "
        "`wide32_copy` is:\n\n%s" % (
            table(head, lines), verdict, "\n".join(sentences), table(head, copies)))


def xxh3_long(measured):
    """All cycles, a table for each compiler, and what copying costs beside memcpy."""
    best = best_kernel(measured)
    sizes = sizes_of(first_rows(measured), "wide32")
    lines = []
    for compiler in measured["compilers"]:
        rows = measured["rows"][compiler]
        lines.append(["%s, %s" % (best, compiler)] + [
            "%.2f" % r for r in ratios(rows, "memcpy/libc", "wide32_copy/" + best, sizes).values()])
    texts = ["How many times memcpy's time `wide32_copy` takes:\n\n" + table(
        ["kernel, compiler"] + [size_name(s) for s in sizes], lines)]
    for compiler in measured["compilers"]:
        rows = measured["rows"][compiler]
        sizes = sizes_of(rows, "wide32")
        texts.append("Cycles a call, %s:\n\n%s" % (compiler, table(
            ["function/kernel"] + [size_name(s) for s in sizes],
            matrix(rows, names_of(measured, rows), sizes,
                   lambda r: "%.0f" % r["cycles_per_call"]))))
    return "\n".join(texts)


# ------------------------------------------------------------------ parts

def draw_speed(measured, prefix):
    ticks = [16 << (2 * i) for i in range(12) if 16 << (2 * i) <= 64 << 20]
    line_chart(prefix + "speed.svg", "One string at a time, data in cache while it fits", "length",
               "GB/s", curves(measured, lambda r: r["gigabytes_per_second"]), ticks,
               "set yrange [0:*]")


def draw_latency(measured, prefix):
    line_chart(prefix + "latency.svg", "Each call waits for the digest of the last", "length",
               "cycles a call", curves(measured, lambda r: r["cycles_per_call"]),
               [1 << i for i in range(9)], "set yrange [0:300]")


def lua_columns(measured):
    """What is shown of a Lua, with name and colour."""
    columns = {"every-byte": ("every byte (Redis)", "#4d4d4d"),
               "scalar": ("scalar MurmurHash3 (Valkey 8.1)", "#1b7837"),
               "xxh3": ("XXH3", COLOURS["XXH3"]),
               "no-hash": ("no hash, 64 bytes only", "#aaaaaa"),
               lua_tables.ours(measured): ("Murmuration, " + measured["kernel"], "#c02d2d")}
    there = next(iter(measured["workloads"].values()))
    return {column: of for column, of in columns.items() if column in there}


def draw_lua(measured, prefix):
    fresh = {int(w.split(":")[1]): c for w, c in measured["workloads"].items()
             if w.startswith(lua_tables.FRESH)}
    series = [Series(name, [(size, c[column]["microseconds"] * 1000 / size)
                            for size, c in fresh.items()], of_colour,
                     column in ("no-hash", "xxh3"))
              for column, (name, of_colour) in lua_columns(measured).items()]
    line_chart(prefix + "lua.svg", "A new Lua string", "length", "nanoseconds a byte", series,
               [32 << (3 * i) for i in range(6)], "set logscale y")


def lua_table(measured):
    columns = lua_columns(measured)
    lines = [[workload] + [lua_tables.number(c[column]["microseconds"]) for column in columns]
             for workload, c in measured["workloads"].items()]
    return "Microseconds an operation:\n\n" + table(
        ["workload"] + [name for name, _ in columns.values()], lines)


def fresh_table(measured):
    lines = lua_tables.fresh_rows(measured)
    return "%s\n%s\n" % (table(lines[0], lines[1:]),
                         lua_tables.noise_line(measured, lua_tables.FRESH))


def server_conditions(measured):
    """(what was varied besides the hash, variants) for each that was measured."""
    return [(", ".join(["%s values" % of["values"]] + (
        ["memory %s" % of["memory"]] if "memory" in of else [])), of["variants"])
            for of in measured.get("conditions", [measured])]


def draw_server(measured, prefix):
    colours = {"murmuration": "#c02d2d", "scalar": "#1b7837", "every-byte": "#4d4d4d"}
    condition, variants = server_conditions(measured)[-1]
    bar_chart(prefix + "server.svg", "A script reads a value of %s: %s" % (
        size_name(measured["size"]), condition), "requests a second",
              [(name, row["rps"], colours.get(name, "#aaaaaa")) for name, row in variants.items()])


def server_table(measured):
    conditions = server_conditions(measured)
    lines = [[name] + ["%.0f" % variants[name]["rps"] for _, variants in conditions]
             for name in conditions[0][1]]
    return "Requests a second; [what memory means](../servers.md):\n\n" + table(
        ["string hash"] + [condition for condition, _ in conditions], lines)


def draw_sum(measured, prefix):
    bar_chart(prefix + "sum.svg", "A file of %s in the page cache" % size_name(measured["bytes"]),
              "GB/s", [(name, row["gigabytes_per_second"],
                        "#c02d2d" if name.startswith("sum") else "#aaaaaa")
                       for name, row in measured["rows"].items()])


class Section:
    """A part of the page of a processor. `part` names the JSON file; `chart` draws
    SLUG-CHART.svg; `short` sections are in docs/benchmarks.md too."""

    def __init__(self, name, title, part, text, chart=None, short=False):
        self.name, self.title, self.part, self.text = name, title, part, text
        self.chart, self.short = chart, short


SECTIONS = (
    Section("xxh3", "wide32 and XXH3 on the same instruction set", "xxh3", xxh3_short,
            short=True),
    Section("lua-fresh", "New Lua strings in a small heap", "lua", fresh_table, short=True),
    Section("speed", "Speed by length", "speed", speed_tables, draw_speed),
    Section("latency", "Latency of short strings", "latency", latency_table, draw_latency),
    Section("xxh3-cycles", "wide32, XXH3 and copies, in cycles", "xxh3", xxh3_long),
    Section("memory", "Memory, alignment, copying", "memory", memory_table),
    Section("batches", "Many keys at once", "batches", batch_table),
    Section("kernels", "Every kernel", "kernels", kernels_table),
    Section("ports", "What the ports allow", "ports", ports_table),
    Section("sum", "murmuration sum", "sum", sum_table, draw_sum),
    Section("lua", "Lua strings", "lua", lua_table, draw_lua),
    Section("server", "A server", "server", server_table, draw_server),
)


# ------------------------------------------------------------------ pages

def facts(measured):
    """How it was measured, in one line."""
    words = []
    if "compiler" in measured or "compilers" in measured:
        words.append(measured.get("compiler") or " and ".join(measured["compilers"]))
    if "version" in measured:
        words.append("version " + measured["version"])
    words.append("%s of %d rounds%s" % (
        "median" if "variants" in measured else "the fastest", measured["rounds"],
        " or more" if "workloads" in measured else ""))
    return ", ".join(words) + "."


def begin(name):
    return "<!-- %s: begin -->\n" % name


def end(name):
    return "<!-- %s: end -->\n" % name


def sections_of(text):
    """What stands between the marks of a page, by name."""
    return {match.group(1): match.group(2) for match in re.finditer(
        r"<!-- ([a-z0-9_-]+): begin -->\n(.*?)<!-- \1: end -->\n", text, re.DOTALL)}


def read_text(path):
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def write_text(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def page_of(what, sections):
    """The Markdown page of a processor out of its sections' text."""
    flags = " ".join(processor.telling_flags(what))
    lines = ["# %s\n" % processor.describe(what), "Written by `bench/report.sh`; "
             "[what the numbers mean](../benchmarks.md).\n"]
    lines += ["Flags that decide which code runs: %s.\n" % flags] if flags else []
    for section in SECTIONS:
        if section.name in sections:
            lines.append("## %s\n\n%s%s%s" % (section.title, begin(section.name),
                                              sections[section.name], end(section.name)))
    return "\n".join(lines)


def fill_document(path, name, text):
    """Puts text between the marks of that name."""
    document = read_text(path)
    pattern = "(%s).*?(%s)" % (re.escape(begin(name)), re.escape(end(name)))
    filled, count = re.subn(pattern, lambda m: m.group(1) + text + m.group(2), document,
                            flags=re.DOTALL)
    if count != 1:
        sys.exit("draw.py: %s has no place for %s" % (path, name))
    write_text(path, filled)


def short_results(results, relative):
    """The short sections of every page in the folder, with their links."""
    texts = []
    for path in sorted(glob.glob(os.path.join(results, "*.md"))):
        text = read_text(path)
        sections = sections_of(text)
        short = [s for s in SECTIONS if s.short and s.name in sections]
        if not short:
            continue
        slug = os.path.basename(path)[:-3]
        texts.append("## %s\n\n[All of it](%s/%s.md).\n" % (text.splitlines()[0][2:], relative,
                                                          slug))
        if os.path.exists(os.path.join(results, slug + "-speed.svg")):
            texts.append("![Speed by length](%s/%s-speed.svg)\n" % (relative, slug))
        texts += ["### %s\n%s" % (s.title, sections[s.name]) for s in short]
    return "\n" + "\n".join(texts) + "\n"


def page_table(text):
    """The Markdown that this file writes, as HTML."""
    out = []
    for block in text.split("\n\n"):
        lines = block.strip().splitlines()
        if lines and lines[0].startswith("|"):
            cells = [[html.escape(c.strip()) for c in line.strip("| ").split("|")]
                     for line in lines if "---" not in line]
            out.append("<table><tr>" + "".join("<th>%s</th>" % c for c in cells[0]) + "</tr>" +
                       "".join("<tr>" + "".join("<td>%s</td>" % c for c in row) + "</tr>"
                               for row in cells[1:]) + "</table>")
        elif lines:
            out.append("<p>%s</p>" % html.escape(" ".join(lines)))
    return "\n".join(out)


def load(folder):
    """What was measured, by part."""
    measured = {}
    for part in sorted({section.part for section in SECTIONS}):
        path = os.path.join(folder, part + ".json")
        if os.path.exists(path):
            measured[part] = json.loads(read_text(path))
    return measured


def draw(measured, results):
    """Writes the charts and the page; returns HTML."""
    what = next(iter(measured.values()))["processor"]
    slug = processor.slug(what)
    path = os.path.join(results, slug + ".md")
    sections = sections_of(read_text(path))
    charts = shutil.which("gnuplot") is not None
    if not charts:
        warn("no gnuplot: charts are left out")
    for_html = []
    for section in SECTIONS:
        if section.part not in measured:
            warn("%s was not measured: it is left as it was" % section.name)
            continue
        of_part = measured[section.part]
        image, figure = "", ""
        if section.chart and charts:
            section.chart(of_part, os.path.join(results, slug + "-"))
            image = "![%s](%s-%s.svg)\n\n" % (section.title, slug, section.name)
            figure = re.sub(r"<\?xml.*?\?>", "", read_text(
                os.path.join(results, "%s-%s.svg" % (slug, section.name))))
        text = section.text(of_part)
        sections[section.name] = "\n%s%s\n\n%s\n" % (image, facts(of_part), text)
        for_html.append("<h2>%s</h2><p>%s</p>%s%s" % (
            section.title, html.escape(facts(of_part)), figure, page_table(text)))
    write_text(path, page_of(what, sections))
    return ("<!DOCTYPE html><meta charset=utf-8><title>Murmuration, measured</title><style>"
            "body{font:15px sans-serif;max-width:70em;margin:2em auto;color:#222}"
            "table{border-collapse:collapse;font-size:13px}td,th{padding:2px 9px;"
            "text-align:right;border-bottom:1px solid #ddd}td:first-child,th:first-child"
            "{text-align:left}</style><h1>Murmuration on %s</h1>%s\n" % (
                html.escape(processor.describe(what)), "\n".join(for_html)))


INSTRUCTIONS_HEAD = """# Instructions a byte

Counted in an emulator by `bench/run-arch.sh PRESET`; [what that
says](../architectures.md). `wide32@128` is a call with 128 bytes.
"""


def write_instructions(path, preset, text):
    """Puts the tables of a preset into the page of all presets."""
    sections = {**sections_of(read_text(path)), preset: "\n" + text + "\n"}
    write_text(path, "\n".join([INSTRUCTIONS_HEAD] + [
        "## %s\n\n%s%s%s" % (name, begin(name), sections[name], end(name))
        for name in sorted(sections)]))


def main():
    parser = argparse.ArgumentParser(prog="draw.py")
    parser.add_argument("--instructions", nargs=3, metavar=("DOCUMENT", "PRESET", "TABLES"),
                        help="put the tables of a preset into a document; nothing else")
    parser.add_argument("--json", help="folder of the JSON files")
    parser.add_argument("--results", help="folder of pages and charts")
    parser.add_argument("--document", help="gets every processor's short tables")
    parser.add_argument("--page", help="HTML of this run")
    options = parser.parse_args()
    if options.instructions:
        document, preset, tables = options.instructions
        write_instructions(document, preset, read_text(tables))
        return
    if not all((options.json, options.results, options.page)):
        parser.error("--json, --results and --page are wanted")
    measured = load(options.json)
    if not measured:
        sys.exit("draw.py: nothing was measured yet: no JSON in " + options.json)
    write_text(options.page, draw(measured, options.results))
    if options.document is None:
        return
    relative = os.path.relpath(options.results, os.path.dirname(os.path.abspath(options.document)))
    fill_document(options.document, "results", short_results(options.results, relative))


if __name__ == "__main__":
    main()
