set multiplot layout 3,1
set xlabel ''
set ylabel 'speed, percent of alone'
set yrange [0:120]
set style fill solid 0.15 noborder
plot data using 1:8 with boxes lc rgb '#888888' title 'profile, percent of time', '' using 1:2 with lines lw 2 title 'first program', \
    '' using 1:3 with lines dt 2 title 'goal'
set ylabel 'warps of an SM'
set yrange [0:*]
plot data using 1:4 with lines title 'first', '' using 1:5 with lines title 'second'
set ylabel 'requests of an SM'
set xlabel 'cycle'
plot data using 1:6 with lines title 'first', '' using 1:7 with lines title 'second'
unset multiplot
