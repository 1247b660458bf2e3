// SPDX-License-Identifier: Apache-2.0
// The sections about one thing: a kernel's instructions, claims.

// ---- instructions ----

function profileName(x) {
  const p = points.find((q) => q.run === x.run);
  return (p ? pointName(p) : `run ${x.run}`) + ' · ' + x.kernel;
}
const code = objects(data.code);
// Of an instruction as it is in the data: its line of code, and a list by cause of [cause, cycles, ...].
function unpacked(i) {
  const list = causes.map(() => 0);
  for (let k = 0; k < i.causes.length; k += 2) list[i.causes[k]] = i.causes[k + 1];
  return {...i, ...code[i.code], causes: list, cycles: list.reduce((a, b) => a + b, 0), issued: list[causes.indexOf('issued')]};
}
const profiles = data.profiles.map((x) => ({...x, insns: objects(x.insns).map(unpacked)}))
                     .sort((a, b) => natural(profileName(a), profileName(b)));

function hottest(rows) {
  return [...rows].sort((a, b) => b.cycles - a.cycles).slice(0, 20);
}

// The instructions of each source line together; those without a line stay out.
function byLine(insns) {
  const lines = new Map();
  for (const i of insns.filter((n) => n.line)) {
    const l = lines.get(i.line);
    if (!l) {
      lines.set(i.line, {...i, causes: [...i.causes]});
      continue;
    }
    for (const f of ['cycles', 'issued', 'lanes', 'bank_conflicts', 'read_wait', 'shared_conflicts'])
      l[f] += i[f];
    i.causes.forEach((c, k) => l.causes[k] += c);
  }
  return [...lines.values()].sort((a, b) => a.line - b.line);
}

function drawProfile() {
  const x = profiles[Number(byId('profile-which').value)], host = byId('profile-chart');
  host.replaceChildren();
  if (!x) return;
  const lines = byId('profile-by').value === 'line', all = lines ? byLine(x.insns) : x.insns;
  const total = x.insns.reduce((s, i) => s + i.cycles, 0) || 1,
        used = causes.filter((c, k) => x.insns.some((i) => i.causes[k]));
  const rows = hottest(all).map((i) => ({
                                  name: lines ? `${i.line}  ${i.source}` : `${i.insn}  ${i.text}`,
                                  group: '',
                                  parts: causes.map((c, k) => i.causes[k] / total)
                                }));
  host.append(legend(used.map(causeName), (n, i) => causeStyle(used[i])));
  stackChart(host, {
    rows,
    parts: causes,
    style: causeStyle,
    unit: (v) => (v * 100).toFixed(1) + '%',
    most: highest([1e-6, ...rows.map((r) => r.parts.reduce((a, b) => a + b, 0))]),
    gist: `The ${rows.length} ${lines ? 'lines' : 'instructions'} with the most scheduler cycles; first ${
        rows.length ? rows[0].name : ''}`
  });
  finishChart(host, 'The chart as a table', {
    caption: `${x.kernel}: percent of the scheduler cycles`,
    rows,
    columns: [
      {label: lines ? 'line' : 'instruction', get: (r) => r.name, head: true},
      ...used.map((c) => ({label: causeName(c), number: true, get: (r) => 100 * r.parts[causes.indexOf(c)]}))
    ]
  });
  drawTable(byId('profile-table'), {
    caption: `${x.kernel}: ${all.length} ${lines ? 'lines' : 'instructions'}`,
    rows: all,
    state: lines ? tableState.lines : tableState.profile,
    page: 200,
    columns: [
      {label: 'cycles', help: 'scheduler cycles, issuing and waiting', number: true, get: (i) => i.cycles},
      {label: '% of kernel', number: true, get: (i) => 100 * i.cycles / total, format: (v) => v.toFixed(2)},
      ...(lines ? [] :
                  [
                    {label: 'at', number: true, get: (i) => i.insn},
                    {label: 'instruction', get: (i) => i.text, css: 'code', head: true}
                  ]),
      {label: 'line', number: true, get: (i) => i.line || null},
      ...(lines || x.insns.some((i) => i.source) ?
              [{label: 'source', get: (i) => i.source, css: 'code', head: lines}] :
              []),
      {label: 'issued', number: true, get: (i) => i.issued}, {
        label: 'lanes',
        help: 'active lanes per issue',
        number: true,
        get: (i) => i.issued ? i.lanes / i.issued : null,
        format: (v) => v === null ? '' : v.toFixed(1)
      },
      {
        label: 'bank conflicts',
        help: 'operand reads that waited for their bank',
        number: true,
        get: (i) => i.bank_conflicts
      },
      {label: 'read wait', help: 'cycles that these waited', number: true, get: (i) => i.read_wait}, {
        label: 'shared conflicts',
        help: 'extra cycles in shared memory',
        number: true,
        get: (i) => i.shared_conflicts
      },
      ...used.filter((c) => c !== 'issued').map((c) => ({
                                                  label: causeName(c),
                                                  help: meaning('sm.' + c),
                                                  number: true,
                                                  get: (i) => i.causes[causes.indexOf(c)] || null
                                                }))
    ]
  });
}

