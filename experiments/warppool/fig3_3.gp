# SPDX-License-Identifier: Apache-2.0
set ylabel 'lines per memory instruction'
set y2label '% of the time'
set y2tics
set yrange [0:*]
set y2range [0:100]
plot data using 2:xtic(1) title 'lines per memory instruction', '' using 3 axes x1y2 title 'a ready warp waits for the load-store unit', \
    '' using 4 axes x1y2 title 'L1 is out of miss entries'
