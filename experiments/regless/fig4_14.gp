# SPDX-License-Identifier: Apache-2.0
set ylabel 'register energy over the baseline'
set yrange [0:*]
plot data using 2:xtic(1) title 'RFV', '' using 3 title 'RFH', '' using 4 title 'RegLess'
