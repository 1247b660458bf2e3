// The sections about one thing: a run's configuration and counters, a kernel's instructions, claims.

function fact(name, value) {
  return value === null || value === undefined || value === '' ?
      [] :
      [element('dt', {}, name), element('dd', {}, value)];
}

function drawRunFacts(p) {
  const run = p.result, trace = traces.get(run.trace) || {};
  byId('run-facts')
      .replaceChildren(element(
          'dl', {}, ...fact('status', run.status + (run.reason ? ': ' + run.reason : '')),
          ...fact('kernel cycles', formatNumber(run.kernel_cycles)),
          ...fact('cycles', formatNumber(run.cycles)),
          ...fact('speedup', isNumber(p.speedup) ? `${formatNumber(p.speedup)} by ${cyclesName()}` : ''),
          ...fact('program', trace.program),
          ...fact(
              'trace',
              trace.identity && `${trace.identity}, ${trace.maker}` + (trace.partial ? ', partial' : '')),
          ...fact('warp instructions', formatNumber(trace.warp_insts)),
          ...fact('bankshot', `${run.version || ''}, model ${run.model || ''}`),
          ...fact('finished', run.finished)));
}

function drawRunOptions(p) {
  const base = baseOf(p), mine = machines.get(p.result.machine) || [],
        theirs = base && machines.get(base.result.machine);
  const who = layers.get(p.result.machine) || [], kind = byId('run-options-kind').value;
  const all = data.options.names.map((name, i) => ({
                                       name,
                                       value: mine[i],
                                       base: theirs ? theirs[i] : null,
                                       who: who[i] || '',
                                       help: meaning(name),
                                       differs: Boolean(theirs) && theirs[i] !== mine[i]
                                     }));
  const rows = all.filter(
      (o) => o.value !== null && o.value !== undefined &&
          (kind === 'all' || o.differs || (kind === 'set' && !o.who.startsWith('default'))));
  drawTable(byId('run-options'), {
    caption: `${rows.length} of ${all.length} options` +
        (theirs ? `, ${all.filter((o) => o.differs).length} differ from the base` : ''),
    rows,
    state: tableState.options,
    page: 60,
    mark: (o) => o.differs,
    columns: [
      {label: 'option', get: (o) => o.name, head: true}, {label: 'value', get: (o) => o.value},
      {label: 'base', get: (o) => o.base, cell: (o) => o.differs ? `≠ ${o.base}` : o.base ?? ''},
      {label: 'set by', get: (o) => o.who}, {label: 'meaning', get: (o) => o.help, css: 'wrap', fixed: true}
    ]
  });
}

function drawRunCounters(p) {
  const base = baseOf(p), theirs = base && base !== p ? base.counters : null;
  const rows = counterNames
                   .map((name, i) => ({
                          name,
                          value: p.counters ? p.counters[i] : null,
                          base: theirs ? theirs[i] : null,
                          help: meaning(name)
                        }))
                   .filter((c) => c.value !== null);
  const compared = theirs ?
      [
        {label: 'base', number: true, get: (c) => c.base},
        {label: 'over base', number: true, get: (c) => c.base ? c.value / c.base : null}
      ] :
      [];
  drawTable(byId('run-counters'), {
    caption: `${rows.length} counters`,
    rows,
    state: tableState.counters,
    page: 30,
    columns: [
      {label: 'counter', get: (c) => c.name, head: true}, {label: 'value', number: true, get: (c) => c.value},
      ...compared, {label: 'meaning', get: (c) => c.help, css: 'wrap', fixed: true}
    ]
  });
}

function drawRun() {
  const p = points.find((q) => String(q.id) === byId('run-which').value);
  if (!p) return;
  drawRunFacts(p);
  drawRunOptions(p);
  drawRunCounters(p);
}

function listRuns(list) {
  const interesting = list.find((p) => p.ok && p.mechs !== 'base');  // it has a base to differ from
  const chosen = byId('run-which').value || (interesting && String(interesting.id));
  fillSelect(byId('run-which'), list.map((p) => String(p.id)), list.map(pointName), chosen);
  drawRun();
}

function showRun(id) {
  byId('run-which').value = String(id);
  drawRun();
  byId('run').scrollIntoView();
  byId('run-which').focus({preventScroll: true});
}

// ---- instructions ----

function profileName(x) {
  const p = points.find((q) => q.run === x.run);
  return (p ? pointName(p) : `run ${x.run}`) + ' · ' + x.kernel;
}
const profiles = data.profiles.map((x) => ({...x, insns: objects(x.insns)}))
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
  drawTable(byId('profile-table'), {
    caption: `${x.kernel}: ${all.length} ${lines ? 'lines' : 'instructions'}`,
    rows: all,
    state: lines ? tableState.lines : tableState.profile,
    page: 200,
    columns: [
      ...(lines ? [] :
                  [
                    {label: 'at', number: true, get: (i) => i.insn},
                    {label: 'instruction', get: (i) => i.text, css: 'code', head: true}
                  ]),
      {label: 'line', number: true, get: (i) => i.line || null},
      ...(lines || x.insns.some((i) => i.source) ?
              [{label: 'source', get: (i) => i.source, css: 'code', head: lines}] :
              []),
      {label: 'cycles', help: 'scheduler cycles, issuing and waiting', number: true, get: (i) => i.cycles},
      {label: '% of kernel', number: true, get: (i) => 100 * i.cycles / total, format: (v) => v.toFixed(2)},
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
        css: (c) => !isNumber(c.measured) ? 'wrap' : c.size ? null : c.within ? 'good' : 'bad'
      }
    ]
  });
}
