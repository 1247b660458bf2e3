# SPDX-License-Identifier: Apache-2.0
# Three pictures below each other.
if (format eq 'svg') {
    set terminal svg noenhanced size 1000, 900 font 'sans-serif,13' background rgb 'white'
} else {
    set terminal pdfcairo noenhanced size 10, 9 font 'sans,11'
}
set output out
set key outside top right horizontal
set xrange [0:*]
set xtics norotate
set format x '%.0f'
set lmargin 9
set multiplot layout 3,1
set ylabel 'percent'
set yrange [0:140]
set style fill solid 0.25 noborder
set boxwidth 5000
plot data using 1:8 with boxes lc rgb '#8c8c8c' title 'time in profiles', '' using 1:2 with lines lw 2 lt 1 title 'speed of the first, of that alone', \
    '' using 1:3 with lines dt 2 lt 6 title 'goal'
set ylabel 'warps of an SM'
set yrange [0:*]
plot data using 1:4 with lines lw 2 lt 1 title 'first', '' using 1:5 with lines lw 2 lt 2 title 'second'
set ylabel 'requests of an SM'
set xlabel 'cycle'
plot data using 1:6 with lines lw 2 lt 1 title 'first', '' using 1:7 with lines lw 2 lt 2 title 'second'
unset multiplot
