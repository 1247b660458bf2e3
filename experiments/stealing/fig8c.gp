# SPDX-License-Identifier: Apache-2.0
set ylabel 'over 16 banks without stealing'
set xlabel 'banks (*: stealing)'
set yrange [0:*]
plot data using 2:xtic(1) title 'performance', '' using 5 title 'performance / area', '' using 6 title 'performance / energy'
