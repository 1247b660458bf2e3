# SPDX-License-Identifier: Apache-2.0
set multiplot layout 1,3
set style histogram rowstacked
set boxwidth 0.7
set key top left
set xlabel 'banks'
set yrange [0:*]
set ylabel 'delay, ns'
plot data using 2:xtic(1) title 'bank', '' using 3 title 'crossbar'
set ylabel 'energy of an access, pJ'
plot data using 4:xtic(1) title 'bank', '' using 5 title 'crossbar'
set ylabel 'leakage of an SM, mW'
plot data using 6:xtic(1) title 'banks', '' using 7 title 'crossbar'
unset multiplot
