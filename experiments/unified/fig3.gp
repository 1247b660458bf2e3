# SPDX-License-Identifier: Apache-2.0
set xlabel 'KB of shared memory'
set ylabel 'performance'
set yrange [0:*]
set xtics norotate
set style data linespoints
plot for [w in 'needle32 pcr lud storegpu'] data index 0 using 3:(strcol(1) eq w ? $4 : NaN) title w
