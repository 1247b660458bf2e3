# SPDX-License-Identifier: Apache-2.0
set ylabel 'percent of SM cycles'
set yrange [0:100]
plot data using 2:xtic(1) title 'compute issued', '' using 3 title 'load-store unit stalled'
