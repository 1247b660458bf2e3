// SPDX-License-Identifier: Apache-2.0
// Options as axes: lines over one, a field over two, and what speed costs in energy or area.

// Options that runs of the list have different values of, named in what was asked for.
function sweptOptions(list) {
  const names = distinct(
      list.flatMap((p) => p.options.split(' ').filter(Boolean).map((o) => o.slice(0, o.indexOf('=')))));
  return names.filter((n) => distinct(list.map((p) => optionOf(p, n))).length > 1);
}

const SPEED = 'speed';  // cycles of the first value, without mechanisms, over cycles
const plainGroup = (p) => [p.workload, p.size, p.max_regs, p.code_order, p.gpu];
const combine = (values) =>
    values.every((v) => v > 0) ? geomean(values) : values.reduce((a, b) => a + b, 0) / values.length;

// A value for each cell (key of a run): over groups of runs that have all else in common. cells: Map key
// -> {values, n}. Groups that lack a cell which others have are left out, as long as any are complete, so
// that all cells are of the same programs.
function cellsOf(list, {cell, others, measureName, isFirst}) {
  const m = measureNamed(measureName),
        groups =
            groupBy(list, (p) => JSON.stringify([...plainGroup(p), ...others.map((o) => optionOf(p, o))]));
  const maps = [...groups.values()]
                   .map((g) => {
                     const first = g.find((p) => isFirst(p)), out = new Map();
                     for (const p of g) {
                       const value = measureName === SPEED ?
                           (first && cyclesOf(p) ? cyclesOf(first) / cyclesOf(p) : null) :
                           m ? m.get(p) :
                               null;
                       if (isNumber(value)) out.set(cell(p), value);
                     }
                     return out;
                   })
                   .filter((x) => x.size);
  const keys = distinct(maps.flatMap((x) => [...x.keys()])),
        whole = maps.filter((x) => x.size === keys.length), used = whole.length ? whole : maps;
  return {
    cells: new Map(keys.map((k) => [k, used.map((x) => x.get(k)).filter(isNumber)])
                       .filter(([, v]) => v.length)
                       .map(([k, v]) => [k, {value: combine(v), n: v.length}])),
    groups: used.length,
    left: maps.length - used.length
  };
}

const byValue = (a, b) =>
    isNumber(Number(a)) && isNumber(Number(b)) ? Number(a) - Number(b) : natural(String(a), String(b));
const measureTitle = (name) => name === SPEED ? `speed over the first value, by ${cyclesName()}` : name;

function fillAxes(list) {
  const options = sweptOptions(list), keep = (id, values, labels, first) => {
    const before = byId(id).value;
    fillSelect(byId(id), values, labels, values.includes(before) ? before : first);
  };
  keep('axes-x', options, null, options[0]);
  keep('axes-y2', options.filter((o) => o !== byId('axes-x').value), null, undefined);
  keep(
      'axes-by', ['mechs', 'workload', 'gpu', 'size', ...options.filter((o) => o !== byId('axes-x').value)],
      null, 'mechs');
  keep('axes-mech', orderMechs(list.map((p) => p.mechs)), null, 'base');
  for (const [id, kinds] of [['axes-y2', ['heat']], ['axes-by', ['lines']], ['axes-mech', ['heat']]])
    byId(id).parentElement.style.display = kinds.includes(byId('axes-kind').value) ? '' : 'none';
  return options;
}

function axesNote(host, r, what) {
  host.append(element(
      'figcaption', {},
      `${what}; each value over ${plural(r.groups, 'set')} of runs that are alike in all else` +
          (r.left ? `; ${plural(r.left, 'set')} that lack a value left out.` : '.')));
}

