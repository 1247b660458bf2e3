# SPDX-License-Identifier: Apache-2.0
set xlabel 'cycle'
set ylabel 'percent of SM cycles'
set yrange [0:100]
plot data using 1:2 with lines title 'compute issued', '' using 1:3 with lines title 'load-store unit stalled'
