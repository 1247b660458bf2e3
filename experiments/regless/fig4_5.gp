# SPDX-License-Identifier: Apache-2.0
set xlabel 'instruction'
set ylabel 'live registers'
plot data using 1:2 with steps title 'live', '' using 1:($3 == 1 ? $2 : 1/0) with points pt 7 title 'a region begins'
