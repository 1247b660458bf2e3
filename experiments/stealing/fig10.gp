# SPDX-License-Identifier: Apache-2.0
set ylabel 'cycles an operand waits'
plot data index 0 using ($2 + $3):xtic(1) title '8 banks', '' index 0 using ($4 + $5) title '8 banks, stealing'
