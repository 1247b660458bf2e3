# SPDX-License-Identifier: Apache-2.0
# A column a program, a row a question. Cycles from the launch of the kernel on.
if (format eq 'svg') {
    set terminal svg noenhanced size 1150, 900 font 'sans-serif,12' background rgb 'white'
} else {
    set terminal pdfcairo noenhanced size 11.5, 9 font 'sans,10'
}
set output out
set style data lines
set xrange [0:9600]
set xtics 2400 norotate
set ytics auto
set key inside top right vertical samplen 1.5 font ',10'
set grid y lc rgb '#dddddd'
names = "attention attention_mma attention_wgmma"
titles = "'attention: plain, FP32' 'attention_mma: FlashAttention 2' 'attention_wgmma: FlashAttention 3'"
of(p, c) = strcol(1) eq word(names, p) ? column(c) : NaN
set multiplot layout 4, 3 columnsfirst margins 0.06, 0.99, 0.05, 0.95 spacing 0.05, 0.055
do for [p = 1:3] {
    set title word(titles, p) font ',13'
    set yrange [0:170]
    set ylabel p == 1 ? 'from L2: bytes a cycle' : ''
    plot data using 2:(of(p, 3)) skip 1 with impulses lt 1 title 'into the SM'
    unset title
    set yrange [0:1.7]
    set ytics 0.5
    set ylabel p == 1 ? 'share of the SM' : ''
    plot data using 2:(of(p, 9)) skip 1 with lines lw 1.5 lt 2 title 'issue slots', \
        data using 2:(of(p, 8)) skip 1 with lines lw 1.5 lt 4 title 'products of warp groups'
    set yrange [0:2900]
    set ytics 500
    set ylabel p == 1 ? 'operands: bytes a cycle' : ''
    plot data using 2:(of(p, 4)) skip 1 lw 1.5 lt 1 title 'registers, by instructions', \
        data using 2:(of(p, 5)) skip 1 lw 1.5 lt 4 title 'registers, accumulators', \
        data using 2:(of(p, 6)) skip 1 lw 1.5 lt 2 title 'shared, by loads', \
        data using 2:(of(p, 7)) skip 1 lw 1.5 lt 3 title 'shared, by products'
    set yrange [0:1200]
    set ytics auto
    set ylabel p == 1 ? 'operands: pJ a cycle' : ''
    set xlabel 'cycle'
    plot data using 2:(of(p, 10)) skip 1 lw 1.5 lt 1 title 'register file', \
        data using 2:(of(p, 11)) skip 1 lw 1.5 lt 3 title 'shared memory'
    unset xlabel
}
unset multiplot
