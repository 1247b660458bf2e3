# SPDX-License-Identifier: Apache-2.0
# docs/generated/front.svg, drawn by tools/front. effects: order, paper's value, measured, lowest and highest accepted, within, name.
# sass: program, cycles of an H200, simulated.
set terminal svg enhanced size 1120, 560 font 'sans-serif,13' background rgb 'white'
set output out
set datafile separator "\t"
set multiplot
blue = '#2f6f9f'
orange = '#d98032'

# What a mechanism gains, in the paper and here. What lies beyond the axis stands at its end, with its value.
set lmargin at screen 0.335
set rmargin at screen 0.62
set tmargin at screen 0.88
set bmargin at screen 0.105
lowest = -10
highest = 48
clip(x) = x > highest ? highest : x < lowest ? lowest : x
stats effects using 2 nooutput
set title 'what mechanisms gain, in the papers and here' font ',14' offset 0, 1
set xlabel '% speedup'
set xrange [lowest:highest]
set yrange [STATS_records - 0.3:-0.7]
set border 1
set xtics nomirror
set grid x lc rgb '#e2e2e2'
set ytics scale 0 font ',10' noenhanced
set key off
set label 1 'grey: accepted    {/=14 |} paper' at screen 0.335, 0.915 font ',11'
set label 2 '{/=14 ●} here, accepted' at screen 0.468, 0.915 font ',11' tc rgb blue
set label 3 '{/=14 ○} missed' at screen 0.575, 0.915 font ',11' tc rgb orange
plot effects using (clip($4)):0:(clip($5) - clip($4)):(0) with vectors nohead lw 9 lc rgb '#e4e4e4', \
    '' using (clip($2)):0:ytic(7) with points pt '|' lc rgb 'black', \
    '' using ($6 == 1 ? clip($3) : NaN):0 with points pt 7 ps 0.75 lc rgb blue, \
    '' using ($6 == 0 ? clip($3) : NaN):0 with points pt 6 ps 0.75 lw 2 lc rgb orange, \
    '' using ($3 > highest ? highest : NaN):0:(sprintf('%.0f →', $3)) with labels left offset 0.7, 0 font ',10' tc rgb orange, \
    '' using ($3 < lowest ? lowest : NaN):0:(sprintf('← %.0f', $3)) with labels left offset 0.7, 0 font ',10' tc rgb orange, \
    '' using ($2 > highest ? highest : NaN):0:(sprintf('%.0f →', $2)) with labels left offset 0.7, 0 font ',10'
unset label 1
unset label 2
unset label 3

# Cycles: silicon and the model.
set lmargin at screen 0.715
set rmargin at screen 0.985
set title 'cycles, of an H200 and here' font ',14' offset 0, 1
set border 3
set autoscale
stats sass using 2 nooutput
set logscale xy
lo = STATS_min / 1.6
hi = STATS_max * 1.6
set xrange [lo:hi]
set yrange [lo:hi]
set format xy '10^{%T}'
set xlabel 'cycles of an H200'
set ylabel 'simulated cycles' offset 1.5, 0
set ytics auto scale 1 nomirror font ',13' enhanced
set grid x y lc rgb '#e2e2e2'
set samples 100
set key at graph 0.03, 0.97 left top Left reverse vertical samplen 2 width 0
set key on
plot x with lines lc rgb '#444444' title 'equal', 1.1 * x with lines dt 3 lc rgb '#8c8c8c' title '10% from equal', \
    x / 1.1 with lines dt 3 lc rgb '#8c8c8c' notitle, \
    sass using 2:3 with points pt 7 ps 0.7 lc rgb blue title sprintf('%d programs, NVIDIA''s code', STATS_records)
unset multiplot
