// SPDX-License-Identifier: Apache-2.0
// One run beside another, its base if nobody asks for another: what was set otherwise, where the cycles
// changed, which counters did.

const chosenRun = () => points.find((q) => String(q.id) === byId('run-which').value);
function chosenOther(p) {
  const id = byId('run-beside').value;
  return id === 'base' ? (baseOf(p) === p ? undefined : baseOf(p)) : points.find((q) => String(q.id) === id);
}

// Options whose values differ.
function optionsApart(p, other) {
  return data.options.names.map((name) => ({name, value: optionOf(p, name), other: optionOf(other, name)}))
      .filter((o) => o.value !== o.other);
}

function drawApart(p, other) {
  const host = byId('run-apart');
  host.replaceChildren();
  if (!other)
    return nothing(
        host,
        baseOf(p) === p ? 'This is a base run: choose another one to see what differs.' :
                          'The file has no base run for it.');
  const set = optionsApart(p, other), ratio = cyclesOf(other) / cyclesOf(p),
        same = p.result.trace === other.result.trace;
  const text = set.length ?
      set.slice(0, 8).map((o) => `${o.name} ${o.other ?? '(none)'} → ${o.value ?? '(none)'}`).join(', ') +
          (set.length > 8 ? ` and ${set.length - 8} more` : '') :
                            'no option';
  const why = p.ok && other.ok ? whyText(other, p, 4) : '';
  host.append(element(
      'p', {class: 'lead'},
      element('strong', {}, p.ok && other.ok ? `${ratio.toFixed(3)}× the speed` : 'No result to compare'),
      ` of ${pointName(other)}, by ${cyclesName()}. Set otherwise: ${text}.`,
      same ? null : ' The programs are not the same.',
      why ? ` Scheduler cycles, of all that it took there: ${why}.` : ''));
}

function drawChanges(p, other) {
  const host = byId('changes-chart');
  host.replaceChildren();
  const rows =
      other && p.ok && other.ok ? changesByCause(other, p).filter((c) => Math.abs(c.change) >= 0.0005) : [];
  if (!rows.length) return other ? nothing(host, 'No cause of waiting has changed.') : undefined;
  const sum = rows.reduce((s, c) => s + c.change, 0);
  const gist = `Change of the ${cyclesName()} by cause, of all of the other run's: together ${signed(sum)}`;
  barChart(host, {
    origin: 0,
    gist,
    format: signed,
    groups: [
      {
        name: 'together',
        bold: true,
        bars: [{value: sum, style: {colour: 'var(--base)', pattern: 0}, title: `together ${signed(sum)}`}]
      },
      ...rows.map((c) => ({
                    name: causeName(c.cause),
                    bars: [{
                      value: c.change,
                      style: causeStyle(c.cause),
                      title: `${causeName(c.cause)} ${signed(c.change)}: ${meaning('sm.' + c.cause)}`
                    }]
                  }))
    ]
  });
  host.append(element(
      'figcaption', {},
      gist + '. Fewer is better, except of issued, which only a change of the program moves.'));
  finishChart(host, 'The changes as a table', {
    caption: gist,
    rows,
    columns: [
      {label: 'cause', get: (c) => causeName(c.cause), head: true},
      {label: 'change (%)', number: true, get: (c) => 100 * c.change},
      {label: 'meaning', get: (c) => meaning('sm.' + c.cause), css: 'wrap', fixed: true}
    ]
  });
}

// How much a change of a counter says: by its ratio, and by whether it counts many events.
function weightOfChange(a, b) {
  const most = Math.max(a, b);
  return most > 0 ? Math.abs(a - b) / most * Math.log10(1 + most) : 0;
}

