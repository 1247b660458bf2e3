# SPDX-License-Identifier: Apache-2.0
set xlabel 'STHLD'
set ylabel 'IPC over STHLD 0'
set y2label 'hit ratio, %'
set y2tics
set style data linespoints
plot data index 0 using 1:2 title 'steepest', '' index 0 using 1:3 title 'middle', '' index 0 using 1:4 title 'flattest', \
    '' index 0 using 1:5 title 'mean', '' index 0 using 1:6 axes x1y2 title 'hit ratio, mean'
