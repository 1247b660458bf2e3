# SPDX-License-Identifier: Apache-2.0
set ylabel 'time over the baseline'
set yrange [0:*]
set xtics norotate
plot data using 2:xtic(1) title 'balanced', '' using 3 title 'unbalanced'
