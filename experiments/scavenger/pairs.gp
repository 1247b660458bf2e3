# SPDX-License-Identifier: Apache-2.0
set ylabel 'over temporal partitioning'
set yrange [0:*]
plot data index 0 using 3:xtic(1) title 'secondary', '' index 0 using 5 title 'both together'
