# SPDX-License-Identifier: Apache-2.0
set ylabel 'registers of a region'
set yrange [0:*]
plot data using 2:xtic(1) title 'preloads', '' using 3 title 'occupied at a time', '' using 4 title 'their deviation'
