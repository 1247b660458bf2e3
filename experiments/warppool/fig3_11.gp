# SPDX-License-Identifier: Apache-2.0
set ylabel 'speedup over the plain coalescer'
set yrange [0:*]
plot data index 0 using 2:xtic(1) title 'WarpPool', '' index 0 using 3 title 'MRPB, flushed', '' index 0 using 4 title 'MRPB, in order', \
    '' index 0 using 5 title 'banked L1'
