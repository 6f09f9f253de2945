# The chart of colliding strings: times against their number. Wants input (the CSV of
# bench/attack_rounds.py) and output (SVG).
set datafile separator ','
set terminal svg size 720,460 font 'sans-serif,13' background '#ffffff'
set output output
set logscale xy
set xtics 2
set xlabel 'strings of 128 bytes'
set ylabel 'milliseconds'
set key top left
set grid ytics lc rgb '#dddddd'
pick(workload, column) = strcol(1) eq workload ? column : NaN
plot \
  input using 2:(pick('keys', $4)) every ::1 with linespoints lw 2 pt 7 lc rgb '#c0392b' \
    title 'colliding, no secret: table keys', \
  input using 2:(pick('cjson', $4)) every ::1 with linespoints lw 2 dt 2 pt 6 lc rgb '#c0392b' \
    title 'colliding, no secret: cjson.decode', \
  input using 2:(pick('keys', $6)) every ::1 with linespoints lw 2 pt 7 lc rgb '#2471a3' \
    title 'colliding, with a secret: table keys', \
  input using 2:(pick('cjson', $6)) every ::1 with linespoints lw 2 dt 2 pt 6 lc rgb '#2471a3' \
    title 'colliding, with a secret: cjson.decode', \
  input using 2:(pick('keys', $5)) every ::1 with points pt 2 lc rgb '#555555' \
    title 'random, with a secret: table keys', \
  input using 2:(pick('cjson', $5)) every ::1 with points pt 1 lc rgb '#555555' \
    title 'random, with a secret: cjson.decode'
