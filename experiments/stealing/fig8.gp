set ylabel 'performance over 16 banks'
set yrange [0.6:*]
plot data using 2:xtic(1) title '4', '' using 3 title '4, stealing', '' using 4 title '8', '' using 5 title '8, stealing', \
    '' using 6 title '16, stealing', '' using 7 title '32', '' using 8 title '32, stealing'
