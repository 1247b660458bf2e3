# SPDX-License-Identifier: Apache-2.0
set xlabel 'KB of one pool'
set ylabel 'performance over 384 KB, partitioned'
set yrange [0:*]
set xtics norotate 64
set style data linespoints
plot for [w in 'needle32 dgemm lud bfs'] data index 0 using 2:(strcol(1) eq w ? $3 : NaN) title w, 1 with lines lc 'black' notitle
