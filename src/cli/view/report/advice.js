// SPDX-License-Identifier: Apache-2.0
// What the program's author can change: the rules that bankshot run prints, of the runs without mechanisms.

const adviceByRun = groupBy(objects(data.advice), (a) => a.run);

function drawAdvice(list) {
  const seen = new Set(), name = namer(list), rows = [];
  for (const p of list) {
    if (!p.ok || seen.has(p.run)) continue;
    seen.add(p.run);
    for (const a of adviceByRun.get(p.run) || []) rows.push({...a, p});
  }
  rows.sort((a, b) => b.gain - a.gain);
  const host = byId('advice-table');
  if (!rows.length) return nothing(host, 'No rule applies to the runs shown.');
  drawTable(host, {
    caption: `${rows.length} ${rows.length === 1 ? 'rule applies' : 'rules apply'}, the most costly first`,
    rows,
    state: tableState.advice,
    page: 20,
    columns: [
      {
        label: 'gain at most',
        help: 'the share of the kernel cycles that would be gone if the pattern were',
        number: true,
        get: (r) => r.gain,
        format: (v) => percent(v)
      },
      {
        label: 'program',
        head: true,
        get: (r) => name(r.p),
        cell: (r) => element('button', {type: 'button', class: 'link', click: () => showRun(r.p.id)}, name(r.p))
      },
      {label: 'kernel', get: (r) => kernelName(r.p, r.kernel)},
      {label: 'line', number: true, get: (r) => r.line || null},
      {label: 'rule', get: (r) => r.rule.replace(/_/g, ' ')},
      {label: 'what', css: 'wrap', get: (r) => r.what},
      {label: 'try', css: 'wrap', get: (r) => r.hint}
    ]
  });
}
