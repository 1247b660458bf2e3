# SPDX-License-Identifier: Apache-2.0
set ylabel 'misses over the plain coalescer''s'
set yrange [0:*]
plot data using 2:xtic(1) title 'WarpPool', '' using 3 title 'MRPB'