function drawLines(host, list, options, x, measureName) {
  const by = byId('axes-by').value, seriesOf = (p) => String(by in p ? p[by] : optionOf(p, by));
  const xs = distinct(list.map((p) => optionOf(p, x))).sort(byValue),
        others = options.filter((o) => o !== x && o !== by);
  const mechs = distinct(list.map((p) => p.mechs));
  const plain = mechs.includes('base') ? 'base' : mechs[0];
  const some = by === 'mechs' ? list : list.filter((p) => p.mechs === plain);
  // One value makes no line, and would keep programs out that have all of the others.
  const used = [...groupBy(some, seriesOf).values()]
                   .filter((g) => distinct(g.map((p) => optionOf(p, x))).length > 1)
                   .flat();
  if (!used.length) return nothing(host, 'Nothing has several values of it.');
  const series = by === 'mechs' ? orderMechs(used.map(seriesOf)) : distinct(used.map(seriesOf)).sort(byValue);
  const r = cellsOf(used, {
    cell: (p) => JSON.stringify([seriesOf(p), optionOf(p, x)]),
    others,
    measureName,
    isFirst: (p) => optionOf(p, x) === xs[0] && (by !== 'mechs' || p.mechs === plain) &&
        (by in p || optionOf(p, by) === series[0])
  });
  const style = (s) => by === 'mechs' ? mechStyle(s) : seriesStyle(series.indexOf(s)), rows = [], marks = [],
        lines = [];
  for (const s of series) {
    const points = xs.map((v, i) => [i, r.cells.get(JSON.stringify([s, v]))]).filter(([, c]) => c);
    for (const [i, c] of points) {
      rows.push({series: s, x: xs[i], value: c.value, n: c.n});
      marks.push({x: i, y: c.value, style: style(s), title: `${s}, ${x}=${xs[i]}: ${formatNumber(c.value)}`});
    }
    lines.push({points: points.map(([i, c]) => [i, c.value]), style: style(s), title: s});
  }
  if (!marks.length) return nothing(host, 'No run shown has both.');
  const gist = `${measureTitle(measureName)} over ${x}, one line for each of: ${series.join(', ')}`;
  host.append(legend(series, style, true));
  planeChart(host, {marks, lines, xNames: xs.map(String), xName: x, yName: measureTitle(measureName), gist});
  axesNote(host, r, gist + (by === 'mechs' ? '' : `; mechanisms: ${plain}`));
  finishChart(host, 'The lines as a table', {
    caption: gist,
    rows,
    columns: [
      {label: by, get: (o) => o.series, head: true}, {label: x, get: (o) => o.x},
      {label: measureName, number: true, get: (o) => o.value}, {label: 'runs', number: true, get: (o) => o.n}
    ]
  });
}

function drawHeat(host, list, options, x, measureName) {
  const y = byId('axes-y2').value, mech = byId('axes-mech').value,
        used = list.filter((p) => p.mechs === mech);
  if (!y) return nothing(host, 'A field needs two options with several values each.');
  const xs = distinct(used.map((p) => optionOf(p, x))).sort(byValue),
        ys = distinct(used.map((p) => optionOf(p, y))).sort(byValue);
  const r = cellsOf(used, {
    cell: (p) => JSON.stringify([optionOf(p, x), optionOf(p, y)]),
    others: options.filter((o) => o !== x && o !== y),
    measureName,
    isFirst: (p) => optionOf(p, x) === xs[0] && optionOf(p, y) === ys[0]
  });
  const cells = xs.flatMap((a, i) => ys.map((b, j) => ({x: i, y: j, c: r.cells.get(JSON.stringify([a, b]))})))
                    .filter((c) => c.c)
                    .map((c) => ({
                           x: c.x,
                           y: c.y,
                           value: c.c.value,
                           n: c.c.n,
                           title: `${x}=${xs[c.x]} ${y}=${ys[c.y]}: ${formatNumber(c.c.value)}`
                         }));
  if (!cells.length) return nothing(host, 'No run shown has both.');
  const best = cells.reduce((a, b) => b.value > a.value ? b : a);
  const gist = `${measureTitle(measureName)} over ${x} and ${y}, mechanisms ${mech}; highest ${
      formatNumber(best.value, 3)} at ${x}=${xs[best.x]} ${y}=${ys[best.y]}`;
  heatChart(host, {cells, xNames: xs.map(String), yNames: ys.map(String), xName: x, yName: y, gist});
  axesNote(host, r, gist);
  finishChart(host, 'The field as a table', {
    caption: gist,
    rows: cells,
    columns: [
      {label: x, get: (c) => xs[c.x], head: true}, {label: y, get: (c) => ys[c.y]},
      {label: measureName, number: true, get: (c) => c.value}, {label: 'runs', number: true, get: (c) => c.n}
    ]
  });
}

function drawAxes(list) {
  const host = byId('axes-chart'), has = list.filter((p) => p.ok), options = fillAxes(has),
        x = byId('axes-x').value;
  host.replaceChildren();
  if (!x) return nothing(host, 'No option has several values in the runs shown.');
  (byId('axes-kind').value === 'heat' ? drawHeat : drawLines)(
      host, has, options, x, byId('axes-measure').value);
}

// ---- what speed costs ----

