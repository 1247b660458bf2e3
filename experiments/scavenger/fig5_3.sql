SELECT c.second, c.speed AS sgemm, c.second_speed AS other FROM asked JOIN corun c USING (point) ORDER BY c.second;
