set ylabel 'area, mm^2'
set style histogram rowstacked
plot data using 2:xtic(1) title 'cells', '' using 3 title 'periphery', '' using 4 title 'crossbar', '' using 5 title 'arbiter'
