# SPDX-License-Identifier: Apache-2.0
set style histogram rowstacked
set ylabel '% of preloads'
set yrange [0:100]
plot data using 2:xtic(1) title 'staging unit', '' using 3 title 'compressor', '' using 4 title 'L1', '' using 5 title 'L2 or DRAM', '' using 6 title 'nowhere'
