# SPDX-License-Identifier: Apache-2.0
set ylabel 'time over the naive version''s'
set yrange [0:*]
plot data using 2:xtic(1) title 'plain coalescer', '' using 3 title 'WarpPool'
