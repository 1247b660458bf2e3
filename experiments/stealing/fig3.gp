# SPDX-License-Identifier: Apache-2.0
set ylabel 'cycles an operand waits'
set style histogram rowstacked
set boxwidth 0.7
plot data using 2:xtic(1) title 'between instructions', '' using 3 title 'within one'
