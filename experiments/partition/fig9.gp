# SPDX-License-Identifier: Apache-2.0
set ylabel 'speedup over gto, round robin'
set yrange [0.8:*]
plot data index 0 using 2:xtic(1) title 'RBA', '' index 0 using 3 title 'RBA to empty collectors', '' index 0 using 4 title 'SRR+RBA', \
    '' index 0 using 5 title 'Shuffle+RBA', '' index 0 using 6 title 'fully connected'
