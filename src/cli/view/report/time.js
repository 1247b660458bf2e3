// SPDX-License-Identifier: Apache-2.0
// Inside of one run: its kernels, its course, and how evenly banks, SMs and partitions were used.

const BESIDE = ['this run', 'the other'];
const besideStyle = (s) => s === BESIDE[0] ? seriesStyle(0) : {colour: 'var(--base)', pattern: 0};
const bothOf = (p, other, get) => [[BESIDE[0], p], [BESIDE[1], other]]
                                      .filter(([, q]) => q && q.ok && get(q))
                                      .map(([s, q]) => ({s, q, rows: get(q)}));

function drawRunKernels(p, other) {
  const host = byId('kernels-chart'),
        both = bothOf(
            p, other && other.result.trace === p.result.trace ? other : undefined,
            (q) => kernelSums.get(q.run));
  host.replaceChildren();
  if (!both.length || both[0].q !== p) return nothing(host, 'The run has no kernels.');
  const theirs = new Map(both.length > 1 ? both[1].rows.map((k) => [k.kernel, k]) : []);
  const rows = [...both[0].rows]
                   .sort((a, b) => b.kernel_cycles - a.kernel_cycles)
                   .map((k) => ({...k, name: kernelName(p, k.kernel), other: theirs.get(k.kernel)}));
  const shownRows = rows.slice(0, 30), all = rows.reduce((s, k) => s + k.kernel_cycles, 0);
  const gist = `Kernel cycles of ${plural(rows.length, 'kernel')}; first ${rows[0].name} with ${
      percent(rows[0].kernel_cycles / all)}`;
  host.append(legend(both.map((b) => b.s), besideStyle));
  const bar = (s, v, name) =>
      ({value: v, style: besideStyle(s), title: `${name}, ${s}: ${formatNumber(v)} kernel cycles`});
  barChart(host, {
    origin: 0,
    gist,
    format: tickText,
    groups: shownRows.map((k) => ({
                            name: k.name,
                            bars: [
                              bar(BESIDE[0], k.kernel_cycles, k.name),
                              ...(k.other ? [bar(BESIDE[1], k.other.kernel_cycles, k.name)] : [])
                            ]
                          }))
  });
  finishChart(host, 'The kernels as a table', {
    caption: gist,
    rows,
    columns: [
      {label: 'kernel', get: (k) => k.name, head: true},
      {label: 'launches', number: true, get: (k) => k.launches},
      {label: 'kernel cycles', number: true, get: (k) => k.kernel_cycles},
      {label: '% of all', number: true, get: (k) => 100 * k.kernel_cycles / all},
      {label: 'IPC', number: true, get: (k) => k.kernel_cycles ? k.warp_insts / k.kernel_cycles : null},
      ...(theirs.size ?
              [
                {label: 'the other', number: true, get: (k) => k.other ? k.other.kernel_cycles : null}, {
                  label: 'speedup',
                  number: true,
                  get: (k) => k.other && k.kernel_cycles ? k.other.kernel_cycles / k.kernel_cycles : null
                }
              ] :
              [])
    ]
  });
}

