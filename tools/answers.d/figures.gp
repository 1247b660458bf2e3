# Figures of docs/generated/answers.md. tools/answers.d/page.py writes the data before it: headroom0 and 1, front0 and 1 (hopper,
# volta-accelsim), tiles.
set terminal svg enhanced size 1000, 430 font 'sans-serif,12' background rgb 'white'
blue = '#2f6f9f'
orange = '#d98032'
green = '#5a8f4e'
grey = '#9a9a9a'
colour(k) = k == 0 ? 0x2f6f9f : k == 1 ? 0x5a8f4e : 0xd98032
array gpu[2] = ['hopper', 'volta-accelsim']
set border 3
set tics nomirror

# ---- headroom ----
set output 'answers-headroom.svg'
set multiplot layout 1, 2
set yrange [0:1.15]
set grid y lc rgb '#e2e2e2'
set key at graph 0.99, 0.16 right samplen 1
set xtics rotate by 35 right noenhanced
do for [i = 0:1] {
    data = sprintf('$headroom%d', i)
    set title gpu[i + 1] . ': cycles of a machine without a limit' noenhanced
    set ylabel i == 0 ? 'over the preset (95% interval)' : ''
    set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb grey dt 2
    plot @data using 2:($1 == 1 ? $3 : NaN):xtic(6) with points pt 7 ps 0.6 lc rgb green notitle, \
        @data using 2:3:4:5:(colour($1)) with yerrorbars pt 7 ps 0.6 lc rgb variable notitle, \
        NaN with points pt 7 lc rgb blue title 'register file', NaN with points pt 7 lc rgb green title 'fetch', NaN with points pt 7 lc rgb orange title 'memory'
}
unset multiplot

# ---- front ----
set output 'answers-front.svg'
set multiplot layout 1, 2
unset xtics
set xtics nomirror norotate
set yrange [*:*]
set xrange [*:*]
set grid x y lc rgb '#e2e2e2'
unset key
set arrow 2 from first 1, graph 0 to first 1, graph 1 nohead lc rgb grey dt 2
do for [i = 0:1] {
    data = sprintf('$front%d', i)
    set title gpu[i + 1] . ': full points are on the front' noenhanced
    set xlabel 'cycles over none (95% interval)'
    set ylabel i == 0 ? 'operand energy over none' : ''
    plot @data using 1:4:2:3:5:6 with xyerrorbars pt 0 lc rgb '#c9d7e2' notitle, \
        @data using 1:($7 == 0 ? $4 : NaN) with points pt 6 ps 0.8 lc rgb blue notitle, \
        @data using 1:($7 == 1 ? $4 : NaN) with points pt 7 ps 0.9 lc rgb orange notitle, \
        @data using 1:4:8 with labels noenhanced font ',9' offset 0.6, 0.5 left notitle
}
unset multiplot
unset arrow

# ---- products ----
set output 'answers-products.svg'
set multiplot layout 1, 2
set style data histograms
set style histogram rowstacked
set style fill solid 0.85 border rgb 'white'
set boxwidth 0.6
unset xlabel
set xtics noenhanced
set xrange [-0.6:2.6]
set yrange [0:*]
set grid noxtics y lc rgb '#e2e2e2'
set key top right
set title 'moved for a tile of 128 x 128 x 64'
set ylabel 'KB'
plot $tiles using 2:xtic(1) title 'registers' lc rgb blue, '' using 3 title 'accumulators' lc rgb '#8db4d1', \
    '' using 4 title 'shared memory' lc rgb orange, '' using 5 title 'products from shared' lc rgb '#f0c49a'
set title 'energy of moving it'
set ylabel 'nJ'
plot $tiles using 6:xtic(1) title 'registers' lc rgb blue, '' using 7 title 'accumulators' lc rgb '#8db4d1', \
    '' using 8 title 'shared memory' lc rgb orange, '' using 9 title 'products from shared' lc rgb '#f0c49a'
unset multiplot
