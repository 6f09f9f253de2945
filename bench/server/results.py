"""Numbers of a load generator over several rounds, summed up and tabulated."""
import json
import statistics

# (key in JSON, column of the load generator, label)
MEASURES = [
    ("rps", "rps", "requests a second"),
    ("avg_ms", "avg_latency_ms", "average latency, ms"),
    ("min_ms", "min_latency_ms", "minimum latency, ms"),
    ("p50_ms", "p50_latency_ms", "p50 latency, ms"),
    ("p95_ms", "p95_latency_ms", "p95 latency, ms"),
    ("p99_ms", "p99_latency_ms", "p99 latency, ms"),
    ("max_ms", "max_latency_ms", "maximum latency, ms"),
]
# Those of the server itself, where they were taken: (key, label)
SERVER_TIME = "us_per_script"
FAULTS = "faults_per_script"
SERVER_MEASURES = [(SERVER_TIME, "script on the server, µs"),
                   (FAULTS, "page faults of the server a script")]


def times_key(other):
    return f"times_{other.replace('-', '_')}"


def quartiles(values):
    if len(values) < 2:
        return values[0], values[0], values[0]
    return tuple(statistics.quantiles(values, n=4))


def summarize(columns, baselines):
    """What JSON says of each variant. columns[variant] is a list with the numbers
    of each round; the variant is compared with those of `baselines`."""
    summary = {}
    for name, rounds in columns.items():

        def of(key):
            return [numbers[key] for numbers in rounds]

        low, middle, high = quartiles(of("rps"))
        entry = {key: statistics.median(of(key)) for key, _, _ in MEASURES}
        entry.update({key: statistics.median(of(key)) for key, _ in SERVER_MEASURES
                      if key in rounds[0]})
        entry.update(rps_quartile_low=low, rps_quartile_high=high, spread=(high - low) / middle,
                     rps_rounds=of("rps"))
        for other in baselines:
            entry[times_key(other)] = statistics.median(
                a["rps"] / b["rps"] for a, b in zip(rounds, columns[other]))
        summary[name] = entry
    return summary


def cells(summary, key, form):
    return [form(entry[key]) if key in entry else "–" for entry in summary.values()]


def table(summary, baselines, published):
    """Lines of a Markdown table: one column a variant, then published ones."""
    names = list(summary) + list(published)
    rows = [[""] + names]
    for key, _, label in MEASURES:
        form = (lambda v: f"{v:,.0f}") if key == "rps" else (lambda v: f"{v:.3f}")
        rows.append([label] + cells(summary, key, form) + cells(published, key, form))
    rows.append(["spread of the requests a second"]
                + cells(summary, "spread", lambda v: f"{100 * v:.1f}%") + ["–"] * len(published))
    for key, label in SERVER_MEASURES + [(times_key(other), f"times {other}")
                                         for other in baselines]:
        if any(key in entry for entry in summary.values()):
            rows.append([label] + cells(summary, key, lambda v: f"{v:.2f}")
                        + ["–"] * len(published))
    return align(rows)


def align(rows):
    """Lines of a Markdown table; the first row is its head."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["| " + " | ".join(c.ljust(w) if i == 0 else c.rjust(w)
                               for i, (c, w) in enumerate(zip(row, widths))) + " |"
             for row in rows]
    rule = "|" + "|".join("-" * (w + 2) if i == 0 else "-" * (w + 1) + ":"
                          for i, w in enumerate(widths)) + "|"
    return [lines[0], rule] + lines[1:]


def size_text(size):
    for unit, factor in (("MB", 1 << 20), ("KB", 1 << 10)):
        if size >= factor and size % factor == 0:
            return f"{size // factor} {unit}"
    return f"{size:,} bytes"


def publish(output, json_path, text, document):
    """Prints a report and keeps it as OUTPUT.md and OUTPUT.json, and as json_path
    if one is given."""
    print(text, end="")
    with open(output + ".md", "w", encoding="utf-8") as file:
        file.write(text)
    for path in filter(None, (output + ".json", json_path)):
        with open(path, "w", encoding="utf-8") as file:
            json.dump(document, file, indent=1)
            file.write("\n")
