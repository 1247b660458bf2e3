# SPDX-License-Identifier: Apache-2.0
set ylabel 'over 16 banks'
set yrange [0.8:*]
plot data index 0 using 3:xtic(1) title 'power, 8 banks with stealing', '' index 0 using 7 title 'efficiency, 8 banks with stealing'
