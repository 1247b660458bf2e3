// SPDX-License-Identifier: Apache-2.0
// Runs beside what limits them from outside: the machine's issue slots and memory, and a real GPU where
// somebody has measured one.

// Cycles of L2's clock in one of the SMs; older results do not have it.
const l2Clock = (n) => n('mem.l2_mhz') > 0 ? n('mem.l2_mhz') / n('gpu.core_mhz') : 1;

// A memory: bytes of it that a run has moved, and bytes per core cycle that it has at most. L2 is read and
// written on ways of their own: the busier one counts.
const MEMORIES = {
  DRAM: {
    moved: (p) => p.ratios ? p.ratios.dram_b : 0,
    rate: (p, n) => optionOf(p, 'mem.simple') === 'true' ?
        n('mem.simple_b') * n('gpu.sms') :
        n('mem.channels') * n('mem.bus_b') * n('mem.dram_mhz') / n('gpu.core_mhz')
  },
  L1: {
    moved: (p) => 32 * (counterOf(p, 'sm.l1_reads') + counterOf(p, 'sm.l1_writes')),
    rate: (p, n) => 128 * n('gpu.sms') * (optionOf(p, 'sm.l1_words') === 'true' ? 1 : n('sm.l1_lines'))
  },
  L2: {
    moved: (p) => 32 *
        Math.max(
            counterOf(p, 'mem.l2_reads'), counterOf(p, 'mem.l2_writes') + counterOf(p, 'mem.l2_atomics')),
    rate: (p, n) => optionOf(p, 'mem.simple') === 'true' ? 0 : n('mem.slices') * n('mem.icnt_slice_b') * l2Clock(n)
  }
};
// Operations of a trace by kind, and the most that a machine does in a cycle (light.js); kinds with little of
// the work do not raise the roof.
const flopsOf = new Map(objects(data.flops).map((f) => [f.trace, data.light.kinds.map((k) => f[k])]));
function work(p, what) {
  if (what === 'instructions') {
    const n = (name) => Number(optionOf(p, name));
    return {done: p.result.warp_insts, peak: n('gpu.sms') * n('sm.partitions')};
  }
  const flops = flopsOf.get(p.result.trace), light = lights.get(p.run);
  if (!flops || !light) return {done: 0, peak: 0};
  const done = flops.reduce((a, b) => a + b, 0);
  return {done, peak: highest(light.roofs.map((r, i) => flops[i] > 0.1 * done ? r : 0))};
}
const memoryUsed = (m) => points.some((p) => p.ok && MEMORIES[m].moved(p) > 0);

// Warp instructions per cycle, and bytes per core cycle, that a machine cannot exceed.
function ceilings(p, memory, what) {
  const n = (name) => Number(optionOf(p, name));
  return {...work(p, what), bytes: MEMORIES[memory].rate(p, n)};
}

function drawRoof(list) {
  const host = byId('roof-chart'), by = byId('roof-by').value, memory = byId('roof-memory').value,
        what = byId('roof-work').value, flop = what !== 'instructions', name = namer(list, true);
  const unit = flop ? 'floating-point operations' : 'warp instructions';
  host.replaceChildren();
  const rows =
      list.filter((p) => p.ok && p.result.kernel_cycles > 0)
          .map((p) => ({p, ...ceilings(p, memory, what)}))
          .map((r) => ({...r, x: r.done / MEMORIES[memory].moved(r.p), y: r.done / r.p.result.kernel_cycles}))
          .filter((r) => r.peak > 0 && r.bytes > 0 && r.x > 0 && isNumber(r.x) && r.y > 0);
  if (!rows.length)
    return nothing(
        host,
        `No run shown has moved anything to or from ${memory}` +
            (flop ? ' and has operations that were counted.' : '.'));
  const keys = by === 'mechs' ? orderMechs(rows.map((r) => r.p.mechs)) :
                                distinct(rows.map((r) => r.p[by])).sort(natural);
  const style = by === 'mechs' ? mechStyle : (k) => seriesStyle(keys.indexOf(k));
  const from = lowest(rows.map((r) => Math.min(r.x, r.peak / r.bytes))) / 2,
        to = highest(rows.map((r) => Math.max(r.x, r.peak / r.bytes))) * 2;
  const roofs = [...groupBy(rows, (r) => `${r.peak} ${r.bytes}`).values()].slice(0, 6).map((g) => g[0]);
  const near = rows.filter((r) => r.y > 0.5 * Math.min(r.peak, r.x * r.bytes)).length;
  const gist = `${
      flop ? 'Floating-point operations' : 'Warp instructions'} per cycle over those per byte of ${memory}: ${
      near} of ${rows.length} runs reach half of what ${flop ? 'units' : 'issue slots'} or memory allow`;
  host.append(legend(keys.slice(0, COLOURS * PATTERNS), style, true));
  planeChart(
      host, {
        log: true,
        marks: rows.map((r) => ({
                          x: r.x,
                          y: r.y,
                          style: style(r.p[by]),
                          title: `${name(r.p)}\n${formatNumber(r.y)} of ${
                              formatNumber(Math.min(r.peak, r.x * r.bytes))} per cycle`
                        })),
        lines: roofs.map((r) => ({
                           full: true,
                           dash: '6 3',
                           style: {colour: 'var(--muted)', pattern: 0},
                           title: `${r.peak} per cycle, ${formatNumber(r.bytes)} bytes per cycle`,
                           points: [[from, from * r.bytes], [r.peak / r.bytes, r.peak], [to, r.peak]]
                         })),
        notes: roofs.length === 1 ?
            [
              {
                x: to,
                y: roofs[0].peak,
                text: `${formatNumber(roofs[0].peak)} ${flop ? 'operations' : 'issue slots'}`,
                anchor: 'end'
              },
              {
                x: from,
                y: Math.min(roofs[0].peak, from * roofs[0].bytes),
                text: `${formatNumber(Math.round(roofs[0].bytes))} bytes of ${memory} per cycle`,
                anchor: 'start',
                below: true
              }
            ] :
            [],
        xName: `${unit} per byte of ${memory}`,
        yName: `${unit} per kernel cycle`,
        gist
      });
  host.append(element(
      'figcaption', {},
      gist + '. Dashed: the slope is the memory of a machine, the level ' +
          (flop ? 'its units for most of the operations (single or double precision, tensor cores)' :
                  'its issue slots') +
          '. Far below both: latency, or waits inside of the SM.'));
  finishChart(host, 'The roofline as a table', {
    caption: gist,
    rows,
    columns: [
      {label: 'run', get: (r) => name(r.p), head: true}, {label: 'per byte', number: true, get: (r) => r.x},
      {label: 'per cycle', number: true, get: (r) => r.y},
      {label: 'roof', number: true, get: (r) => Math.min(r.peak, r.x * r.bytes)},
      {label: '% of roof', number: true, get: (r) => 100 * r.y / Math.min(r.peak, r.x * r.bytes)}
    ]
  });
}

