# SPDX-License-Identifier: Apache-2.0
set ylabel 'performance over 80 partitioned SMs'
set xlabel 'SMs'
set xtics norotate
plot data using 1:2 with linespoints title 'partitioned', '' using 1:3 with linespoints title 'Shuffle+RBA', \
    '' using 1:4 with lines dashtype 2 title '80 fully connected SMs'
