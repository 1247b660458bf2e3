# SPDX-License-Identifier: Apache-2.0
set ylabel 'scheduler cycles, %'
set style histogram rowstacked
set boxwidth 0.5
set yrange [0:100]
plot data index 0 using 2:xtic(1) title 'issued', '' index 0 using 3 title 'a pending warp was ready', '' index 0 using 4 title 'none was ready'
