# SPDX-License-Identifier: Apache-2.0
set ylabel '4-byte register reads per cycle and SM'
set yrange [0:*]
set boxwidth 0.7
set style fill solid 0.9 noborder
plot data index 0 using 3:xtic(stringcolumn(1).' '.stringcolumn(2)) title ''
