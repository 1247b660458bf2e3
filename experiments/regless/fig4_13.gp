# SPDX-License-Identifier: Apache-2.0
set xlabel 'run time over the baseline'
set ylabel 'energy over the baseline'
set style data points
set datafile missing '?'
plot data using 2:4 with lines title 'Pareto front', '' using 2:3 with points pt 7 title 'RegLess', '' using 2:3:1 with labels offset 1.5,0.7 notitle
