# SPDX-License-Identifier: Apache-2.0
set ylabel '% of the lines of loads'
set yrange [0:100]
set style histogram rowstacked
plot for [i = 2:6] data using i:xtic(1) title columnheader(i)
