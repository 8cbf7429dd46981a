# planar_ladder_times.svg from planar_ladder_times.csv: gnuplot planar_ladder_times.gp
reset
set terminal svg size 440,355 font 'Arial,13' background rgb 'white' enhanced
set encoding utf8
set output 'planar_ladder_times.svg'
set datafile separator ','
set border 3 lw 0.8 lc rgb '#5b6470'
set tics nomirror out scale 0.6
set grid lw 0.6 lc rgb '#e0e4e9'
set key below center horizontal samplen 2.2 height 0.4
set xlabel 'loops'
set logscale x
set format x '10^{%L}'
set ylabel 'time per body'.' ('.'ns'.')'
set logscale y
set format y '10^{%L}'
plot 'planar_ladder_times.csv' skip 1 every ::0::3 using 2:3 with linespoints lw 1.8 pt 7 ps 0.5 lc rgb '#0072b2' title 'hamiltree recursive', \
     'planar_ladder_times.csv' skip 1 every ::4::6 using 2:3 with linespoints lw 1.8 pt 7 ps 0.5 lc rgb '#d55e00' title 'Simbody', \
     'planar_ladder_times.csv' skip 1 every ::7::9 using 2:3 with linespoints lw 1.8 pt 7 ps 0.5 lc rgb '#009e73' title 'Pinocchio', \
     'planar_ladder_times.csv' skip 1 every ::10::12 using 2:3 with linespoints lw 1.8 pt 7 ps 0.5 lc rgb '#c567a0' title 'MuJoCo', \
     'planar_ladder_times.csv' skip 1 every ::13::16 using 2:3 with linespoints lw 1.8 pt 7 ps 0.5 lc rgb '#3c434c' title 'hamiltree aba'