// ---- a real GPU, or a paper ----

const DIAGONAL = (values) => {
  const lo = lowest(values), hi = highest(values);
  return [{
    points: [[lo, lo], [hi, hi]],
    full: true,
    dash: '5 4',
    style: {colour: 'var(--muted)', pattern: 0},
    title: 'equal'
  }];
};

// Under the conditions of the measurement: a profiler empties the caches, and has its own clock.
const WARM = 'caches kept', COLD = 'caches emptied before each launch';
const conditionOf = (p) => optionOf(p, 'gpu.l2_flush') === 'true' ? COLD : WARM;

function drawSilicon(list) {
  const host = byId('silicon-chart'),
        real = new Map(silicon.map((s) => [JSON.stringify([s.workload, s.size, s.gpu]), s])),
        name = namer(list, false);
  host.replaceChildren();
  const rows = list.filter((p) => p.ok && p.mechs === 'base')
                   .map((p) => {
                     const of = real.get(JSON.stringify([p.workload, p.size, p.gpu])),
                           kernels = kernelSums.get(p.run) || [];
                     return {
              p,
              x: of && kernels.reduce((n, k) => n + k.launches, 0) === of.launches ? of.cycles : 0,
              y: kernels.reduce((sum, k) => sum + k.cycles, 0),
              as: conditionOf(p)
            };
                   })
                   .filter((r) => r.x > 0 && r.y > 0);
  if (!rows.length) return nothing(host, 'No run shown was measured on a real GPU.');
  const errors = rows.map((r) => Math.abs(r.y / r.x - 1)),
        kinds = [COLD, WARM].filter((k) => rows.some((r) => r.as === k));
  const style = (k) => seriesStyle(k === COLD ? 0 : 1);
  const r2 = correlation(rows.map((r) => ({x: Math.log(r.x), y: Math.log(r.y)})));
  const gist = `Cycles of the model over those of a real GPU: ${plural(rows.length, 'run')}, mean error ${
                   percent(errors.reduce((a, b) => a + b, 0) / errors.length)}` +
      (r2 === null ? '' : `, correlation of logarithms ${r2.toFixed(3)}`);
  host.append(legend(kinds, style, true));
  planeChart(host, {
    log: true,
    marks: rows.map((r) => ({
                      x: r.x,
                      y: r.y,
                      style: style(r.as),
                      title: `${name(r.p)}: ${(r.y / r.x).toFixed(3)} of the real one's`
                    })),
    lines: DIAGONAL(rows.flatMap((r) => [r.x, r.y])),
    xName: 'cycles of the real GPU',
    yName: 'cycles of the model',
    gist
  });
  host.append(element(
      'figcaption', {},
      gist + '.' +
          (kinds.includes(WARM) ?
               ' Runs that keep their caches from launch to launch, or have another clock, are beside it only roughly: docs/silicon.md has the conditions.' :
               '')));
  finishChart(host, 'Both as a table', {
    caption: gist,
    rows,
    columns: [
      {label: 'run', get: (r) => name(r.p), head: true}, {label: 'conditions', get: (r) => r.as},
      {label: 'real', number: true, get: (r) => r.x}, {label: 'model', number: true, get: (r) => r.y},
      {label: 'model over real', number: true, get: (r) => r.y / r.x}
    ]
  });
}
