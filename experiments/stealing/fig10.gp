set ylabel 'cycles an operand waits'
plot data using ($2 + $3):xtic(1) title '8 banks', '' using ($4 + $5) title '8 banks, stealing'
