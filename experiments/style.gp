# SPDX-License-Identifier: Apache-2.0
# What all figures share. Before this comes: format ('svg' or 'pdf'), data and out (files), rows (of the first table).
width = rows > 40 ? 900 + 14 * (rows - 40) : 900
if (!exists('height')) height = 420
if (format eq 'svg') {
    set terminal svg noenhanced size width, height font 'sans-serif,13' background rgb 'white'
} else {
    set terminal pdfcairo noenhanced size width / 100.0, height / 100.0 font 'sans,11'
}
set output out
set datafile separator "\t"
set datafile missing '?'
set key outside top center horizontal
set border 3
set tics nomirror
set grid y lc rgb '#cccccc'
set style fill solid 0.9 noborder
set style histogram clustered gap 1
set style data histograms
set linetype 1 lc rgb '#2f6f9f'
set linetype 2 lc rgb '#d98032'
set linetype 3 lc rgb '#5a9e5a'
set linetype 4 lc rgb '#9467a8'
set linetype 5 lc rgb '#8c8c8c'
set linetype 6 lc rgb '#b5495b'
set linetype 7 lc rgb '#6bb3b0'
set linetype 8 lc rgb '#c9b44c'
set linetype 9 lc rgb '#d9d9d9'
set xtics rotate by (rows > 40 ? -90 : -45) font ',10'
