# SPDX-License-Identifier: Apache-2.0
set ylabel 'performance over 16 banks'
set yrange [0.6:*]
plot data index 0 using 2:xtic(1) title '4', '' index 0 using 3 title '4, stealing', '' index 0 using 5 title '8', '' index 0 using 6 title '8, stealing', \
    '' index 0 using 8 title '16, stealing', '' index 0 using 10 title '32', '' index 0 using 11 title '32, stealing'
