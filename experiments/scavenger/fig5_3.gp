# SPDX-License-Identifier: Apache-2.0
set ylabel 'speed over alone'
set yrange [0:*]
plot data using 2:xtic(1) title 'sgemm', '' using 3 title 'the other'