const configOf = (p) => JSON.stringify([p.gpu, p.mechs, p.options]);
const configName = (p, list) =>
    namer(list.map((q) => ({...q, workload: ''})), false)({...p, workload: p.mechs}).replace(/^ · /, '');

// Machines (GPU, mechanisms, options) by speed and cost over a reference: for the programs that all of them
// have run, or where there is none, of machines that have run all programs of the reference.
function paretoRows(list, reference, cost) {
  const groups = [...groupBy(list.filter((p) => p.ok), configOf).values()].map(byProgram),
        ref = byProgram(list.filter((p) => p.ok && configOf(p) === reference));
  const costOf = (p) => cost === 'area' ? areas.get(p.result.machine) : p.result.energy_pj;
  const shared = [...ref.keys()].filter((k) => groups.every((g) => g.has(k))),
        programs = shared.length ? shared : [...ref.keys()];
  return groups
      .filter((g) => programs.every((k) => g.has(k) && costOf(g.get(k)) > 0 && costOf(ref.get(k)) > 0))
      .map((g) => ({
             p: [...g.values()][0],
             n: programs.length,
             speed: geomean(programs.map((k) => cyclesOf(ref.get(k)) / cyclesOf(g.get(k)))),
             cost: geomean(programs.map((k) => costOf(g.get(k)) / costOf(ref.get(k))))
           }))
      .filter((r) => isNumber(r.speed) && isNumber(r.cost));
}
const byProgram = (list) =>
    new Map(list.map((p) => [JSON.stringify([p.workload, p.size, p.max_regs, p.code_order]), p]));

// Rows that no other beats in both.
function frontier(rows) {
  let best = -Infinity;
  return [...rows]
      .sort((a, b) => a.cost - b.cost || b.speed - a.speed)
      .filter((r) => r.speed > best + 1e-9 && (best = r.speed));
}

function drawPareto(list) {
  const host = byId('pareto-chart'), ok = list.filter((p) => p.ok), groups = groupBy(ok, configOf);
  const ids = [...groups.keys()].sort(
      (a, b) => (groups.get(b)[0].mechs === 'base') - (groups.get(a)[0].mechs === 'base') ||
          groups.get(b).length - groups.get(a).length);
  const before = byId('pareto-ref').value, name = (p) => configName(p, ok);
  fillSelect(
      byId('pareto-ref'), ids, ids.map((i) => name(groups.get(i)[0])),
      ids.includes(before) ? before : ids[0]);
  host.replaceChildren();
  const cost = byId('pareto-cost').value, rows = paretoRows(list, byId('pareto-ref').value, cost);
  if (rows.length < 2)
    return nothing(host, 'There are no two machines with the same programs and that cost.');
  const front = frontier(rows), mechs = orderMechs(rows.map((r) => r.p.mechs));
  const costName =
      cost === 'area' ? 'area of the register access over the reference' : 'energy over the reference';
  const gist = `Speed against ${cost}: ${front.length} of ${
                   rows.length} machines are beaten by none in both, over ${plural(rows[0].n, 'program')}: ` +
      front.map((r) => `${name(r.p)} (${r.speed.toFixed(3)}, ${r.cost.toFixed(3)})`).slice(0, 6).join('; ') +
      (front.length > 6 ? '; …' : '');
  host.append(legend(mechs, mechStyle, true));
  planeChart(host, {
    marks: rows.map((r) => ({
                      x: r.cost,
                      y: r.speed,
                      style: mechStyle(r.p.mechs),
                      title: `${name(r.p)}\nspeed ${r.speed.toFixed(4)}, ${cost} ${r.cost.toFixed(4)}, ${
                          plural(r.n, 'program')}`
                    })),
    lines: [{
      points: front.map((r) => [r.cost, r.speed]),
      style: {colour: 'var(--muted)', pattern: 0},
      dash: '5 4',
      title: 'beaten by none'
    }],
    xName: costName,
    yName: `speed over the reference, by ${cyclesName()}`,
    gist
  });
  host.append(element('figcaption', {}, gist + '.'));
  finishChart(host, 'The machines as a table', {
    caption: gist.split(':')[0],
    rows,
    mark: (r) => front.includes(r),
    columns: [
      {label: 'machine', get: (r) => name(r.p), head: true},
      {label: 'speed', number: true, get: (r) => r.speed}, {label: cost, number: true, get: (r) => r.cost},
      {label: 'programs', number: true, get: (r) => r.n},
      {label: 'beaten by none', get: (r) => front.includes(r) ? 'yes' : ''}
    ]
  });
}
