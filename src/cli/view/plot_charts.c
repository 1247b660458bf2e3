/* SPDX-License-Identifier: Apache-2.0 */
/* The charts of bankshot plot. */
#include "cli/view/plot.h"

/* Points with a value of the option x, and what they are alike in besides it (and y): cell is compared within `alike`. */
#define SWEPT                                                                                                \
    "WITH v AS (SELECT c.*, ox.value AS xv, coalesce(oy.value, '') AS yv, "                                  \
    "CASE WHEN g.measure = 'speed' THEN NULL WHEN g.measure = 'ipc' THEN c.ipc WHEN g.measure = "            \
    "'energy_pj' THEN c.energy_pj "                                                                          \
    "WHEN g.measure = 'kernel_cycles' THEN c.kernel_cycles WHEN g.measure = 'cycles' THEN c.cycles "         \
    "ELSE (SELECT value FROM counter n WHERE n.run = c.run AND n.name = g.measure) END AS m, "               \
    "c.workload || '|' || c.size || '|' || c.max_regs || '|' || c.code_order || '|' || c.gpu || '|' || "     \
    "trim(replace(replace(' ' || c.options || ' ', ' ' || g.x || '=' || ox.value || ' ', ' '), "             \
    "' ' || g.y || '=' || coalesce(oy.value, '') || ' ', ' ')) AS alike "                                    \
    "FROM chosen c JOIN given g JOIN option ox ON ox.machine = c.machine AND ox.name = g.x "                 \
    "LEFT JOIN option oy ON oy.machine = c.machine AND oy.name = g.y), "                                     \
    "plain AS (SELECT mechs FROM v ORDER BY mechs <> 'base', mechs LIMIT 1), "

/* Speed: over the first value, without mechanisms, of runs that are alike. */
#define VALUED                                                                                               \
    "w AS (SELECT s.*, CASE WHEN g.measure = 'speed' THEN (SELECT CAST(b.time AS REAL) FROM s b WHERE "      \
    "b.alike = s.alike AND b.mechs "                                                                         \
    "= (SELECT mechs FROM plain) AND b.trace = s.trace ORDER BY CAST(b.xv AS REAL), b.xv, CAST(b.yv AS "     \
    "REAL), b.yv LIMIT 1) / s.time "                                                                         \
    "ELSE s.m END AS value FROM s JOIN given g), "                                                           \
    "whole AS (SELECT alike FROM w WHERE value IS NOT NULL GROUP BY alike HAVING count(DISTINCT cell) = "    \
    "(SELECT max(n) FROM (SELECT "                                                                           \
    "count(DISTINCT cell) AS n FROM w WHERE value IS NOT NULL GROUP BY alike))) "                            \
    "SELECT key, label, series, CASE WHEN min(value) > 0 THEN geomean(value) ELSE avg(value) END AS value "  \
    "FROM w WHERE alike IN "                                                                                 \
    "(SELECT alike FROM whole) AND value IS NOT NULL GROUP BY key, series "

/* Names of runs below the axis, upright, with the room that the longest one needs. */
#define NAMES "set xtics rotate by -90\nset bmargin longest * 0.42 + 1\n"
/* Parts on each other: more of them than the style has colours for, named beside the figure. */
#define STACK                                                                                                \
    NAMES "set style histogram rowstacked\nset boxwidth 0.8\nset key outside right center vertical maxcols " \
          "1\n"                                                                                              \
          "extra = '#7f3b08 #1b7837 #c51b7d #4d4d4d #8073ac #01665e #e08214 #35978f #de77ae'\n"              \
          "do for [i = 1:words(extra)] { set linetype 9 + i lc rgb word(extra, i) }\n"

/* Series that are marks, then those that are lines. */
#define MARKS                                                                                                \
    "plot for [i = 2:marks + 1] data using 1:i with points pt 7 ps 0.8 lt i - 1 title columnheader(i), "     \
    "for [i = marks + 2:columns + 1] data using 1:i with lines dt 2 lc rgb '#555555' title columnheader(i)"

