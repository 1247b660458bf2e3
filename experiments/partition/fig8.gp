# SPDX-License-Identifier: Apache-2.0
set ylabel 'time over round robin'
set xlabel 'imbalance'
set logscale x 2
set yrange [0:1.1]
set xtics norotate
plot data using 1:2 with linespoints title 'SRR', '' using 1:3 with linespoints title 'Shuffle'
