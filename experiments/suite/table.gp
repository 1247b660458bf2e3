# SPDX-License-Identifier: Apache-2.0
set style histogram rowstacked
set boxwidth 0.8
set ylabel 'share of warp instructions, %'
set yrange [0:100]
classes = "fp32 int fp64 tensor sfu memory shared control other"
plot for [i = 8:16] data using i:xtic(1) title word(classes, i - 7)
