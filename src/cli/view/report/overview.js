// SPDX-License-Identifier: Apache-2.0
// Sections over many runs: speedups, two measures, the tables.

const MANY = 40;  // groups or bars that a chart shows before it is asked for more
const shownAll = {
  speedup: false,
  stalls: false,
  energy: false,
  pairs: false
};

function moreButton(host, which, left, again) {
  if (left > 0)
    host.append(element(
        'button', {
          type: 'button',
          class: 'more',
          click: () => {
            shownAll[which] = true;
            again();
          }
        },
        `Show ${left} more`));
}

function nothing(host, text) {
  host.append(element('p', {class: 'note'}, text));
}

// Why there is no speedup to show.
function whyNoSpeedup(list) {
  const mechs = list.filter((p) => p.mechs !== 'base');
  if (!mechs.length) return 'There are no mechanisms to compare: all runs shown are base runs.';
  if (!mechs.some((p) => p.ok))
    return 'No run with a mechanism has a result: they were refused or deadlocked.';
  return `No run shown has a base, such as ${
             pointName(mechs[0])}: a run without mechanisms of the same program and GPU, with the ` +
      'same options but for those that it does not read. A sweep that lists base among its mechs has them.';
}

// ---- speedup ----

function speedupRows(list) {
  const shown = list.map((p) => ({of: p, ...p, options: sharedOptions(p)})), name = namer(shown),
        groups = new Map();
  for (const s of shown)
    if (isNumber(s.of.speedup) && s.mechs !== 'base') {
      const key = name(s);
      if (!groups.has(key)) groups.set(key, {name: key, by: new Map()});
      groups.get(key).by.set(variantOf(s.of), s.of.speedup);
    }
  return [...groups.values()];
}

function drawSpeedup(list) {
  const host = byId('speedup-chart'), rows = speedupRows(list),
        mechs = orderMechs(rows.flatMap((r) => [...r.by.keys()]));
  host.replaceChildren();
  if (!rows.length) return nothing(host, whyNoSpeedup(list));
  const order = byId('speedup-order').value, best = (r) => highest([...r.by.values()]),
        worst = (r) => lowest([...r.by.values()]);
  rows.sort(
      order === 'best'      ? (a, b) => best(b) - best(a) :
          order === 'worst' ? (a, b) => worst(a) - worst(b) :
                              (a, b) => natural(a.name, b.name));
  const means = mechs.map((m) => rows.map((r) => r.by.get(m)).filter(isNumber))
                    .map((v) => ({mean: geomean(v), n: v.length}));
  const bars = (get, name) => mechs.flatMap(
      (m, i) => isNumber(get(m, i)) ?
          [{value: get(m, i), style: mechStyle(m), title: `${name}, ${m}: ${get(m, i).toFixed(4)}`}] :
          []);
  const most = shownAll.speedup ? rows.length : MANY;
  const gist = `Speedup over the base, by ${cyclesName()}, geometric means: ` +
      mechs.map((m, i) => `${m} ${means[i].mean.toFixed(3)}`).join(', ');
  host.append(legend(mechs, mechStyle));
  if (byId('speedup-form').value === 'curves') {
    drawCurves(host, rows, mechs, gist);
  } else {
    barChart(host, {
      origin: 1,
      gist,
      groups: [
        {name: 'geometric mean', bold: true, bars: bars((m, i) => means[i].mean, 'geometric mean')},
        ...rows.slice(0, most).map((r) => ({name: r.name, bars: bars((m) => r.by.get(m), r.name)}))
      ],
    });
    moreButton(host, 'speedup', rows.length - most, () => drawSpeedup(list));
  }
  const sums = [
    ['geometric mean', geomean], ['mean', (v) => v.reduce((a, b) => a + b, 0) / v.length], ['lowest', lowest],
    ['highest', highest], ['workloads', (v) => v.length]
  ];
  const all = [
    ...rows,
    ...sums.map(
        ([name, f]) =>
            ({name, by: new Map(mechs.map((m) => [m, f(rows.map((r) => r.by.get(m)).filter(isNumber))]))}))
  ];
  finishChart(host, 'The speedups as a table', {
    caption: `Speedup over the base, by ${cyclesName()}`,
    rows: all,
    state: {all: true},
    columns: [
      {label: 'workload', get: (r) => r.name, head: true, fixed: true},
      ...mechs.map((m) => ({label: m, number: true, fixed: true, get: (r) => r.by.get(m)}))
    ]
  });
}

// Each mechanism's speedups in order: how many programs gain, and how much.
function drawCurves(host, rows, mechs, gist) {
  const lines = mechs.map((m) => {
    const of = rows.filter((r) => isNumber(r.by.get(m))).sort((a, b) => a.by.get(m) - b.by.get(m));
    return {m, of, points: of.map((r, i) => [of.length > 1 ? 100 * i / (of.length - 1) : 50, r.by.get(m)])};
  });
  const values = lines.flatMap((l) => l.points.map((p) => p[1])), usual = usualRange(values);
  const inside = (v) => Math.max(usual[0], Math.min(usual[1], v));
  planeChart(host, {
    marks: lines.flatMap((l) => l.points.map(([x, y], i) => ({
                                               x,
                                               y: inside(y),
                                               style: mechStyle(l.m),
                                               title: `${l.of[i].name}, ${l.m}: ${y.toFixed(4)}`
                                             }))),
    lines: lines.map(
        (l) => ({points: l.points.map(([x, y]) => [x, inside(y)]), style: mechStyle(l.m), title: l.m})),
    xName: '% of the workloads, in the order of their speedup',
    yName: 'speedup',
    gist
  });
  const cut = values.filter((v) => inside(v) !== v).length;
  if (cut)
    host.append(element('figcaption', {}, `${plural(cut, 'value')} beyond the axis shown at its end.`));
}

