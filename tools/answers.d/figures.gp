# SPDX-License-Identifier: Apache-2.0
# Figures of docs/generated/answers.md. tools/answers.d/page.py writes the data before it: family, headroom and front, 0 (hopper) and 1
# (volta-accelsim), with their numbers of groups and mechanisms, and tiles.
set terminal svg enhanced size 1000, 430 font 'sans-serif,12' background rgb 'white'
blue = '#2f6f9f'
orange = '#d98032'
green = '#5a8f4e'
grey = '#9a9a9a'
colour(k) = k == 0 ? 0x2f6f9f : k == 1 ? 0x5a8f4e : 0xd98032
array gpu[2] = ['hopper', 'volta-accelsim']
set datafile separator "\t"
set border 3
set tics nomirror

# ---- headroom ----
set output 'answers-headroom.svg'
set multiplot layout 1, 2
set yrange [0:1.2]
set grid y lc rgb '#e2e2e2'
set key horizontal top center samplen 1
set xtics rotate by 35 right noenhanced
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb grey dt 2
do for [i = 0:1] {
    data = sprintf('$headroom%d', i)
    family = sprintf('$family%d', i)
    set xrange [-0.6:value(sprintf('groups%d', i)) - 0.4]
    set title gpu[i + 1] . ': cycles without a limit' noenhanced
    set ylabel i == 0 ? 'over the preset (95% interval)' : ''
    plot family using 1:(1):xtic(2) with points pt 0 notitle, \
        data using 2:3:4:5:(colour($1)) with yerrorbars pt 7 ps 0.6 lc rgb variable notitle, \
        NaN with points pt 7 lc rgb blue title 'register file', NaN with points pt 7 lc rgb green title 'fetch', NaN with points pt 7 lc rgb orange title 'memory'
}
unset multiplot

# ---- front ----
set terminal svg enhanced size 1000, 560 font 'sans-serif,12' background rgb 'white'
set output 'answers-front.svg'
set multiplot layout 1, 2
unset xtics
set xtics nomirror norotate
set ytics scale 0 font ',11' noenhanced
set xrange [*:*]
set grid x noytics lc rgb '#e2e2e2'
unset ylabel
unset arrow 1
set arrow 2 from first 1, graph 0 to first 1, graph 1 nohead lc rgb grey dt 2
do for [i = 0:1] {
    data = sprintf('$front%d', i)
    set yrange [value(sprintf('mechs%d', i)) - 0.3:-1.2]
    set title gpu[i + 1] . ': mechanisms over none' noenhanced
    set xlabel '95% interval; full: on the front'
    plot data using 2:($1 - 0.15):3:4 with xerrorbars pt 0 lc rgb blue notitle, \
        data using 5:($1 + 0.15):6:7 with xerrorbars pt 0 lc rgb orange notitle, \
        data using 2:($1 - 0.15):ytic(9) with points pt 6 ps 0.6 lc rgb blue notitle, \
        data using 5:($1 + 0.15) with points pt 6 ps 0.6 lc rgb orange notitle, \
        data using ($8 == 1 ? $2 : NaN):($1 - 0.15) with points pt 7 ps 0.6 lc rgb blue notitle, \
        data using ($8 == 1 ? $5 : NaN):($1 + 0.15) with points pt 7 ps 0.6 lc rgb orange notitle, \
        NaN with points pt 7 lc rgb blue title 'cycles', NaN with points pt 7 lc rgb orange title 'operand energy'
}
unset multiplot
unset arrow
set terminal svg enhanced size 1000, 430 font 'sans-serif,12' background rgb 'white'
set ytics autofreq scale 1

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
set offsets 0, 0, graph 0.25, 0
set grid noxtics y lc rgb '#e2e2e2'
set key vertical top right
set title 'moved for a tile of 128 x 128 x 64'
set ylabel 'KB'
plot $tiles using 2:xtic(1) title 'registers' lc rgb blue, '' using 3 title 'accumulators' lc rgb '#8db4d1', \
    '' using 4 title 'shared memory' lc rgb orange, '' using 5 title 'products from shared' lc rgb '#f0c49a'
set title 'energy of moving it'
set ylabel 'nJ'
plot $tiles using 6:xtic(1) title 'registers' lc rgb blue, '' using 7 title 'accumulators' lc rgb '#8db4d1', \
    '' using 8 title 'shared memory' lc rgb orange, '' using 9 title 'products from shared' lc rgb '#f0c49a'
unset multiplot
