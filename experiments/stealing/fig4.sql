SELECT workload,
    max(CASE mechs WHEN 'base' THEN 100 * bank_utilisation END) AS '16 banks %',
    max(CASE mechs WHEN 'banks8' THEN 100 * bank_utilisation END) AS '8 banks %',
    max(CASE mechs WHEN 'banks8,steal' THEN 100 * bank_utilisation END) AS '8, stealing conflicts %',
    max(CASE mechs WHEN 'banks8,steal-idle' THEN 100 * bank_utilisation END) AS '8, stealing idle banks %'
FROM asked JOIN ratio USING (point) GROUP BY workload ORDER BY workload;

SELECT 'stealing.fig4' AS claim, 100 * avg(bank_utilisation) AS value FROM asked JOIN ratio USING (point) WHERE mechs = 'base'
UNION ALL
SELECT 'stealing.util', 100 * avg(bank_utilisation) FROM asked JOIN ratio USING (point) WHERE mechs = 'banks8,steal-idle';
