# SPDX-License-Identifier: Apache-2.0
set ylabel 'area, mm2'
set style histogram rowstacked
set boxwidth 0.7
plot data using 2:xtic(1) title 'cells', '' using 3 title 'periphery', '' using 4 title 'crossbar', '' using 5 title 'arbiter'
