# SPDX-License-Identifier: Apache-2.0
set ylabel 'speedup over 2 collector units'
set yrange [0.9:*]
plot data using 2:xtic(1) title '4', '' using 3 title '8', '' using 4 title '16'
