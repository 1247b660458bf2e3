# SPDX-License-Identifier: Apache-2.0
set ylabel 'accesses to the main register file saved, %'
set yrange [0:100]
plot data index 0 using 3:xtic(1) title 'reads', '' index 0 using 4 title 'writes', '' index 0 using 2 title 'both'
