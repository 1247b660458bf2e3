# SPDX-License-Identifier: Apache-2.0
set ylabel "primary's speed"
set yrange [0:1]
set xtics rotate by 45 right
plot data index 0 using 4:xtic(1) title 'primary', 0.9 with lines title 'target'
