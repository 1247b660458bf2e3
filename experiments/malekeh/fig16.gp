# SPDX-License-Identifier: Apache-2.0
set ylabel 'written into the cache, %'
set yrange [0:100]
plot data index 0 using 2:xtic(1) title 'Malekeh', '' index 0 using 3 title 'BOW', '' index 0 using 4 title 'Malekeh, private collectors'
