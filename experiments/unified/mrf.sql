WITH n AS (SELECT r.workload, r.code_order AS ord, r.mechs, r.warp_insts, sum(c.value) AS accesses, sum(CASE c.name WHEN 'sm.reg_reads' THEN c.value END) AS reads,
        sum(CASE c.name WHEN 'sm.reg_writes' THEN c.value END) AS writes
        FROM asked JOIN result r USING (point) JOIN counter c ON c.run = r.run AND c.name IN ('sm.reg_reads', 'sm.reg_writes') GROUP BY r.run),
    x AS (SELECT h.workload, 100 * (1 - 1.0 * h.accesses / f.accesses) AS saved, 100 * (1 - 1.0 * h.reads / f.reads) AS reads, 100 * (1 - 1.0 * h.writes / f.writes) AS writes
        FROM n h JOIN n f ON f.workload = h.workload AND f.ord = h.ord AND f.mechs = 'flat' WHERE h.mechs = 'base')
SELECT workload, saved AS 'accesses saved %', reads AS 'reads saved %', writes AS 'writes saved %' FROM x
UNION ALL SELECT 'average', avg(saved), avg(reads), avg(writes) FROM x;

WITH n AS (SELECT r.workload, r.code_order AS ord, r.mechs, r.warp_insts, sum(c.value) AS accesses, sum(CASE c.name WHEN 'sm.reg_reads' THEN c.value END) AS reads,
        sum(CASE c.name WHEN 'sm.reg_writes' THEN c.value END) AS writes
        FROM asked JOIN result r USING (point) JOIN counter c ON c.run = r.run AND c.name IN ('sm.reg_reads', 'sm.reg_writes') GROUP BY r.run),
    x AS (SELECT h.workload, 100 * (1 - 1.0 * h.accesses / f.accesses) AS saved, 100 * (1 - 1.0 * h.reads / f.reads) AS reads, 100 * (1 - 1.0 * h.writes / f.writes) AS writes
        FROM n h JOIN n f ON f.workload = h.workload AND f.ord = h.ord AND f.mechs = 'flat' WHERE h.mechs = 'base')
SELECT 'unified.mrf' AS claim, avg(saved) AS value FROM x;
