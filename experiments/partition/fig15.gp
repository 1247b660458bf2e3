# SPDX-License-Identifier: Apache-2.0
set ylabel 'speedup over gto, round robin'
set yrange [0.8:*]
plot data using 2:xtic(1) title 'SRR', '' using 3 title 'Shuffle', '' using 4 title 'RBA', '' using 5 title 'Shuffle+RBA', \
    '' using 6 title 'fully connected'
