# SPDX-License-Identifier: Apache-2.0
set xlabel 'KB of cache'
set ylabel 'performance'
set yrange [0:*]
set xtics norotate
set style data linespoints
plot for [w in 'bfs pcr mummer_short needle32'] for [r in '256 1024'] data index 0 using 2:(strcol(1) eq w.' '.r ? $3 : NaN) title w.' '.r
