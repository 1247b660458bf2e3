# SPDX-License-Identifier: Apache-2.0
set ylabel '% of the cycles'
set xlabel 'cycle'
set yrange [0:100]
set style data lines
plot data using 1:2 title 'issued', '' using 1:3 title 'waiting for the load-store unit', '' using 1:4 title 'L1 out of miss entries'