const struct plot_chart plot_charts[] = {
    {
        .name = "speedup",
        .is_named = true,
        .help = "speedup over the base, by workload and mechanism, with the geometric mean",
        .query =
            "WITH s AS (SELECT trim(replace(c.name || ' ', substr(p.variant, length(c.mechs) + 1) || ' ', ' "
            "')) AS name, "
            "p.variant AS mechs, CASE WHEN (SELECT program FROM given) THEN p.program_speedup "
            "ELSE p.speedup END "
            "AS value FROM chosen c JOIN speedup p USING (point) WHERE c.mechs <> 'base') "
            "SELECT key, key, mechs, value FROM (SELECT name AS key, mechs, value, 0 AS o FROM s UNION ALL "
            "SELECT 'geometric mean', mechs, geomean(value), 1 FROM s GROUP BY mechs) ORDER BY o, key, mechs",
        .script = NAMES "set ylabel 'speedup over the base, by '.cycles\n"
                        "plot for [i = 2:columns + 1] data using i:xtic(1) title columnheader(i), 1 lc rgb "
                        "'#555555' notitle\n",
    },
    {
        .name = "curves",
        .help = "the same in order: how many workloads gain, and how much",
        .query =
            "WITH s AS (SELECT p.variant AS mechs, CASE WHEN (SELECT program FROM given) THEN "
            "p.program_speedup ELSE "
            "p.speedup END AS value "
            "FROM chosen c JOIN speedup p USING (point) WHERE c.mechs <> 'base'), r AS (SELECT mechs, value, "
            "row_number() OVER "
            "(PARTITION BY mechs ORDER BY value) - 1 AS at, count(*) OVER (PARTITION BY mechs) AS n FROM s) "
            "SELECT mechs || at, CASE WHEN n > 1 THEN 100.0 * at / (n - 1) ELSE 50.0 END, mechs, value FROM "
            "r ORDER BY mechs, at",
        .script = "set ylabel 'speedup over the base, by '.cycles\nset xlabel '% of the workloads'\nset "
                  "xtics norotate\n"
                  "plot for [i = 2:columns + 1] data using 1:i with linespoints pt 7 ps 0.5 lt i - 1 title "
                  "columnheader(i), 1 lc rgb "
                  "'#555555' notitle\n",
    },
    {
        .name = "stack",
        .is_named = true,
        .help = "where the scheduler cycles went, by run",
        .query = "SELECT c.name || ' ' || c.mechs AS key, c.name || ' ' || c.mechs, replace(replace(s.cause, "
                 "'stall_', ''), '_', ' '), "
                 "100 * s.share FROM chosen c JOIN stall s USING (point) WHERE s.cause IN (SELECT cause FROM "
                 "stall JOIN chosen USING "
                 "(point) GROUP BY cause HAVING max(share) > 0.01) ORDER BY c.name, c.mechs <> 'base', "
                 "c.mechs, s.cause <> 'issued', s.cause",
        .script = STACK "set yrange [0:100]\nset ylabel '% of "
                        "the kernel cycles'\n"
                        "plot for [i = 2:columns + 1] data using i:xtic(1) lt i - 1 title columnheader(i)\n",
    },
    {
        .name = "energy",
        .is_named = true,
        .help = "where the energy went, over that of the base where there is one",
        .query = "SELECT c.name || ' ' || c.mechs, c.name || ' ' || c.mechs, replace(e.name, '_', ' '), 100 "
                 "* e.pj / "
                 "coalesce((SELECT b.energy_pj FROM result b WHERE b.mechs = 'base' AND b.workload = "
                 "c.workload AND b.size = c.size AND "
                 "b.max_regs = c.max_regs AND b.code_order = c.code_order AND b.gpu = c.gpu AND b.options = "
                 "c.options), c.energy_pj) "
                 "FROM chosen c JOIN energy e USING (run) WHERE e.name IN (SELECT n.name FROM energy n JOIN "
                 "chosen k USING (run) GROUP "
                 "BY n.name HAVING max(n.pj / k.energy_pj) > 0.005) ORDER BY c.name, c.mechs <> 'base', "
                 "c.mechs, e.name",
        .script = STACK "set yrange [0:*]\nset ylabel '% of the "
                        "energy of the base'\n"
                        "plot for [i = 2:columns + 1] data using i:xtic(1) lt i - 1 title columnheader(i)\n",
    },
    {
        .name = "lines",
        .help = "a measure over the values of an option (--across), one line for each mechanism",
        .needs_x = true,
        .query = SWEPT "s AS (SELECT *, xv AS key, xv AS label, mechs AS series, mechs || '|' || xv AS cell "
                       "FROM v WHERE mechs IN "
                       "(SELECT mechs FROM v GROUP BY mechs HAVING count(DISTINCT xv) > 1)), " VALUED
                       "ORDER BY CAST(xv AS REAL), xv, series <> 'base', series",
        .script = "set ylabel measure\nset xlabel x\nset xtics norotate\nset offsets 0.3, 0.3, 0, 0\n"
                  "plot for [i = 2:columns + 1] data using 0:i:xtic(1) with linespoints pt 7 lw 2 lt i - 1 "
                  "title columnheader(i)\n",
    },
    {
        .name = "heat",
        .help =
            "a measure over the values of two options (--across, --up), of one mechanism (--mech, else base)",
        .needs_x = true,
        .needs_y = true,
        .query = SWEPT "s AS (SELECT *, yv AS key, yv AS label, xv AS series, xv || '|' || yv AS cell FROM v "
                       "WHERE mechs = (SELECT mechs "
                       "FROM plain)), " VALUED "ORDER BY CAST(yv AS REAL), yv, CAST(xv AS REAL), xv",
        .script =
            "set ylabel y\nset xlabel x\nset xtics norotate\nset cblabel measure\nunset key\nunset grid\n"
            "set palette defined (0 '#eef3f8', 1 '#2f6f9f')\n"
            "plot data matrix rowheaders columnheaders using 1:2:3 with image pixels, data matrix rowheaders "
            "columnheaders using "
            "1:2:(sprintf('%.4g', $3)) with labels\n",
    },
    {
        .name = "pareto",
        .lines = "beaten by none",
        .help = "speed against energy or area (--cost) of every machine, over the base",
        .query =
            "WITH p AS (SELECT c.*, gpu || ' ' || mechs || ' ' || options AS config, workload || '|' || size "
            "|| '|' || max_regs || "
            "'|' || code_order AS program, CASE WHEN g.cost = 'area' THEN (SELECT sum(mm2) FROM area a WHERE "
            "a.machine = c.machine) "
            "ELSE energy_pj END AS price FROM chosen c JOIN given g), "
            "shared AS (SELECT program FROM p GROUP BY program HAVING count(DISTINCT config) = (SELECT "
            "count(DISTINCT config) FROM "
            "p)), ref AS (SELECT config FROM p GROUP BY config ORDER BY max(mechs) <> 'base', count(*) DESC, "
            "config LIMIT 1), "
            "b AS (SELECT program, time, price FROM p WHERE config = (SELECT config FROM ref)), "
            "r AS (SELECT p.config, p.mechs, geomean(CAST(b.time AS REAL) / p.time) AS speed, "
            "geomean(p.price / b.price) AS cost "
            "FROM p JOIN b USING (program) WHERE program IN (SELECT program FROM shared) GROUP BY p.config) "
            "SELECT key, cost, series, speed FROM (SELECT config AS key, cost, mechs AS series, speed FROM r "
            "WHERE cost "
            "> 0 UNION ALL SELECT 'front' || config, cost, 'beaten by none', speed FROM r WHERE cost > 0 AND "
            "NOT EXISTS "
            "(SELECT 1 FROM r o WHERE o.speed >= r.speed AND o.cost <= r.cost AND (o.speed > r.speed OR "
            "o.cost < r.cost))) "
            "ORDER BY series = 'beaten by none', series <> 'base', series, cost",
        .script =
            "set xlabel cost.' over the reference'\nset ylabel 'speed over the reference, by '.cycles\nset "
            "xtics norotate\n"
            "set key noautotitle\n" MARKS "\n",
    },
    {
        .name = "roofline",
        .lines = "roof: ",
        .help =
            "warp instructions per cycle over those per byte of a memory (--memory), by workload, and the "
            "roofs",
        /* As the page's (report/roof.js): L2 is read and written on ways of their own, the busier one counts. */
        .query =
            "WITH n AS (SELECT machine, max(name = 'mem.simple' AND value = 'true') AS simple, "
            "sum(value * (name = 'gpu.sms')) AS sms, sum(value * (name = 'sm.partitions')) AS partitions, "
            "sum(value * (name = 'mem.simple_b')) AS simple_b, sum(value * (name = 'mem.channels')) AS "
            "channels, "
            "sum(value * (name = 'mem.bus_b')) AS bus_b, sum(value * (name = 'mem.dram_mhz')) * 1.0 "
            "/ sum(value * (name = 'gpu.core_mhz')) AS clock, sum(value * (name = 'mem.slices')) AS slices, "
            "sum(value * (name = 'mem.icnt_slice_b')) * CASE WHEN sum(value * (name = 'mem.l2_mhz')) > 0 "
            "THEN sum(value * (name = 'mem.l2_mhz')) * 1.0 / sum(value * (name = 'gpu.core_mhz')) ELSE 1 END "
            "AS slice_b FROM option GROUP BY machine), "
            "l2 AS (SELECT run, 32 * max(sum(value * (name = 'mem.l2_reads')), "
            "sum(value * (name IN ('mem.l2_writes', 'mem.l2_atomics')))) AS moved FROM counter GROUP BY "
            "run), "
            "m AS (SELECT c.*, CASE memory WHEN 'L2' THEN l2.moved ELSE r.dram_b END AS moved, "
            "sms * partitions * 1.0 AS peak, CASE WHEN memory = 'L2' THEN (NOT simple) * slices * slice_b "
            "WHEN simple THEN simple_b * sms ELSE channels * bus_b * clock END * 1.0 AS bytes "
            "FROM chosen c JOIN given JOIN ratio r USING (point) JOIN n USING (machine) "
            "LEFT JOIN l2 ON l2.run = c.run), "
            "p AS (SELECT *, CAST(warp_insts AS REAL) / moved AS x FROM m "
            "WHERE moved > 0 AND warp_insts > 0 AND bytes > 0), "
            "roof AS (SELECT DISTINCT peak, bytes, printf('roof: %g slots and %.4g B', peak, bytes) AS name "
            "FROM p LIMIT 6), "
            "ends AS (SELECT min(min(x, peak / bytes)) / 2 AS lo, max(max(x, peak / bytes)) * 2 AS hi FROM "
            "p) "
            "SELECT key, x, series, y FROM ("
            "SELECT point AS key, x, workload AS series, ipc AS y, 0 AS last FROM p "
            "UNION ALL SELECT name || '<', lo, name, lo * bytes, 1 FROM roof JOIN ends "
            "UNION ALL SELECT name, peak / bytes, name, peak, 1 FROM roof "
            "UNION ALL SELECT name || '>', hi, name, peak, 1 FROM roof JOIN ends) ORDER BY last, series, x",
        .script = "set logscale xy\nset autoscale xfix\nset xlabel 'warp instructions per byte of "
                  "'.memory\nset ylabel 'warp "
                  "instructions per kernel cycle'\n"
                  "set xtics norotate\n" MARKS "\n",
    },
};

const uint32_t plot_ncharts = sizeof plot_charts / sizeof *plot_charts;