// ---- claims ----

function drawClaims() {
  const rows = objects(data.claims), measured = rows.filter((c) => isNumber(c.measured)),
        within = measured.filter((c) => c.within), undecided = measured.filter((c) => c.size);
  byId('claims-sum').textContent =
      `${measured.length} of ${rows.length} claims measured, ${within.length} within the accepted range` +
      (undecided.length ? `, ${undecided.length} at another size, which decides nothing.` : '.');
  drawClaimsChart(measured);
  drawTable(byId('claims-table'), {
    caption: 'Claims',
    rows,
    state: tableState.claims,
    columns: [
      {label: 'claim', get: (c) => c.id, head: true}, {label: 'what', get: (c) => c.text, css: 'wrap'},
      {label: 'paper', number: true, get: (c) => c.paper_value},
      {label: 'measured', number: true, get: (c) => c.measured},
      {label: 'accepted', get: (c) => `${c.lo} to ${c.hi}`, fixed: true}, {label: 'unit', get: (c) => c.unit},
      {
        label: 'verdict',
        get: (c) => !isNumber(c.measured) ? c.why : c.size || (c.within ? 'within' : 'missed'),
        css: (c) => !isNumber(c.measured) ? 'wrap' :
            c.size                        ? null :
            c.within                      ? 'good' :
                                            'bad'
      }
    ]
  });
}

// Measured over what the paper has, where both are numbers of one kind: a ratio of 1 is the paper's value.
function drawClaimsChart(list) {
  const host = byId('claims-chart'),
        rows = list.filter((c) => isNumber(c.paper_value) && c.paper_value > 0 && c.measured > 0);
  host.replaceChildren();
  if (rows.length < 3) return;
  const papers = distinct(rows.map((c) => c.paper)).sort(natural),
        style = (k) => seriesStyle(papers.indexOf(k));
  const r = correlation(rows.map((c) => ({x: Math.log(c.paper_value), y: Math.log(c.measured)})));
  const gist = `Measured over the papers' values, ${rows.length} claims` +
      (r === null ? '' : `, correlation of logarithms ${r.toFixed(2)}`);
  host.append(legend(papers, style, true));
  planeChart(host, {
    log: true,
    marks: rows.map((c) => ({
                      x: c.paper_value,
                      y: c.measured,
                      style: style(c.paper),
                      title: `${c.id}: paper ${c.paper_value}, measured ${formatNumber(c.measured)} ${c.unit}`
                    })),
    lines: DIAGONAL(rows.flatMap((c) => [c.paper_value, c.measured])),
    xName: 'value of the paper',
    yName: 'measured',
    gist
  });
  finishChart(host, 'Both as a table', {
    caption: gist,
    rows,
    columns: [
      {label: 'claim', get: (c) => c.id, head: true},
      {label: 'paper', number: true, get: (c) => c.paper_value},
      {label: 'measured', number: true, get: (c) => c.measured}
    ]
  });
}
