# Draws what measure.py put before these lines: $data, kinds (quoted words),
# chart_title and output_file. Per row of $data: name, then for each kind the
# requests a second, their quartiles, and the latency at p50 and p99.
set terminal pngcairo size 1200,520 font "sans,11"
set output output_file
set multiplot layout 1,2 title chart_title font "sans,14" margins 0.07,0.985,0.12,0.86 spacing 0.08
set style fill solid 0.9 border -1
set boxwidth 0.9
set grid ytics linecolor "#dddddd"
set border 3
set xtics nomirror scale 0
set ytics nomirror
set key top left reverse Left
set yrange [0:*]
colors = "#8da0cb #3f5794 #66c2a5 #2c7a5f"
lighter = "#c9d3ea #9fabc9 #bfe5d8 #95bcaf"

n = words(kinds)
count = |$data|
# the middle of the bar of kind k in the group of row r
middle(r, k) = r * (n + 1) + k
set xrange [-0.2:count * (n + 1)]
set for [r=0:count-1] xtics (word($data[r+1], 1) middle(r, (n + 1) / 2.0))
set format y "%.0f"

set title "requests a second, with the quartiles of the rounds"
plot for [k=1:n] $data using \
       (middle($0, k)):(column(5*k-3)):(column(5*k-2)):(column(5*k-1)):(0.9) with boxerrorbars \
       linecolor rgb word(colors, k) title word(kinds, k)

set title "latency, ms: p50, and p99 behind it"
set key top right noreverse Right
set format y "%g"
plot for [k=1:n] $data using (middle($0, k)):(column(5*k+1)) with boxes \
       linecolor rgb word(lighter, k) title word(kinds, k).", p99", \
     for [k=1:n] $data using (middle($0, k)):(column(5*k)) with boxes \
       linecolor rgb word(colors, k) title word(kinds, k).", p50"
unset multiplot
