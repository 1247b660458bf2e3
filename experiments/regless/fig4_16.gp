# SPDX-License-Identifier: Apache-2.0
set ylabel 'run time over the baseline'
set yrange [0:*]
plot data using 2:xtic(1) title 'RegLess', '' using 3 title 'no compressor', '' using 4 title 'RFV', '' using 5 title 'RFH'
