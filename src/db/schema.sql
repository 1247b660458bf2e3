-- Results of Bankshot. docs/results.md tells what is in here; these are the tables, then the views.
-- A run is a measurement: one trace on one machine by one model. A point is a name for it: what somebody asked for.

-- What was replayed.
CREATE TABLE trace (
    id           INTEGER PRIMARY KEY,
    identity     TEXT NOT NULL UNIQUE,  -- digest of the content, 16 hex digits
    program      TEXT NOT NULL,         -- command line that was recorded
    maker        TEXT NOT NULL,
    partial      INTEGER NOT NULL,      -- 1: the recording did not come to its end
    file_b       INTEGER NOT NULL,
    warp_insts   INTEGER NOT NULL,
    thread_insts INTEGER NOT NULL
) STRICT;

CREATE TABLE trace_kernel (
    trace        INTEGER NOT NULL REFERENCES trace,
    kernel       INTEGER NOT NULL,
    name         TEXT NOT NULL,
    regs         INTEGER NOT NULL,      -- per thread
    shared_b     INTEGER NOT NULL,      -- static, per CTA
    local_b      INTEGER NOT NULL,      -- per thread
    insns        INTEGER NOT NULL,      -- static instructions
    spill_insns  INTEGER NOT NULL,
    PRIMARY KEY (trace, kernel)
) STRICT, WITHOUT ROWID;

CREATE TABLE trace_launch (
    trace        INTEGER NOT NULL REFERENCES trace,
    launch       INTEGER NOT NULL,
    kernel       INTEGER NOT NULL,
    ctas         INTEGER NOT NULL,      -- of the grid
    threads      INTEGER NOT NULL,      -- per CTA
    shared_b     INTEGER NOT NULL,      -- per CTA, static and dynamic
    warp_insts   INTEGER NOT NULL,
    thread_insts INTEGER NOT NULL,
    PRIMARY KEY (trace, launch)
) STRICT, WITHOUT ROWID;

-- What the streams add up to: class.FP32, space.global.bytes, active.full, ... (bankshot inspect shows the same).
CREATE TABLE trace_fact (
    trace        INTEGER NOT NULL REFERENCES trace,
    name         TEXT NOT NULL,
    value        INTEGER NOT NULL,
    PRIMARY KEY (trace, name)
) STRICT, WITHOUT ROWID;

-- A full effective configuration.
CREATE TABLE machine (
    id           INTEGER PRIMARY KEY,
    digest       TEXT NOT NULL UNIQUE   -- over the names and values
) STRICT;

CREATE TABLE option (
    machine      INTEGER NOT NULL REFERENCES machine,
    name         TEXT NOT NULL,         -- sm.banks
    value        TEXT NOT NULL,
    layer        TEXT NOT NULL,         -- default, preset, mech, user: who set it in the first run on this machine
    source       TEXT NOT NULL,         -- the file, or --set; '' for defaults
    PRIMARY KEY (machine, name)
) STRICT, WITHOUT ROWID;

