# SPDX-License-Identifier: Apache-2.0
set ylabel '% of the register file'
set yrange [0:*]
plot data using 2:xtic(1) title 'GTO', '' using 3 title 'two-level'
