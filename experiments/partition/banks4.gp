# SPDX-License-Identifier: Apache-2.0
set ylabel 'speedup of RBA'
set yrange [0.9:*]
plot data using 2:xtic(1) title 'two banks', '' using 3 title 'four banks'
