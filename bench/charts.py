"""Charts as SVG, drawn by gnuplot."""
import os
import re
import subprocess


def size_name(size):
    for unit, bytes_of in (("GB", 1 << 30), ("MB", 1 << 20), ("KB", 1 << 10)):
        if size >= bytes_of and size % bytes_of == 0:
            return "%d %s" % (size // bytes_of, unit)
    return "%d B" % size


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
