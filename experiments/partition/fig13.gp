# SPDX-License-Identifier: Apache-2.0
set ylabel '% over 2 collector units'
plot data using 2:xtic(1) title 'area', '' using 3 title 'power'
