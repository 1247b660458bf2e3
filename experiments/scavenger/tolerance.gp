# SPDX-License-Identifier: Apache-2.0
set xlabel 'tolerance, percent'
set ylabel 'percent'
set yrange [0:*]
plot data index 0 using 1:2 with linespoints title 'error', '' index 0 using 1:3 with linespoints title 'time profiling'
