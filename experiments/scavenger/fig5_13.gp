# SPDX-License-Identifier: Apache-2.0
set ylabel 'percent'
set yrange [0:*]
plot data using 2:xtic(1) title 'error', '' using 3 title 'time profiling'
