-- issue_cov: standard deviation over mean of what an SM's partitions issued, mean over the SMs.
SELECT workload,
    avg(CASE mechs WHEN 'base' THEN issue_cov END) AS rr,
    avg(CASE mechs WHEN 'srr' THEN issue_cov END) AS srr,
    avg(CASE mechs WHEN 'shuffle' THEN issue_cov END) AS shuffle
FROM asked JOIN result USING (point) GROUP BY workload ORDER BY rr, workload;

SELECT 'partition.fig17.base' AS claim, avg(issue_cov) AS value FROM asked JOIN result USING (point) WHERE mechs = 'base'
UNION ALL
SELECT 'partition.fig17.srr', avg(issue_cov) FROM asked JOIN result USING (point) WHERE mechs = 'srr';