-- Area of a machine's register access by part, of one SM.
CREATE TABLE area (
    machine      INTEGER NOT NULL REFERENCES machine,
    name         TEXT NOT NULL,
    mm2          REAL NOT NULL,
    PRIMARY KEY (machine, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE run (
    id           INTEGER PRIMARY KEY,
    key          TEXT NOT NULL UNIQUE,  -- digest over trace, machine and model
    trace        INTEGER NOT NULL REFERENCES trace,
    machine      INTEGER NOT NULL REFERENCES machine,
    workload     TEXT NOT NULL,         -- as it was first asked for: see point
    size         TEXT NOT NULL,
    max_regs     INTEGER NOT NULL,
    code_order   TEXT NOT NULL,
    gpu          TEXT NOT NULL,
    mechs        TEXT NOT NULL,
    options      TEXT NOT NULL,
    version      TEXT NOT NULL,         -- of the program
    model        TEXT NOT NULL,         -- digest of the sources that decide a result
    status       TEXT NOT NULL,         -- ok; refused, deadlock: there are no results but this and the reason
    reason       TEXT NOT NULL,
    cycles       INTEGER NOT NULL,      -- of the program, from its first launch's turn to its last one's end
    kernel_cycles INTEGER NOT NULL,     -- of these: in which at least one kernel runs
    warp_insts   INTEGER NOT NULL,
    thread_insts INTEGER NOT NULL,
    issue_cov    REAL NOT NULL,         -- coefficient of variation of issue over an SM's partitions, mean over SMs
    seconds      REAL NOT NULL,         -- host time
    finished     TEXT NOT NULL          -- UTC
) STRICT;

-- Counters of a run, by the names of bankshot list stats.
CREATE TABLE counter (
    run          INTEGER NOT NULL REFERENCES run,
    name         TEXT NOT NULL,
    value        INTEGER NOT NULL,
    PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID;

-- Distributions: a JSON list, or a list of lists, one for each SM.
CREATE TABLE distribution (
    run          INTEGER NOT NULL REFERENCES run,
    name         TEXT NOT NULL,
    list         TEXT NOT NULL,
    PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID;

-- Advice to the program's author: patterns in a run without mechanisms, the most costly first.
CREATE TABLE advice (
    run          INTEGER NOT NULL REFERENCES run,
    at           INTEGER NOT NULL,      -- 0: the first
    kernel       INTEGER NOT NULL,
    line         INTEGER NOT NULL,      -- of the source; 0: of the whole kernel
    rule         TEXT NOT NULL,
    gain         REAL NOT NULL,         -- at most this share of the kernel cycles
    what         TEXT NOT NULL,
    hint         TEXT NOT NULL,         -- what to try
    PRIMARY KEY (run, at)
) STRICT, WITHOUT ROWID;

CREATE TABLE kernel (
    run          INTEGER NOT NULL REFERENCES run,
    launch       INTEGER NOT NULL,
    start        INTEGER NOT NULL,      -- cycle of its turn
    cycles       INTEGER NOT NULL,      -- from there to its end
    kernel_cycles INTEGER NOT NULL,     -- of these: from its first CTA's start on
    PRIMARY KEY (run, launch)
) STRICT, WITHOUT ROWID;

-- The programs of a run, each with what is its own: one, or those that had the GPU together. The rows of `kernel` are the first one's.
CREATE TABLE tenant (
    run          INTEGER NOT NULL REFERENCES run,
    tenant       INTEGER NOT NULL,      -- 0: the first
    trace        INTEGER NOT NULL REFERENCES trace,
    cycles       INTEGER NOT NULL,      -- from the turn of its first launch to its end, or that of the run
    warp_insts   INTEGER NOT NULL,
    thread_insts INTEGER NOT NULL,
    passes       INTEGER NOT NULL,      -- times that it came to its end
    ctas         INTEGER NOT NULL,
    parked       INTEGER NOT NULL,      -- times that a CTA left its place
    switch_b     INTEGER NOT NULL,      -- bytes that this took
    limited      INTEGER NOT NULL,      -- scheduler cycles in which limits kept it back
    progress     TEXT NOT NULL,         -- JSON list: thread instructions after every 8192 cycles; where gpu.most_cyc is set
    PRIMARY KEY (run, tenant)
) STRICT, WITHOUT ROWID;

-- Energy of a run by part, where it is modelled.
CREATE TABLE energy (
    run          INTEGER NOT NULL REFERENCES run,
    name         TEXT NOT NULL,
    pj           REAL NOT NULL,
    PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID;

-- Profile of a run, where one was asked for: every static instruction of its kernels.
CREATE TABLE profile (
    run              INTEGER NOT NULL REFERENCES run,
    kernel           INTEGER NOT NULL,  -- of the trace
    insn             INTEGER NOT NULL,
    line             INTEGER NOT NULL,  -- of the source; 0: unknown
    text             TEXT NOT NULL,     -- the instruction
    source           TEXT NOT NULL,     -- that line, '' where it could not be read
    lanes            INTEGER NOT NULL,  -- active, over all issues
    bank_conflicts   INTEGER NOT NULL,  -- operand reads that waited for their bank
    read_wait        INTEGER NOT NULL,  -- cycles that these waited
    shared_conflicts INTEGER NOT NULL,  -- extra cycles in shared memory
    PRIMARY KEY (run, kernel, insn)
) STRICT, WITHOUT ROWID;

-- Scheduler cycles by instruction: issued, stall_alu, ... Over all instructions they add up to the counters of the run; cycles
-- without a warp belong to no instruction.
CREATE TABLE profile_stall (
    run          INTEGER NOT NULL REFERENCES run,
    kernel       INTEGER NOT NULL,
    insn         INTEGER NOT NULL,
    cause        TEXT NOT NULL,
    cycles       INTEGER NOT NULL,
    PRIMARY KEY (run, kernel, insn, cause)
) STRICT, WITHOUT ROWID;

-- Counters of a run over time, where that was asked for. ends: a JSON list with the cycle at which each row ends; the first begins at 0.
CREATE TABLE interval (
    run          INTEGER PRIMARY KEY REFERENCES run,
    every_cyc    INTEGER NOT NULL,      -- as it was asked for: rows end with a window of the model, and of very many some are joined
    ends         TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- list: JSON, what the counter grew by in each row. They add up to the counter; those that are 0 throughout are not there. Beside counters:
-- energy.PART in picojoules, and time.ps, the picoseconds that a row took: one over the other are watts.
CREATE TABLE interval_counter (
    run          INTEGER NOT NULL REFERENCES run,
    name         TEXT NOT NULL,
    list         TEXT NOT NULL,
    PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID;

-- Claims of papers, as bankshot repro last answered them from these results.
CREATE TABLE claim (
    id           TEXT PRIMARY KEY,
    paper        TEXT NOT NULL,
    text         TEXT NOT NULL,
    size         TEXT NOT NULL,         -- '': the experiment's own; another size of the workloads decides nothing
    unit         TEXT NOT NULL,
    paper_value  REAL,
    lo           REAL,                  -- lo to hi is what counts as reproduced
    hi           REAL,
    measured     REAL,                  -- NULL: was not, and why says what is missing
    why          TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What was asked for, and the newest run that answers it. Different points may share a run.
-- Results of another model that hold for a later one: a sample of the runs of this preset with these mechanisms gave equal results
-- (tools/repro-model --carry).
CREATE TABLE carried (
    model        TEXT NOT NULL,         -- that measured
    to_model     TEXT NOT NULL,
    gpu          TEXT NOT NULL,
    mechs        TEXT NOT NULL,
    code_order   TEXT NOT NULL,
    runs         INTEGER NOT NULL,      -- that there were
    sampled      INTEGER NOT NULL,      -- of them: run again
    PRIMARY KEY (model, to_model, gpu, mechs, code_order)
) STRICT, WITHOUT ROWID;

CREATE TABLE point (
    id           INTEGER PRIMARY KEY,
    workload     TEXT NOT NULL,         -- name in the suite, or the file's
    size         TEXT NOT NULL,         -- small, default, large; '' for a file
    max_regs     INTEGER NOT NULL,      -- registers per thread that the compiler was allowed; 0: no limit
    code_order   TEXT NOT NULL,         -- of instructions: 'scheduled'; 'ptx', as the PTX has them; 'sm1x', scheduled, with 32-bit addresses; 'ptx-sm1x': both; 'sm75': of machine code that nvcc made for sm_75; '' for a file
    gpu          TEXT NOT NULL,         -- preset
    mechs        TEXT NOT NULL,         -- 'base', or names with commas
    options      TEXT NOT NULL,         -- 'section.name=value ...' in the order of the options; '' for none
    run          INTEGER NOT NULL REFERENCES run,
    UNIQUE (workload, size, max_regs, code_order, gpu, mechs, options)
) STRICT;

CREATE INDEX point_run ON point (run);

-- ---- views ----

-- What is said of speed is said of kernel cycles; program_* is the same of the program's, with the launches' latency.
CREATE VIEW result AS
SELECT p.id AS point, p.workload, p.size, p.max_regs, p.code_order, p.gpu, p.mechs, p.options,
    r.id AS run, r.trace, r.machine, r.model, r.version, r.cycles, r.kernel_cycles, r.warp_insts, r.thread_insts,
    CAST(r.warp_insts AS REAL) / r.kernel_cycles AS ipc, CAST(r.warp_insts AS REAL) / r.cycles AS program_ipc, r.issue_cov,
    (SELECT sum(pj) FROM energy e WHERE e.run = r.id) AS energy_pj,
    r.seconds, r.finished
FROM point p JOIN run r ON r.id = p.run
WHERE r.status = 'ok' AND r.cycles > 0;

-- The words of a point's options; `policy` is the section, where that is the name of a policy which the point's machine has. (Options
-- of a policy have its name; another machine does not read them.)
CREATE VIEW option_word AS
SELECT p.id AS point, w.key AS at, w.value AS word,
    (SELECT max(o.value) FROM run r JOIN option o ON o.machine = r.machine
        WHERE r.id = p.run AND o.value = substr(w.value, 1, instr(w.value, '.') - 1)) AS policy
FROM point p, json_each(iif(p.options GLOB '*["\]*', '[]', '["' || replace(p.options, ' ', '","') || '"]')) w
WHERE p.options <> '';

-- The run that a point is compared with: without mechanisms, of the same trace and GPU, with the same options but for those of
-- policies that it does not have.
CREATE VIEW base_of AS
SELECT p.id AS point, coalesce(
    (SELECT b.id FROM point b JOIN run br ON br.id = b.run WHERE b.workload = p.workload AND b.size = p.size
        AND b.max_regs = p.max_regs AND b.code_order = p.code_order AND b.gpu = p.gpu AND b.mechs = 'base'
        AND b.options = p.options AND br.trace = r.trace AND br.model = r.model AND br.status = 'ok'),
    (SELECT b.id FROM point b JOIN run br ON br.id = b.run WHERE b.workload = p.workload AND b.size = p.size
        AND b.max_regs = p.max_regs AND b.code_order = p.code_order AND b.gpu = p.gpu AND b.mechs = 'base'
        AND br.trace = r.trace AND br.model = r.model AND br.status = 'ok'
        AND b.options = (SELECT coalesce(group_concat(word, ' '), '') FROM (SELECT word FROM option_word w WHERE w.point = p.id
            AND (w.policy IS NULL OR EXISTS (SELECT 1 FROM option o WHERE o.machine = br.machine AND o.value = w.policy))
            ORDER BY w.at))
        ORDER BY b.id LIMIT 1)) AS base
FROM point p JOIN run r ON r.id = p.run;

-- Over that run. variant: the mechanisms, with those options that the base does not read: each value of such an option is a design of
-- its own.
CREATE VIEW speedup AS
SELECT m.*, b.cycles AS base_cycles, b.kernel_cycles AS base_kernel_cycles,
    CAST(b.kernel_cycles AS REAL) / m.kernel_cycles AS speedup, CAST(b.cycles AS REAL) / m.cycles AS program_speedup,
    m.energy_pj / b.energy_pj AS energy_ratio, b.point AS base,
    m.mechs || CASE WHEN m.options = b.options THEN '' ELSE
        (SELECT coalesce(' ' || group_concat(word, ' '), '') FROM (SELECT word FROM option_word w WHERE w.point = m.point
            AND w.policy IS NOT NULL AND NOT EXISTS (SELECT 1 FROM option o WHERE o.machine = b.machine AND o.value = w.policy)
            ORDER BY w.at)) END AS variant
FROM result m JOIN base_of x ON x.point = m.point JOIN result b ON b.point = x.base;

-- Counters that the ratios need, one row a run. sched_cycles: of the schedulers, in kernel cycles.
CREATE VIEW wide AS
SELECT run,
    max(CASE name WHEN 'sm.cycles' THEN value END) - max(CASE name WHEN 'sm.stall_launch' THEN value END) AS sched_cycles,
    max(CASE name WHEN 'sm.issued' THEN value END) AS issued,
    max(CASE name WHEN 'sm.warp_insts' THEN value END) AS warp_insts,
    max(CASE name WHEN 'sm.thread_insts' THEN value END) AS thread_insts,
    max(CASE name WHEN 'sm.reg_reads' THEN value END) AS reg_reads,
    max(CASE name WHEN 'sm.reg_writes' THEN value END) AS reg_writes,
    max(CASE name WHEN 'sm.reg_read_wait' THEN value END) AS reg_read_wait,
    max(CASE name WHEN 'sm.bank_conflict' THEN value END) AS bank_conflict,
    max(CASE name WHEN 'sm.bank_busy' THEN value END) AS bank_busy,
    max(CASE name WHEN 'sm.shared_accesses' THEN value END) AS shared_accesses,
    max(CASE name WHEN 'sm.shared_conflicts' THEN value END) AS shared_conflicts,
    max(CASE name WHEN 'sm.l1_reads' THEN value END) AS l1_reads,
    max(CASE name WHEN 'sm.l1_read_hits' THEN value END) AS l1_read_hits,
    max(CASE name WHEN 'sm.load_cycles' THEN value END) AS load_cycles,
    max(CASE name WHEN 'sm.loads_done' THEN value END) AS loads_done,
    max(CASE name WHEN 'mem.l2_reads' THEN value END) AS l2_reads,
    max(CASE name WHEN 'mem.l2_read_hits' THEN value END) AS l2_read_hits,
    max(CASE name WHEN 'mem.dram_reads' THEN value END) AS dram_reads,
    max(CASE name WHEN 'mem.dram_writes' THEN value END) AS dram_writes,
    max(CASE name WHEN 'mem.dram_row_hits' THEN value END) AS row_hits,
    max(CASE name WHEN 'mem.dram_row_opens' THEN value END) AS row_opens,
    max(CASE name WHEN 'mem.dram_row_conflicts' THEN value END) AS row_conflicts
FROM counter GROUP BY run;

-- Where the scheduler cycles went while kernels ran, as shares of these; they add up to 1.
CREATE VIEW stall AS
SELECT r.point, r.workload, r.size, r.max_regs, r.code_order, r.gpu, r.mechs, r.options, r.run,
    substr(c.name, 4) AS cause, CAST(c.value AS REAL) / w.sched_cycles AS share
FROM result r
    JOIN wide w ON w.run = r.run AND w.sched_cycles > 0
    JOIN counter c ON c.run = r.run AND (c.name = 'sm.issued' OR c.name GLOB 'sm.stall_*') AND c.name <> 'sm.stall_launch';

-- The common ratios; NULL where there is nothing to divide by.
CREATE VIEW ratio AS
SELECT r.point, r.workload, r.size, r.max_regs, r.code_order, r.gpu, r.mechs, r.options, r.run, r.ipc,
    r.ipc / sms.value AS ipc_per_sm,
    CAST(w.issued AS REAL) / nullif(w.sched_cycles, 0) AS issue_utilisation,
    w.thread_insts / 32.0 / nullif(w.warp_insts, 0) AS simd_efficiency,
    r.issue_cov,
    CAST(w.reg_reads AS REAL) / nullif(w.warp_insts, 0) AS reg_reads_per_inst,
    CAST(w.reg_reads AS REAL) / r.kernel_cycles / sms.value AS reg_reads_per_cycle,  -- of one SM; 32 lanes each
    CAST(w.bank_conflict AS REAL) / nullif(w.warp_insts, 0) AS bank_conflicts_per_inst,
    CAST(w.bank_conflict AS REAL) / nullif(w.reg_reads, 0) AS bank_conflict_rate,
    CAST(w.reg_read_wait AS REAL) / nullif(w.warp_insts, 0) AS operand_wait_per_inst,
    CAST(w.bank_busy AS REAL) / r.kernel_cycles / (sms.value * partitions.value * banks.value) AS bank_utilisation,
    CAST(w.shared_conflicts AS REAL) / nullif(w.shared_accesses, 0) AS shared_conflicts_per_access,
    CAST(w.l1_read_hits AS REAL) / nullif(w.l1_reads, 0) AS l1_hit_rate,
    CAST(w.l2_read_hits AS REAL) / nullif(w.l2_reads, 0) AS l2_hit_rate,
    CAST(w.row_hits AS REAL) / nullif(w.row_hits + w.row_opens + w.row_conflicts, 0) AS row_hit_rate,
    CAST(w.load_cycles AS REAL) / nullif(w.loads_done, 0) AS load_latency,
    32 * (w.dram_reads + w.dram_writes) AS dram_b
FROM result r
    JOIN wide w ON w.run = r.run
    JOIN option sms ON sms.machine = r.machine AND sms.name = 'gpu.sms'
    JOIN option partitions ON partitions.machine = r.machine AND partitions.name = 'sm.partitions'
    JOIN option banks ON banks.machine = r.machine AND banks.name = 'sm.banks';

-- Counters over time, one row for each counter and interval.
CREATE VIEW over_time AS
WITH span AS (
    SELECT i.run, e.key AS step, coalesce(lag(e.value) OVER (PARTITION BY i.run ORDER BY e.key), 0) AS start, e.value AS end
    FROM interval i, json_each(i.ends) e)
SELECT c.run, v.key AS step, s.start, s.end, c.name, v.value
FROM interval_counter c, json_each(c.list) v JOIN span s ON s.run = c.run AND s.step = v.key;

-- Pairs of programs that had a GPU together, beside the runs of each alone on the same machine (gpu.share = alone) up to the same limits.
-- speed: of the first, cycles alone over cycles together for the same instructions, found in its progress alone where it came farther
-- alone; of the second, its instructions per cycle over those alone.
CREATE VIEW corun AS
WITH pair AS (
    SELECT p.id AS point, p.workload, p.size, p.code_order, p.gpu, p.mechs, p.options, r.id AS run, r.model, r.cycles,
        substr(p.workload, 1, instr(p.workload, '+') - 1) AS first, substr(p.workload, instr(p.workload, '+') + 1) AS second,
        share.value AS share, CAST(target.value AS REAL) AS target, insts.value AS insts, most.value AS most,
        a.cycles AS first_cycles, a.thread_insts AS first_insts, b.thread_insts AS second_insts, b.passes AS second_passes,
        a.parked + b.parked AS parked, a.switch_b + b.switch_b AS switch_b
    FROM point p JOIN run r ON r.id = p.run
        JOIN tenant a ON a.run = r.id AND a.tenant = 0 JOIN tenant b ON b.run = r.id AND b.tenant = 1
        JOIN option share ON share.machine = r.machine AND share.name = 'gpu.share'
        JOIN option target ON target.machine = r.machine AND target.name = 'share.target'
        JOIN option insts ON insts.machine = r.machine AND insts.name = 'gpu.insts'
        JOIN option most ON most.machine = r.machine AND most.name = 'gpu.most_cyc'
    WHERE r.status = 'ok'),
single AS (
    SELECT p.workload, p.size, p.code_order, p.gpu, p.mechs, r.model, insts.value AS insts, most.value AS most, t.cycles,
        t.thread_insts, t.progress
    FROM point p JOIN run r ON r.id = p.run JOIN tenant t ON t.run = r.id AND t.tenant = 0
        JOIN option share ON share.machine = r.machine AND share.name = 'gpu.share' AND share.value = 'alone'
        JOIN option insts ON insts.machine = r.machine AND insts.name = 'gpu.insts'
        JOIN option most ON most.machine = r.machine AND most.name = 'gpu.most_cyc'
    WHERE r.status = 'ok' AND instr(p.workload, '+') = 0
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8),
-- Both programs of a pair, with their runs alone.
half AS (
    SELECT p.point, 1 AS tenant, p.first_insts AS insts, f.cycles, f.thread_insts AS alone_insts, f.progress
    FROM pair p JOIN single f ON f.workload = p.first AND f.size = p.size AND f.code_order = p.code_order AND f.gpu = p.gpu AND f.mechs = p.mechs
        AND f.model = p.model AND f.insts = p.insts AND f.most = p.most
    WHERE p.first_insts > 0
    UNION ALL
    SELECT p.point, 2, p.second_insts, s.cycles, s.thread_insts, s.progress
    FROM pair p JOIN single s ON s.workload = p.second AND s.size = p.size AND s.code_order = p.code_order AND s.gpu = p.gpu AND s.mechs = p.mechs
        AND s.model = p.model AND s.insts = p.insts AND s.most = p.most),
-- The second begins again when it has ended: so many whole runs, and a part of one. The first goes on at its mean.
part AS (
    SELECT point, tenant, cycles, alone_insts, progress, insts, CASE tenant WHEN 1 THEN 0 ELSE insts / alone_insts END AS whole,
        CASE tenant WHEN 1 THEN insts ELSE insts % alone_insts END AS rest
    FROM half WHERE alone_insts > 0),
timed AS (
    SELECT point, tenant, whole * cycles + CASE WHEN entry IS NULL OR alone_insts <= rest THEN CAST(cycles AS REAL) * rest / alone_insts
        ELSE 8192 * (entry + CAST(rest - before AS REAL) / (after - before)) END AS alone_at
    FROM (SELECT *, coalesce((SELECT value FROM json_each(progress) WHERE key = entry - 1), 0) AS before,
            (SELECT value FROM json_each(progress) WHERE key = entry) AS after
        FROM (SELECT *, (SELECT min(key) FROM json_each(progress) WHERE value >= rest AND value > 0) AS entry FROM part)))
SELECT p.point, p.workload, p.size, p.gpu, p.mechs, p.options, p.run, p.first, p.second, p.share, p.target, p.cycles, p.first_cycles,
    p.first_insts, p.second_insts, p.second_passes, p.parked, p.switch_b, f.alone_at / p.first_cycles AS speed,
    s.alone_at / p.cycles AS second_speed, f.alone_at / p.first_cycles >= p.target - 0.01 AS met
FROM pair p JOIN timed f ON f.point = p.point AND f.tenant = 1 JOIN timed s ON s.point = p.point AND s.tenant = 2;
