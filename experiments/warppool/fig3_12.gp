# SPDX-License-Identifier: Apache-2.0
set ylabel 'loads per request (WarpPool), per cycle (banked L1)'
set yrange [0:*]
plot data using 2:xtic(1) title 'WarpPool', '' using 3 title 'banked L1'
