// Runs beside what limits them from outside: the machine's issue slots and memory, and a real GPU where
// somebody has measured one.

// Warp instructions per cycle, and bytes per core cycle, that a machine cannot exceed.
function ceilings(p) {
  const n = (name) => Number(optionOf(p, name)), peak = n('gpu.sms') * n('sm.partitions');
  const bytes = optionOf(p, 'mem.simple') === 'true' ?
      n('mem.simple_b') * n('gpu.sms') :
      n('mem.channels') * n('mem.bus_b') * n('mem.dram_mhz') / n('gpu.core_mhz');
  return {peak, bytes};
}

function drawRoof(list) {
  const host = byId('roof-chart'), by = byId('roof-by').value, name = namer(list, true);
  host.replaceChildren();
  const rows = list.filter((p) => p.ok && p.ratios && p.ratios.dram_b > 0 && p.result.kernel_cycles > 0)
                   .map((p) => ({
                          p,
                          x: p.result.warp_insts / p.ratios.dram_b,
                          y: p.result.warp_insts / p.result.kernel_cycles,
                          ...ceilings(p)
                        }))
                   .filter((r) => r.peak > 0 && r.bytes > 0 && r.x > 0 && r.y > 0);
  if (!rows.length) return nothing(host, 'No run shown has moved anything to or from DRAM.');
  const keys = by === 'mechs' ? orderMechs(rows.map((r) => r.p.mechs)) :
                                distinct(rows.map((r) => r.p[by])).sort(natural);
  const style = by === 'mechs' ? mechStyle : (k) => seriesStyle(keys.indexOf(k));
  const from = lowest(rows.map((r) => Math.min(r.x, r.peak / r.bytes))) / 2,
        to = highest(rows.map((r) => Math.max(r.x, r.peak / r.bytes))) * 2;
  const roofs = [...groupBy(rows, (r) => `${r.peak} ${r.bytes}`).values()].slice(0, 6).map((g) => g[0]);
  const near = rows.filter((r) => r.y > 0.5 * Math.min(r.peak, r.x * r.bytes)).length;
  const gist = `Warp instructions per cycle over warp instructions per byte of DRAM: ${near} of ${
      rows.length} runs reach half of what issue slots or memory allow`;
  host.append(legend(keys.slice(0, COLOURS * PATTERNS), style, true));
  planeChart(host, {
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
    xName: 'warp instructions per byte of DRAM',
    yName: 'warp instructions per kernel cycle',
    gist
  });
  host.append(element(
      'figcaption', {},
      gist +
          '. Dashed: the slope is the memory of a machine, the level its issue slots. Far below both: latency, or waits inside of the SM.'));
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

function drawSilicon(list) {
  const host = byId('silicon-chart'),
        real = new Map(silicon.map((s) => [JSON.stringify([s.workload, s.size, s.gpu]), s.cycles])),
        name = namer(list, true);
  host.replaceChildren();
  const rows =
      list.filter((p) => p.ok)
          .map(
              (p) =>
                  ({p, x: real.get(JSON.stringify([p.workload, p.size, p.gpu])), y: p.result.kernel_cycles}))
          .filter((r) => r.x > 0 && r.y > 0);
  if (!rows.length) return nothing(host, 'No run shown was measured on a real GPU.');
  const mechs = orderMechs(rows.map((r) => r.p.mechs)), errors = rows.map((r) => Math.abs(r.y / r.x - 1));
  const r2 = correlation(rows.map((r) => ({x: Math.log(r.x), y: Math.log(r.y)})));
  const gist = `Kernel cycles of the model over those of a real GPU: ${rows.length} runs, mean error ${
                   percent(errors.reduce((a, b) => a + b, 0) / errors.length)}` +
      (r2 === null ? '' : `, correlation of logarithms ${r2.toFixed(3)}`);
  host.append(legend(mechs, mechStyle, true));
  planeChart(host, {
    log: true,
    marks: rows.map((r) => ({
                      x: r.x,
                      y: r.y,
                      style: mechStyle(r.p.mechs),
                      title: `${name(r.p)}: ${(r.y / r.x).toFixed(3)} of the real one's`
                    })),
    lines: DIAGONAL(rows.flatMap((r) => [r.x, r.y])),
    xName: 'cycles of the real GPU',
    yName: 'kernel cycles of the model',
    gist
  });
  host.append(element('figcaption', {}, gist + '.'));
  finishChart(host, 'Both as a table', {
    caption: gist,
    rows,
    columns: [
      {label: 'run', get: (r) => name(r.p), head: true}, {label: 'real', number: true, get: (r) => r.x},
      {label: 'model', number: true, get: (r) => r.y},
      {label: 'model over real', number: true, get: (r) => r.y / r.x}
    ]
  });
}
