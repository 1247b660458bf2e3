# SPDX-License-Identifier: Apache-2.0
set ylabel 'unified 384 KB over partitioned'
set yrange [0:*]
plot data index 0 using 2:xtic(1) title 'as claimed', '' index 0 using 3 title 'scheduled', '' index 0 using 4 title 'cycle', '' index 0 using 5 title 'no stores in L1', '' index 0 using 6 title 'all stores in L1'