// ---- two measures ----

function correlation(marks) {
  const n = marks.length, mean = (k) => marks.reduce((s, m) => s + m[k], 0) / n, mx = mean('x'),
        my = mean('y');
  const sum = (f) => marks.reduce((s, m) => s + f(m), 0);
  const sxy = sum((m) => (m.x - mx) * (m.y - my)), sxx = sum((m) => (m.x - mx) ** 2),
        syy = sum((m) => (m.y - my) ** 2);
  return n > 2 && sxx > 0 && syy > 0 ? sxy / Math.sqrt(sxx * syy) : null;
}

function drawScatter(list) {
  const host = byId('scatter-chart'), by = byId('scatter-by').value, log = byId('scatter-log').checked;
  const mx = measureNamed(byId('scatter-x').value), my = measureNamed(byId('scatter-y').value);
  host.replaceChildren();
  if (!mx || !my) return nothing(host, 'There are no numbers.');
  const has = list.filter((p) => [mx.get(p), my.get(p)].every((v) => isNumber(v) && (!log || v > 0)));
  if (!has.length) return nothing(host, 'No run shown has both.');
  const name = namer(list, true),
        keys = by === 'mechs' ? orderMechs(has.map((p) => p.mechs)) :
                                distinct(has.map((p) => p[by])).sort(natural);
  const style = by === 'mechs' ? mechStyle : (k) => seriesStyle(keys.indexOf(k));
  const marks = has.map(
      (p) => ({
        x: mx.get(p),
        y: my.get(p),
        style: style(p[by]),
        title: `${name(p)}\n${mx.name} ${formatNumber(mx.get(p))}\n${my.name} ${formatNumber(my.get(p))}`
      }));
  const r = correlation(marks);
  const gist = `${my.name} over ${mx.name}, ${marks.length} runs` +
      (r === null ? '' : `, correlation ${r.toFixed(2)}`);
  if (keys.length <= COLOURS * PATTERNS) host.append(legend(keys, style, true));
  planeChart(host, {marks, xName: mx.name, yName: my.name, log, gist});
  host.append(element(
      'figcaption', {},
      gist + '. ' + [mx, my].filter((m) => m.help).map((m) => `${m.name}: ${m.help}.`).join(' ')));
  finishChart(host, 'The points as a table', {
    caption: gist,
    rows: has,
    columns: [
      {label: 'run', get: name, head: true}, {label: mx.name, number: true, get: mx.get},
      {label: my.name, number: true, get: my.get}
    ]
  });
}

// ---- tables ----

const pointColumns = [
  {
    label: 'workload',
    head: true,
    get: (p) => p.workload,
    cell: (p) => element(
        'button',
        {type: 'button', class: 'link', title: 'configuration and counters', click: () => showRun(p.id)},
        p.workload)
  },
  {label: 'size', get: (p) => p.size},
  {
    label: 'registers',
    help: 'limit that the compiler was given',
    number: true,
    get: (p) => p.max_regs || null
  },
  {label: 'order', help: 'of instructions', get: (p) => p.code_order},
  {label: 'GPU', get: (p) => p.gpu},
  {label: 'mechanisms', get: (p) => p.mechs},
  {label: 'options', get: (p) => p.options},
];
// What all points have in common is said once, at the top of the page.
const usedPointColumns = pointColumns.filter(
    (c) => ['workload', 'mechanisms'].includes(c.label) || distinct(points.map(c.get)).length > 1);
const tableState = {
  found: {},
  advice: {},
  runs: {},
  pairs: {},
  ratios: {},
  light: {},
  occupancy: {},
  options: {},
  counters: {},
  claims: {},
  profile: {},
  lines: {}
};

function measureColumn(name, text) {
  const m = measureNamed(name);
  return m ? [{label: text || name, help: m.help, number: true, get: m.get}] : [];
}

function drawRuns(list) {
  const failed = points.some((p) => !p.ok) ? [{
    label: 'status',
    get: (p) => p.result.status,
    css: (p) => p.ok ? null : 'bad',
    cell: (p) => p.ok ?
        'ok' :
        element('span', {title: p.result.reason}, `${p.result.status}: ${p.result.reason}`.slice(0, 120))
  }] :
                                             [];
  drawTable(byId('runs-table'), {
    caption: `${list.length} runs`,
    rows: list,
    state: tableState.runs,
    columns: [
      ...usedPointColumns, ...failed, ...measureColumn('kernel_cycles', 'kernel cycles'),
      ...measureColumn('cycles'), ...measureColumn('speedup'), ...measureColumn('ipc', 'IPC'),
      ...measureColumn('warp_insts', 'warp instructions'), ...measureColumn('energy_pj', 'energy (pJ)'),
      ...measureColumn('energy_ratio', 'energy ratio'), ...measureColumn('seconds', 'host seconds'),
      {label: 'finished (UTC)', get: (p) => p.result.finished}
    ]
  });
}

function drawRatios(list) {
  const has = list.filter((p) => p.ratios);
  drawTable(byId('ratios-table'), {
    caption: `Ratios of ${has.length} runs`,
    rows: has,
    state: tableState.ratios,
    columns: [
      ...usedPointColumns,
      ...ratioNames.map((n) => ({label: n.replace(/_/g, ' '), number: true, get: (p) => p.ratios[n]}))
    ]
  });
}
