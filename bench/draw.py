"""Draws charts, the tables of docs/benchmarks.md and a page from the JSON files
that bench/measure.py, bench/lua/run.sh and bench/server/run.sh wrote.

report.sh calls this. Parts whose file is missing are left out, by name.
"""
import argparse
import html
import json
import os
import re
import subprocess
import sys

KERNELS = ("avx512", "avx2", "sse4", "neon", "scalar")
# One colour for one thing in every chart; peers are grey.
COLOURS = {"avx512": "#c02d2d", "avx2": "#e08214", "sse4": "#8073ac", "neon": "#c02d2d",
           "scalar": "#4d4d4d", "x86_32": "#1b7837", "x64_128": "#2166ac",
           "XXH3": "#777777", "XXH64": "#aaaaaa"}


def load(results, part):
    path = os.path.join(results, part + ".json")
    if not os.path.exists(path):
        print("draw.py: no %s: that part is left out" % path, file=sys.stderr)
        return None
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def size_name(size):
    for unit, bytes_of in (("GB", 1 << 30), ("MB", 1 << 20), ("KB", 1 << 10)):
        if size >= bytes_of and size % bytes_of == 0:
            return "%d %s" % (size // bytes_of, unit)
    return "%d B" % size


def best_kernel(measured):
    return next(k for k in KERNELS if k in measured["kernels"])


# ----------------------------------------------------------------- charts

class Series:
    def __init__(self, name, points, colour, dashed=False):
        self.name, self.points, self.colour, self.dashed = name, points, colour, dashed


def gnuplot(commands, path):
    head = """
set terminal svg size 860,480 dynamic font "sans-serif,13" background "#ffffff"
set output '%s'
set border 3 linecolor rgb "#888888"
set grid ytics linecolor rgb "#e4e4e4"
set tics nomirror textcolor rgb "#333333"
set key outside right top vertical reverse Left samplen 2 spacing 1.15
""" % path.replace("'", "''")
    subprocess.run(["gnuplot"], input=(head + commands).encode(), check=True)
    # gnuplot dates its files; two runs of the same numbers should be equal.
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(re.sub(r"<desc>.*?</desc>", "<desc>%s</desc>" % os.path.basename(path), text))


def quote(text):
    return '"%s"' % text.replace("\\", "\\\\").replace('"', '\\"').replace("_", "\\\\_")


def line_chart(path, title, x_label, y_label, series, ticks, extra=""):
    commands = ["set title %s" % quote(title), "set xlabel %s" % quote(x_label),
                "set ylabel %s" % quote(y_label), "set logscale x 2",
                "set xrange [%d:%d]" % (ticks[0], ticks[-1] * 1.02 + 1),
                "set xtics (%s) rotate by -35" % ", ".join(
                    '"%s" %d' % (size_name(tick), tick) for tick in ticks), extra]
    plots = []
    for number, one in enumerate(series):
        commands.append("$d%d << END\n%s\nEND" % (
            number, "\n".join("%g %g" % point for point in sorted(one.points))))
        plots.append('$d%d with linespoints linewidth 2 pointtype 7 pointsize 0.35 '
                     'linecolor rgb "%s" dashtype %d title %s' % (
                         number, one.colour, 2 if one.dashed else 1, quote(one.name)))
    gnuplot("\n".join(commands) + "\nplot " + ", ".join(plots) + "\n", path)


def bar_chart(path, title, y_label, bars):
    """bars: (label, value, colour)"""
    data = "\n".join("%d %g %d" % (i, value, int(colour[1:], 16))
                     for i, (_, value, colour) in enumerate(bars))
    labels = ", ".join("%s %d" % (quote(label), i) for i, (label, _, _) in enumerate(bars))
    gnuplot("""
set title %s
set ylabel %s
set yrange [0:*]
set xrange [-0.6:%g]
set boxwidth 0.7
set style fill solid 0.9 noborder
set xtics (%s) rotate by -25
unset key
$d << END
%s
END
plot $d using 1:2:3 with boxes linecolor rgb variable, \
     $d using 1:2:(sprintf($2 < 100 ? "%%.3g" : "%%.0f", $2)) with labels offset 0,0.7
""" % (quote(title), quote(y_label), len(bars) - 0.4, labels, data), path)


def curves(measured, value, wanted):
    """One series for each (function, build, name, colour, dashed)."""
    series = []
    for function, build, name, colour, dashed in wanted:
        points = []
        for row, numbers in measured["rows"].items():
            parts = row.split("/")
            if parts[:2] == [function, build] and len(parts) == 3:
                points.append((int(parts[2]), value(numbers)))
        if points:
            series.append(Series(name, points, colour, dashed))
    return series


def wanted_curves(measured):
    best = best_kernel(measured)
    wanted = [("wide32", k, "wide32, " + k, COLOURS[k], False) for k in KERNELS]
    wanted.append(("x86_32", "scalar", "x86_32", COLOURS["x86_32"], False))
    wanted.append(("x64_128", best, "x64_128", COLOURS["x64_128"], False))
    wanted.append(("XXH3", "libxxhash", "XXH3 (peer)", COLOURS["XXH3"], True))
    wanted.append(("XXH64", "libxxhash", "XXH64 (peer)", COLOURS["XXH64"], True))
    return wanted


# ----------------------------------------------------------------- tables

def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def sizes_of(measured, function):
    return sorted({int(row.split("/")[2]) for row in measured["rows"]
                   if row.split("/")[0] == function and row.split("/")[2].isdigit()})


def order(name):
    function, build = name.split("/")[:2]
    functions = ("wide32", "x86_32", "x86_128", "x64_128", "plain_x86_32", "plain_x64_128",
                 "XXH3", "XXH64")
    return (functions.index(function) if function in functions else 99, function,
            KERNELS.index(build) if build in KERNELS else 99, build)


def speed_tables(measured):
    sizes = [s for s in (16, 64, 128, 256, 1000, 4096, 102400, 1 << 20, 64 << 20)
             if s in sizes_of(measured, "wide32")]
    names = sorted({"/".join(row.split("/")[:2]) for row in measured["rows"]}, key=order)
    rate = [[name] + ["%.2f" % measured["rows"]["%s/%d" % (name, s)]["gigabytes_per_second"]
                      for s in sizes] for name in names]
    cycles = [[name] + ["%.3f" % measured["rows"]["%s/%d" % (name, s)]["cycles_per_byte"]
                        for s in sizes] for name in names]
    head = ["function/kernel"] + [size_name(s) for s in sizes]
    text = "GB/s (1 GB = 10^9 bytes):\n\n%s\nCycles a byte:\n\n%s" % (table(head, rate),
                                                                table(head, cycles))
    faster = []
    best = best_kernel(measured)
    for size in sizes_of(measured, "wide32"):
        ours = measured["rows"]["wide32/%s/%d" % (best, size)]["gigabytes_per_second"]
        peer = measured["rows"].get("XXH3/libxxhash/%d" % size)
        if peer:
            faster.append([size_name(size), "%.2f" % (peer["gigabytes_per_second"] / ours)])
    if faster:
        text += "\nXXH3's speed over wide32's on %s:\n\n%s" % (
            best, table([f[0] for f in faster], [[f[1] for f in faster]]))
    return text


def memory_table(measured):
    best = best_kernel(measured)
    names = sorted({"/".join(row.split("/")[:2]) for row in measured["rows"]
                    if row.split("/")[1] in (best, "libxxhash") or row.startswith("x86_32/")},
                   key=order)
    sizes = sizes_of(measured, "wide32")
    rows = []
    for name in names:
        for mode in ("", "/unaligned", "/cold", "/throughput"):
            rows.append([name + mode] + [
                "%.0f" % measured["rows"]["%s/%d%s" % (name, s, mode)]["cycles_per_call"]
                for s in sizes])
    return "Cycles a call:\n\n" + table(["function/kernel"] + [size_name(s) for s in sizes], rows)


def batch_table(measured):
    rows = []
    lengths = ("4", "8", "16", "64", "1-64", "64-1024")
    names = sorted({"/".join(row.split("/")[:2]) for row in measured["rows"]
                    if not row.startswith("batch_loop")},
                   key=lambda n: (n.split("/")[0], KERNELS.index(n.split("/")[1])))
    for name in names:
        variant = re.search(r"x\d+_\d+", name).group(0)
        cells = []
        for length in lengths:
            row = measured["rows"].get("%s/%s" % (name, length))
            loop = measured["rows"]["batch_loop_%s/scalar/%s" % (variant, length)]
            cells.append("%.2f" % (loop["ns"] / row["ns"]) if row else "")
        rows.append([name.replace("batch_", "", 1)] + cells)
    return ("Times as fast as a loop over the same keys, by length of key in bytes:\n\n" +
            table(["function/kernel"] + list(lengths), rows))


def ports_table(measured):
    rows = []
    for name, row in measured["rows"].items():
        _, kernel, model = name.split("/")
        rows.append([kernel, model, "%d" % row["instructions"],
                     "%.1f" % row["port_limit_bytes_per_cycle"],
                     "%.1f" % row["simulated_bytes_per_cycle"]])
    return ("llvm-mca %s:\n\n" % measured["llvm_mca"] +
            table(["kernel", "model", "instructions a stripe", "port limit, bytes a cycle",
                   "simulated, bytes a cycle"], rows))


def sum_table(measured):
    return table(["program", "seconds", "GB/s", "speed of cat"],
                 [[name, "%.2f" % row["seconds"], "%.1f" % row["gigabytes_per_second"],
                   "%.2f" % row["speed_of_cat"]] for name, row in measured["rows"].items()])


# ------------------------------------------------------------------ parts

def draw_speed(measured, results):
    ticks = [16 << (2 * i) for i in range(12) if 16 << (2 * i) <= 64 << 20]
    path = os.path.join(results, "speed.svg")
    line_chart(path, "One string at a time, data in cache while it fits", "length",
               "GB/s", curves(measured, lambda r: r["gigabytes_per_second"],
                              wanted_curves(measured)), ticks, "set yrange [0:*]")
    return [path], speed_tables(measured)


def draw_latency(measured, results):
    path = os.path.join(results, "latency.svg")
    line_chart(path, "Each call waits for the digest of the last", "length", "cycles a call",
               curves(measured, lambda r: r["cycles_per_call"], wanted_curves(measured)),
               [1 << i for i in range(9)], "set yrange [0:300]")
    return [path], ""


def draw_lua(measured, results):
    columns = {"every-byte": ("every byte (Redis)", "#4d4d4d"),
               "scalar": ("scalar MurmurHash3 (Valkey 8.1)", "#1b7837"),
               "no-hash": ("no hash, 64 bytes only", "#aaaaaa")}
    best = next(c for k in KERNELS for w in measured["workloads"].values()
                for c in w if c == "ours:" + k)
    columns[best] = ("Murmuration, " + best[5:], "#c02d2d")
    fresh = {int(w.split(":")[1]): c for w, c in measured["workloads"].items()
             if w.startswith("fresh:")}
    series = [Series(name, [(size, c[column]["median_us"] * 1000 / size)
                            for size, c in fresh.items() if column in c], colour,
                     column == "no-hash") for column, (name, colour) in columns.items()]
    path = os.path.join(results, "lua.svg")
    line_chart(path, "A new Lua string", "length", "nanoseconds a byte", series,
               [32 << (3 * i) for i in range(6)], "set logscale y")
    rows = [[workload] + ["%.4g" % c[column]["median_us"] if column in c else ""
                          for column in columns]
            for workload, c in measured["workloads"].items()]
    return [path], "Microseconds an operation:\n\n" + table(
        ["workload"] + [name for name, _ in columns.values()], rows)


def draw_server(measured, results):
    colours = {"murmuration": "#c02d2d", "scalar": "#1b7837", "every-byte": "#4d4d4d"}
    bars = [(name, row["rps"], colours.get(name, "#aaaaaa"))
            for name, row in measured["variants"].items()]
    path = os.path.join(results, "server-requests.svg")
    bar_chart(path, "A script reads a value of %s" % size_name(measured["size"]),
              "requests a second", bars)
    return [path], table(["string hash", "requests a second"],
                         [[name, "%.0f" % value] for name, value, _ in bars])


def draw_sum(measured, results):
    bars = [(name, row["gigabytes_per_second"],
             "#c02d2d" if name.startswith("sum") else "#aaaaaa")
            for name, row in measured["rows"].items()]
    path = os.path.join(results, "sum.svg")
    bar_chart(path, "A file of %s in the page cache" % size_name(measured["bytes"]), "GB/s", bars)
    return [path], sum_table(measured)


# Each part is in PART.json, but for this one.
FILES = {"server": "server-scripts-102400"}
PARTS = {
    "speed": draw_speed,
    "latency": draw_latency,
    "memory": lambda measured, results: ([], memory_table(measured)),
    "batches": lambda measured, results: ([], batch_table(measured)),
    "ports": lambda measured, results: ([], ports_table(measured)),
    "sum": draw_sum,
    "lua": draw_lua,
    "server": draw_server,
}


def facts(measured):
    names = ("processor", "compiler", "version", "rounds")
    return ", ".join("%s %s" % (n, measured[n]) for n in names if n in measured)


def fill_document(path, part, text):
    """Puts text between <!-- PART: begin --> and <!-- PART: end -->."""
    with open(path, encoding="utf-8") as file:
        document = file.read()
    pattern = r"(<!-- %s: begin -->\n).*?(<!-- %s: end -->)" % (part, part)
    filled, count = re.subn(pattern, lambda m: m.group(1) + text + m.group(2), document,
                            flags=re.DOTALL)
    if count != 1:
        sys.exit("draw.py: %s has no place for the part %s" % (path, part))
    with open(path, "w", encoding="utf-8") as file:
        file.write(filled)


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


def main():
    parser = argparse.ArgumentParser(prog="draw.py")
    parser.add_argument("--results", required=True)
    parser.add_argument("--page", required=True)
    parser.add_argument("--document", required=True)
    options = parser.parse_args()
    sections = []
    for part, draw in PARTS.items():
        measured = load(options.results, FILES.get(part, part))
        if measured is None:
            continue
        charts, text = draw(measured, options.results)
        relative = os.path.relpath(options.results, os.path.dirname(options.document))
        markdown = "".join("![%s](%s)\n\n" % (part, os.path.join(relative, os.path.basename(c)))
                           for c in charts)
        fill_document(options.document, part, "\n%s%s\n%s\n\n" % (
            markdown, facts(measured) + ".", "\n" + text if text else ""))
        figures = []
        for chart in charts:
            with open(chart, encoding="utf-8") as file:
                figures.append(re.sub(r"<\?xml.*?\?>", "", file.read()))
        sections.append("<h2>%s</h2><p>%s</p>%s%s" % (
            part, html.escape(facts(measured)), "".join(figures), page_table(text)))
    with open(options.page, "w", encoding="utf-8") as file:
        file.write("<!DOCTYPE html><meta charset=utf-8><title>Murmuration, measured</title><style>"
                   "body{font:15px sans-serif;max-width:70em;margin:2em auto;color:#222}"
                   "table{border-collapse:collapse;font-size:13px}td,th{padding:2px 9px;"
                   "text-align:right;border-bottom:1px solid #ddd}td:first-child,th:first-child"
                   "{text-align:left}</style><h1>Murmuration, measured</h1>" + "\n".join(sections))


if __name__ == "__main__":
    main()
