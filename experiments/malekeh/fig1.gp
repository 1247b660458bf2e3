# SPDX-License-Identifier: Apache-2.0
set ylabel 'reads, %'
set yrange [0:100]
set style histogram rowstacked
plot data using 2:xtic(1) title '1', '' using 3 title '2', '' using 4 title '3', '' using 5 title '4 to 10', '' using 6 title 'more'