function drawRunTime(p, other) {
  const host = byId('time-chart'), both = bothOf(p, other, (q) => launches.get(q.run));
  host.replaceChildren();
  if (!both.length || both[0].q !== p) return nothing(host, 'The run has no launches.');
  const ipc = (l) => l.kernel_cycles ? l.warp_insts / l.kernel_cycles : 0,
        what = (q, l) => l.kernel === l.last ? kernelName(q, l.kernel) : 'several kernels';
  const rows = both.flatMap(({s, q, rows: of}) => of.map((l) => ({s, ...l, ipc: ipc(l), name: what(q, l)})));
  const lines =
      both.map(({s, rows: of}) => ({
                 full: true,
                 style: besideStyle(s),
                 title: s,
                 points: of.flatMap((l) => [[l.start, 0], [l.start, ipc(l)], [l.end, ipc(l)], [l.end, 0]])
               }));
  const gist = `Warp instructions per kernel cycle over the course of the program, ${
                   plural(both[0].rows.reduce((s, l) => s + l.n, 0), 'launch', 'launches')}` +
      (both[0].rows.some((l) => l.n > 1) ? ', neighbours together' : '');
  host.append(legend(both.map((b) => b.s), besideStyle));
  planeChart(host, {
    zero: true,
    lines: lines.reverse(),
    marks: rows.filter((l) => l.s === BESIDE[0])
               .map((l) => ({
                      x: (l.start + l.end) / 2,
                      y: l.ipc,
                      style: besideStyle(l.s),
                      title: `${l.name}, launch ${l.launch}${l.n > 1 ? ` and ${l.n - 1} more` : ''}: ${
                          formatNumber(l.ipc)} per cycle, ${formatNumber(l.kernel_cycles)} kernel cycles`
                    })),
    xName: 'cycles of the program',
    yName: 'IPC',
    gist
  });
  finishChart(host, 'The launches as a table', {
    caption: gist,
    rows,
    columns: [
      {label: 'run', get: (l) => l.s, head: true}, {label: 'launch', number: true, get: (l) => l.launch},
      {label: 'launches', number: true, get: (l) => l.n}, {label: 'kernel', get: (l) => l.name},
      {label: 'start', number: true, get: (l) => l.start}, {label: 'end', number: true, get: (l) => l.end},
      {label: 'kernel cycles', number: true, get: (l) => l.kernel_cycles},
      {label: 'IPC', number: true, get: (l) => l.ipc}
    ]
  });
}

// A list, or one list for each SM: its numbers with names.
function spreadOf(d) {
  let list;
  try {
    list = JSON.parse(d.list);
  } catch (e) {
    return [];
  }
  if (!Array.isArray(list)) return [];
  return list
      .flatMap(
          (v, i) => Array.isArray(v) ? v.map((w, k) => ({name: `SM ${i}, ${k}`, value: Number(w)})) :
                                       [{name: String(i), value: Number(v)}])
      .filter((o) => isNumber(o.value));
}

function drawSpread(p, other) {
  const host = byId('spread-chart'), mine = distributions.get(p.run) || [],
        before = byId('spread-which').value;
  fillSelect(byId('spread-which'), mine.map((d) => d.name), null, before);
  host.replaceChildren();
  const name = byId('spread-which').value,
        get = (q) => (distributions.get(q.run) || []).filter((d) => d.name === name).flatMap(spreadOf);
  const both = bothOf(p, other, (q) => get(q).length ? get(q) : null);
  if (!both.length || both[0].q !== p) return nothing(host, 'The page has no such list of this run.');
  const xs = both[0].rows.map((o) => o.name), values = both[0].rows.map((o) => o.value),
        mean = values.reduce((a, b) => a + b, 0) / values.length;
  const spread = mean ? Math.sqrt(values.reduce((s, v) => s + (v - mean) ** 2, 0) / values.length) / mean : 0;
  const gist = `${name}: ${plural(values.length, 'value')}, mean ${formatNumber(mean)}, from ${
      formatNumber(lowest(
          values))} to ${formatNumber(highest(values))}, coefficient of variation ${spread.toFixed(3)}`;
  host.append(legend(both.map((b) => b.s), besideStyle, true));
  planeChart(host, {
    zero: true,
    marks: both.flatMap(
        ({s, rows}) => rows.slice(0, 600).map((o, i) => ({
                                                x: i,
                                                y: o.value,
                                                style: besideStyle(s),
                                                title: `${o.name}, ${s}: ${formatNumber(o.value)}`
                                              }))),
    lines: both.map(
        ({s, rows}) =>
            ({points: rows.slice(0, 600).map((o, i) => [i, o.value]), style: besideStyle(s), title: s})),
    xNames: xs.length <= 24 ? xs : undefined,
    xName: 'place',
    yName: name,
    gist
  });
  host.append(element('figcaption', {}, gist + '. ' + meaning(name)));
  finishChart(host, 'The list as a table', {
    caption: gist,
    rows: both.flatMap(({s, rows}) => rows.map((o) => ({s, ...o}))),
    columns: [
      {label: 'run', get: (o) => o.s, head: true}, {label: 'place', get: (o) => o.name},
      {label: name, number: true, get: (o) => o.value}
    ]
  });
}