function drawRunCounters(p, other) {
  const theirs = other ? other.counters : null;
  const rows = counterNames
                   .map((name, i) => ({
                          name,
                          value: p.counters ? p.counters[i] : null,
                          base: theirs ? theirs[i] : null,
                          help: meaning(name)
                        }))
                   .filter((c) => c.value !== null);
  if (theirs) rows.sort((x, y) => weightOfChange(y.value, y.base) - weightOfChange(x.value, x.base));
  const compared = theirs ?
      [
        {label: 'the other', number: true, get: (c) => c.base},
        {label: 'over the other', number: true, get: (c) => c.base ? c.value / c.base : null}
      ] :
      [];
  drawTable(byId('run-counters'), {
    caption: `${rows.length} counters` + (theirs ? ', those that changed most first' : ''),
    rows,
    state: tableState.counters,
    page: 30,
    columns: [
      {label: 'counter', get: (c) => c.name, head: true}, {label: 'value', number: true, get: (c) => c.value},
      ...compared, {label: 'meaning', get: (c) => c.help, css: 'wrap', fixed: true}
    ]
  });
}

function drawRunOptions(p, other) {
  const who = layers.get(p.result.machine) || [], kind = byId('run-options-kind').value;
  const all = data.options.names.map((name, i) => ({
                                       name,
                                       value: optionOf(p, name),
                                       base: other ? optionOf(other, name) : null,
                                       who: who[i] || '',
                                       help: meaning(name),
                                       differs: Boolean(other) && optionOf(other, name) !== optionOf(p, name)
                                     }));
  const rows = all.filter(
      (o) => o.value !== null && o.value !== undefined &&
          (kind === 'all' || o.differs || (kind === 'set' && !o.who.startsWith('default'))));
  drawTable(byId('run-options'), {
    caption: `${rows.length} of ${all.length} options` +
        (other ? `, ${all.filter((o) => o.differs).length} differ from the other run` : ''),
    rows,
    state: tableState.options,
    page: 60,
    mark: (o) => o.differs,
    columns: [
      {label: 'option', get: (o) => o.name, head: true}, {label: 'value', get: (o) => o.value},
      {label: 'the other', get: (o) => o.base, cell: (o) => o.differs ? `≠ ${o.base}` : o.base ?? ''},
      {label: 'set by', get: (o) => o.who}, {label: 'meaning', get: (o) => o.help, css: 'wrap', fixed: true}
    ]
  });
}

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
          ...fact('code', trace.sm ? `NVIDIA’s for sm_${trace.sm}` : trace.sm === 0 ? 'compiled by bankshot' : ''),
          ...fact('warp instructions', formatNumber(trace.warp_insts)),
          ...fact('bankshot', `${run.version || ''}, model ${run.model || ''}`),
          ...fact('finished', run.finished)));
}

function drawRun() {
  const p = chosenRun();
  if (!p) return;
  const other = chosenOther(p);
  drawApart(p, other);
  drawChanges(p, other);
  drawRunOptions(p, other);
  drawRunCounters(p, other);
  drawRunKernels(p, other);
  drawRunTime(p, other);
  drawCourse(p, other);
  drawSpread(p, other);
  drawRunFacts(p);
}

// The run with the largest effect is first.
function listRuns(list) {
  const strength = (p) =>
      p.ok && p.mechs !== 'base' && isNumber(p.speedup) ? 1 + Math.abs(Math.log(p.speedup)) : 0;
  const interesting = list.reduce((a, b) => strength(b) > (a ? strength(a) : 0) ? b : a, undefined);
  const before = byId('run-which').value, ids = list.map((p) => String(p.id));
  fillSelect(
      byId('run-which'), ids, list.map(pointName),
      ids.includes(before) ? before : interesting && String(interesting.id));
  const beside = byId('run-beside').value;
  fillSelect(
      byId('run-beside'), ['base', ...points.map((p) => String(p.id))],
      ['its base', ...points.map(pointName)], beside || 'base');
  drawRun();
}

function showRun(id) {
  if (![...byId('run-which').options].some((o) => o.value === String(id))) return;
  byId('run-which').value = String(id);
  byId('run-beside').value = 'base';
  drawRun();
  goTo('run');
  byId('run-which').focus({preventScroll: true});
}
