# SPDX-License-Identifier: Apache-2.0
set ylabel 'KB'
set yrange [0:400]
set style histogram rowstacked
set boxwidth 0.7
plot data index 0 using 2:xtic(1) title 'registers', '' index 0 using 3 title 'shared memory', '' index 0 using 4 title 'cache'
