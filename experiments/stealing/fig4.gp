# SPDX-License-Identifier: Apache-2.0
set ylabel 'cycles in which a bank is accessed, %'
set yrange [0:100]
plot data using 2:xtic(1) title '16 banks', '' using 3 title '8 banks', '' using 5 title '8 banks, stealing'
