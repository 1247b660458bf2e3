# SPDX-License-Identifier: Apache-2.0
set ylabel 'Fermi-like over partitioned'
set yrange [0:*]
plot data index 0 using 2:xtic(1) title 'performance', '' index 0 using 3 title 'energy', '' index 0 using (1 - $4) title 'DRAM traffic'
