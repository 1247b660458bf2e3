set ylabel 'speedup over gto, round robin'
set yrange [0.8:*]
plot data using 2:xtic(1) title 'RBA', '' using 3 title 'fully connected', '' using 4 title 'fully connected+RBA'
