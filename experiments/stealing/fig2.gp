# SPDX-License-Identifier: Apache-2.0
set ylabel 'performance over 16 banks'
set yrange [0.6:*]
plot data using 2:xtic(1) title '4', '' using 3 title '8', '' using 4 title '32'
