# SPDX-License-Identifier: Apache-2.0
set ylabel 'over the partitioned design'
set yrange [0:*]
plot data index 0 using 2:xtic(1) title 'unified, insn', '' index 0 using 3 title 'several banks, insn', '' index 0 using 4 title 'unified, cycle', '' index 0 using 5 title 'several banks, cycle'
