# SPDX-License-Identifier: Apache-2.0
# Both axes logarithmic; the bands are 10 and 35% from equal.
if (format eq 'svg') {
    set terminal svg enhanced size 760, 700 font 'sans-serif,13' background rgb 'white'
} else {
    set terminal pdfcairo enhanced size 7.6, 7 font 'sans,11'
}
set output out
set size square
set format xy '10^{%T}'
set xtics norotate
set grid x y lc rgb '#dddddd'
set key top left inside vertical
set xlabel 'microjoules of an H200, a pass'
set ylabel 'simulated'
set samples 2
stats data using 4 nooutput
set logscale xy
lo = STATS_min / 1.5
hi = STATS_max * 1.5
set xrange [lo:hi]
set yrange [lo:hi]
plot x with lines lc rgb '#444444' title 'equal', 1.1 * x with lines dt 3 lc rgb '#8c8c8c' title '10%', x / 1.1 with lines dt 3 lc rgb '#8c8c8c' notitle, \
    1.35 * x with lines dt 2 lc rgb '#8c8c8c' title '35%', x / 1.35 with lines dt 2 lc rgb '#8c8c8c' notitle, \
    data using 4:5 with points pt 7 ps 0.5 lt 1 title "programs of the suite"
