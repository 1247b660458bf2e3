-- The 15 applications that RBA helps most, as in the paper.
WITH pair AS (
    SELECT f.workload, f.speedup AS fresh, s.speedup AS stale
    FROM (SELECT * FROM asked JOIN speedup USING (point) WHERE mechs = 'subcore-rba-empty' AND options = 'rba.score_cyc=0') f
    JOIN (SELECT * FROM asked JOIN speedup USING (point) WHERE mechs = 'subcore-rba-empty' AND options = 'rba.score_cyc=20') s USING (workload)
    ORDER BY f.speedup DESC LIMIT 15
)
SELECT workload, fresh AS 'rba', stale AS 'rba, 20 cycles late', 100 * (1 - stale / fresh) AS 'loss %' FROM pair;

WITH pair AS (
    SELECT f.workload, f.speedup AS fresh, s.speedup AS stale
    FROM (SELECT * FROM asked JOIN speedup USING (point) WHERE mechs = 'subcore-rba-empty' AND options = 'rba.score_cyc=0') f
    JOIN (SELECT * FROM asked JOIN speedup USING (point) WHERE mechs = 'subcore-rba-empty' AND options = 'rba.score_cyc=20') s USING (workload)
    ORDER BY f.speedup DESC LIMIT 15
)
SELECT 'partition.latency' AS claim, avg(100 * (1 - stale / fresh)) AS value FROM pair;
