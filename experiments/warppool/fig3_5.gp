# SPDX-License-Identifier: Apache-2.0
set ylabel '% of the requests left'
set yrange [0:100]
plot for [i = 2:10] data using i:xtic(1) title columnheader(i)
