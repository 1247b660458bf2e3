# SPDX-License-Identifier: Apache-2.0
set ylabel '% of the lanes'' requests'
set yrange [0:100]
plot data using 2:xtic(1) title 'left'
