# SPDX-License-Identifier: Apache-2.0
set ylabel 'IPC over greedy then oldest'
set yrange [0.6:*]
plot data index 0 using 2:xtic(1) title 'partitions', '' index 0 using 3 title 'undivided', '' index 0 using 4 title 'software RFC', \
    '' index 0 using 5 title 'software RFC, undivided'
