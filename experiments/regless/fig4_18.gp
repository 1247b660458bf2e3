# SPDX-License-Identifier: Apache-2.0
set style histogram rowstacked
set ylabel 'requests per cycle and SM'
set yrange [0:*]
plot data using 2:xtic(1) title 'reads', '' using 3 title 'writes'
