"""Times of random and of colliding strings, without and with a secret: measured in
interleaved rounds, as a table and as CSV.

Used by bench/lua/attack.py and bench/server/attack.py.
"""
import csv
import statistics

# (strings, secret)
COLUMNS = [("random", "none"), ("colliding", "none"), ("random", "random"),
           ("colliding", "random")]
NAMES = {("random", "none"): "no secret, random",
         ("colliding", "none"): "no secret, colliding",
         ("random", "random"): "secret, random",
         ("colliding", "random"): "secret, colliding"}
RATIO = "colliding / random with a secret"


def measure(run, workload, count, rounds, slow_count):
    """What `run(workload, (strings, secret), count)` takes, in milliseconds: the
    median of each column, and the median of the rounds' own ratios.

    Without a secret the time of colliding strings grows with the square of their
    number: above slow_count they are measured once."""
    times = {column: [] for column in COLUMNS}
    for number in range(rounds):
        turn = number % len(COLUMNS)
        for column in COLUMNS[turn:] + COLUMNS[:turn]:
            slow = column == ("colliding", "none") and count > slow_count
            if not (slow and times[column]):
                times[column].append(run(workload, column, count))
    return {"workload": workload, "strings": count,
            **{NAMES[column]: statistics.median(times[column]) for column in COLUMNS},
            RATIO: statistics.median(a / b for a, b in zip(
                times["colliding", "random"], times["random", "random"]))}


def write_csv(path, rows):
    """The table that bench/attack_chart.gp draws."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([f"{name} (ms)" if name in NAMES.values() else name for name in rows[0]])
        writer.writerows(row.values() for row in rows)
