WITH perf AS ( -- over 20 partitioned SMs, a quarter of 80
    SELECT m.workload, m.mechs, CAST(o.value AS INTEGER) AS sms, CAST(b.kernel_cycles AS REAL) / m.kernel_cycles AS speedup
    FROM asked JOIN result m USING (point) JOIN option o ON o.machine = m.machine AND o.name = 'gpu.sms'
        JOIN result b ON b.trace = m.trace AND b.model = m.model AND b.gpu = m.gpu AND b.mechs = 'base' AND b.options = 'gpu.sms=20'
), scales AS ( -- applications that a quarter more SMs speed up by at least 5%: the others are bound by what no SM has
    SELECT workload FROM perf WHERE mechs = 'base' AND sms = 25 AND speedup >= 1.05
), mean AS (
    SELECT mechs, sms, geomean(speedup) AS speedup, count(*) AS workloads
    FROM perf WHERE workload IN (SELECT workload FROM scales) GROUP BY mechs, sms
)
SELECT 4 * sms AS sms, max(CASE mechs WHEN 'base' THEN speedup END) AS partitioned, max(CASE mechs WHEN 'shuffle,subcore-rba-empty' THEN speedup END) AS 'shuffle,subcore-rba-empty',
    (SELECT speedup FROM mean WHERE mechs = 'subcore-fc') AS 'fully connected, 80', max(workloads) AS workloads
FROM mean GROUP BY sms ORDER BY sms;

-- Between two SM counts the mean is taken as a line; below the first one the answer is the first one.
WITH perf AS ( -- over 20 partitioned SMs, a quarter of 80
    SELECT m.workload, m.mechs, CAST(o.value AS INTEGER) AS sms, CAST(b.kernel_cycles AS REAL) / m.kernel_cycles AS speedup
    FROM asked JOIN result m USING (point) JOIN option o ON o.machine = m.machine AND o.name = 'gpu.sms'
        JOIN result b ON b.trace = m.trace AND b.model = m.model AND b.gpu = m.gpu AND b.mechs = 'base' AND b.options = 'gpu.sms=20'
), scales AS ( -- applications that a quarter more SMs speed up by at least 5%: the others are bound by what no SM has
    SELECT workload FROM perf WHERE mechs = 'base' AND sms = 25 AND speedup >= 1.05
), mean AS (
    SELECT mechs, sms, geomean(speedup) AS speedup, count(*) AS workloads
    FROM perf WHERE workload IN (SELECT workload FROM scales) GROUP BY mechs, sms
), step AS (
    SELECT mechs, sms, speedup, lead(sms) OVER w AS next_sms, lead(speedup) OVER w AS next_speedup, row_number() OVER w AS k
    FROM mean WHERE mechs <> 'subcore-fc' WINDOW w AS (PARTITION BY mechs ORDER BY sms)
), goal AS (
    SELECT speedup AS target FROM mean WHERE mechs = 'subcore-fc'
), match AS (
    SELECT mechs, min(CASE WHEN k = 1 AND speedup >= target THEN sms
        WHEN speedup < target AND next_speedup >= target
        THEN sms + (target - speedup) * (next_sms - sms) / (next_speedup - speedup) END) AS sms
    FROM step, goal GROUP BY mechs
)
SELECT 'partition.fig18.fc_equiv' AS claim, (SELECT 4 * sms FROM match WHERE mechs = 'base') AS value
UNION ALL
SELECT 'partition.fig18.design_equiv', (SELECT 4 * sms FROM match WHERE mechs = 'shuffle,subcore-rba-empty');
