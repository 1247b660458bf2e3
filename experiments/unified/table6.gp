# SPDX-License-Identifier: Apache-2.0
set ylabel 'performance over 384 KB, partitioned'
set yrange [0:*]
plot data index 0 using 2:xtic(1) title '128 KB', '' index 0 using 3 title '256 KB', '' index 0 using 4 title '384 KB', 1 with lines lc 'black' notitle
