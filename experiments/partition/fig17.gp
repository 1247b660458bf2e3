# SPDX-License-Identifier: Apache-2.0
set ylabel 'coefficient of variation of issue'
set yrange [0:*]
plot data using 2:xtic(1) title 'round robin', '' using 3 title 'SRR', '' using 4 title 'Shuffle'
