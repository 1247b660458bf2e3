# SPDX-License-Identifier: Apache-2.0
# Both axes logarithmic; the bands are 10 and 30% from equal. sass.gp is this file.
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
set xlabel 'cycles of an H200'
set ylabel 'simulated cycles'
set samples 2
stats data using 3 nooutput
set logscale xy
lo = STATS_min / 1.5
hi = STATS_max * 1.5
set xrange [lo:hi]
set yrange [lo:hi]
plot x with lines lc rgb '#444444' title 'equal', 1.1 * x with lines dt 3 lc rgb '#8c8c8c' title '10%', x / 1.1 with lines dt 3 lc rgb '#8c8c8c' notitle, \
    1.3 * x with lines dt 2 lc rgb '#8c8c8c' title '30%', x / 1.3 with lines dt 2 lc rgb '#8c8c8c' notitle, \
    data using 3:4 with points pt 7 ps 0.5 lt 1 title (strstrt(data, "sass") ? "launches of SASS traces" : "programs of the suite, compiled here")
