# SPDX-License-Identifier: Apache-2.0
set ylabel 'speedup over gto, round robin'
set yrange [0.8:*]
plot data index 0 using 2:xtic(1) title 'RBA', '' index 0 using 3 title 'RBA to empty collectors', '' index 0 using 4 title 'random', \
    '' index 0 using 6 title 'Shuffle', '' index 0 using 7 title 'Shuffle+RBA', '' index 0 using 8 title 'fully connected'
