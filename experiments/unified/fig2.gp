# SPDX-License-Identifier: Apache-2.0
set xlabel 'KB of registers'
set ylabel 'performance'
set yrange [0:*]
set xtics norotate
set style data linespoints
plot for [w in 'dgemm pcr needle32 bfs'] for [r in '18 32 64'] data index 0 using 3:(strcol(1) eq w.' '.r ? $4 : NaN) title w.' '.r
