// SPDX-License-Identifier: Apache-2.0
// The first screen: what was found, what limits each program, and how much of it can be trusted.

// Change of the scheduler cycles by cause from one run to another, as shares of all of the first one's: they
// add up to the change of its cycles.
function changesByCause(from, to) {
  const a = sharesOf(from), b = sharesOf(to), scale = cyclesOf(to) / cyclesOf(from);
  if (!a || !b || !isNumber(scale)) return [];
  return causes.map((cause, i) => ({cause, change: b[i] * scale - a[i]}));
}

const signed = (v) => (v > 0 ? '+' : v < 0 ? '−' : '') + (Math.abs(v) * 100).toFixed(1) + '%';

// Causes that changed most, as text.
function whyText(from, to, most) {
  return changesByCause(from, to)
      .filter((c) => Math.abs(c.change) >= 0.003)
      .sort((x, y) => Math.abs(y.change) - Math.abs(x.change))
      .slice(0, most)
      .map((c) => `${causeName(c.cause)} ${signed(c.change)}`)
      .join(', ');
}

// Of logarithms: mean and half of the interval that holds the true one in 95 of 100 cases, as factors.
function meanOf(values) {
  const logs = values.map(Math.log), n = logs.length, mean = logs.reduce((a, b) => a + b, 0) / n;
  const T = [0, 0, 12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262],
        t = T[n] || 2.262 - Math.min(0.28, (n - 10) * 0.014);
  const error = n > 2 ? t * Math.sqrt(logs.reduce((s, v) => s + (v - mean) ** 2, 0) / (n - 1) / n) : null;
  return {mean: Math.exp(mean), error: error === null ? null : Math.exp(mean) * (Math.exp(error) - 1)};
}

function drawMechsFound(list, name) {
  const has = list.filter((p) => p.mechs !== 'base' && isNumber(p.speedup));
  const rows = orderMechs(has.map(variantOf)).map((mechs) => {
    const mine = has.filter((p) => variantOf(p) === mechs).sort((a, b) => b.speedup - a.speedup),
          energy = mine.map((p) => p.energyRatio).filter((v) => v > 0);
    return {
      mechs,
      n: mine.length,
      ...meanOf(mine.map((p) => p.speedup)),
      faster: mine.filter((p) => p.speedup > 1.01).length,
      slower: mine.filter((p) => p.speedup < 0.99).length,
      best: mine[0],
      worst: mine.at(-1),
      energy: geomean(energy)
    };
  });
  const one = (p) => element(
      'button',
      {type: 'button', class: 'link', title: 'what differs from its base', click: () => showRun(p.id)},
      `${p.speedup.toFixed(3)}  ${name(p)}`);
  byId('found-error').hidden = !rows.some((r) => r.error !== null);
  if (!rows.length) return byId('found-mechs').replaceChildren();
  drawTable(byId('found-mechs'), {
    caption: `Speedup over the base, by ${cyclesName()}`,
    rows,
    state: tableState.found,
    columns: [
      {label: 'mechanism', head: true, get: (r) => r.mechs},
      {label: 'geometric mean', number: true, get: (r) => r.mean, format: (v) => v.toFixed(3)},
      // Of one or two runs there is no interval: then the column is not there.
      ...(rows.some((r) => r.error !== null) ? [{
        label: '± (95%)',
        help: 'half of the 95% interval of the mean, were the runs drawn at random',
        number: true,
        get: (r) => r.error,
        format: (v) => v === null ? '' : v.toFixed(3)
      }] :
                                               []),
      {label: 'runs', number: true, get: (r) => r.n},
      {label: 'faster', help: 'by more than 1%', number: true, get: (r) => r.faster},
      {label: 'slower', help: 'by more than 1%', number: true, get: (r) => r.slower},
      {label: 'best', get: (r) => r.best.speedup, cell: (r) => one(r.best)},
      {label: 'worst', get: (r) => r.worst.speedup, cell: (r) => one(r.worst)},
      ...(rows.some((r) => r.energy) ? [{
        label: 'energy',
        help: 'over the base, geometric mean',
        number: true,
        get: (r) => r.energy,
        format: (v) => v ? v.toFixed(3) : ''
      }] :
                                       [])
    ]
  });
}

function drawEffects(list) {
  const name = namer(list, true);
  const rows =
      list.filter((p) => p.mechs !== 'base' && isNumber(p.speedup) && Math.abs(Math.log(p.speedup)) > 0.005)
          .sort((a, b) => Math.abs(Math.log(b.speedup)) - Math.abs(Math.log(a.speedup)));
  const host = byId('found-effects');
  host.replaceChildren();
  if (!rows.length)
    return nothing(
        host,
        list.some((p) => isNumber(p.speedup) && p.mechs !== 'base') ?
            'No run shown differs from its base by half a percent.' :
            whyNoSpeedup(list));
  host.append(element('ol', {}, ...rows.slice(0, 6).map((p) => effectOf(p, name))));
}

// One effect: against what, where the cycles of that run went, and what to look at next.
function effectOf(p, name) {
  const base = baseOf(p), faster = p.speedup > 1,
        changes = base ? changesByCause(base, p)
                             .filter((c) => Math.abs(c.change) >= 0.003)
                             .sort((x, y) => Math.abs(y.change) - Math.abs(x.change))
                             .slice(0, 3) :
                         [];
  const grew = changes.find((c) => c.change >= 0.01 && c.cause !== 'issued');
  const share = Math.abs(1 - 1 / p.speedup);
  return element(
      'li', {}, element('button', {type: 'button', class: 'link', click: () => showRun(p.id)}, name(p)), ' ',
      element('strong', {class: faster ? 'good' : 'bad'}, `${p.speedup.toFixed(3)}×`),
      element(
          'span', {class: 'why'},
          ` ${percent(share)} ${faster ? 'fewer' : 'more'} cycles than the run without mechanisms` +
              (changes.length ? '. Of that run’s scheduler cycles: ' : '.'),
          ...changes.flatMap((c, i) => [i ? ', ' : '', causeTerm(c.cause), ` ${signed(c.change)}`]),
          changes.length ? '.' : '',
          grew && NEXT_STEPS[grew.cause] ?
              element(
                  'span', {class: 'next'},
                  ` What grew, ${causeName(grew.cause)}: ${causeMeaning(grew.cause)}. Try: ${NEXT_STEPS[grew.cause]}.`) :
              null));
}

// One base run for each program and GPU: the one with the fewest options of its own.
function plainRuns(list) {
  const groups =
      groupBy(list.filter((p) => p.ok && sharesOf(p)), (p) => JSON.stringify([p.workload, p.size, p.gpu]));
  return [...groups.values()].map((g) => g.reduce((a, b) => {
    const cost = (p) => (p.mechs === 'base' ? 0 : 1000) + (p.max_regs ? 100 : 0) + p.options.length;
    return cost(b) < cost(a) ? b : a;
  }));
}

// What an instruction waited for most often; or nothing, where most cycles issue.
function limitOf(p) {
  const shares = sharesOf(p), at = (cause) => shares[causes.indexOf(cause)] || 0;
  if (at('issued') > 0.6) return {cause: 'issued', share: at('issued')};
  const rest = causes.filter((c) => c !== 'issued' && c !== 'stall_launch')
                   .map((cause) => ({cause, share: at(cause)}));
  return rest.reduce((a, b) => b.share > a.share ? b : a);
}

function drawLimits(list) {
  const name = namer(plainRuns(list)), host = byId('found-limits');
  const rows = plainRuns(list).map((p) => ({p, ...limitOf(p)})),
        groups = [...groupBy(rows, (r) => r.cause)].sort((a, b) => b[1].length - a[1].length);
  host.replaceChildren();
  if (!rows.length) return nothing(host, 'No run shown has counters.');
  host.append(element('dl', {}, ...groups.flatMap(([cause, of]) => {
    of.sort((a, b) => b.share - a.share);
    const shown =
        of.slice(0, 10)
            .map(
                (r, i) =>
                    [i ? ', ' : '',
                     element(
                         'button', {type: 'button', class: 'link', click: () => showRun(r.p.id)}, name(r.p)),
                     ` ${percent(r.share)}`])
            .flat();
    return [
      element(
          'dt', {title: meaning('sm.' + cause)},
          element('span', {class: 'swatch', style: `background:${background(causeStyle(cause))}`}),
          cause === 'issued' ? 'issue slots, nearly full' : causeName(cause)),
      element(
          'dd', {}, ...shown, of.length > 10 ? ` and ${of.length - 10} more` : '',
          element(
              'span', {class: 'next'},
              cause === 'issued' ?
                  ' The schedulers issue in most cycles: fewer instructions for the same work.' :
                  ` ${causeMeaning(cause)}.${NEXT_STEPS[cause] ? ` Try: ${NEXT_STEPS[cause]}.` : ''}`))
    ];
  })));
}

const plural = (n, one, many = one + 's') => `${formatNumber(n)} ${n === 1 ? one : many}`;

// What a reader should know before believing any of it.
function confidence(list) {
  const ok = list.filter((p) => p.ok), runsShown = distinct(ok.map((p) => p.run)), out = [];
  const sizes = distinct(ok.map((p) => p.size || 'trace files'));
  const programs = distinct(ok.map((p) => p.workload));
  out.push(`${plural(programs.length, 'program')}, ${
      sizes.length === 1 && sizes[0] === 'small' ? 'all of size small, which is for trying things out' :
                                                   'sizes: ' + sizes.join(', ')}.`);
  const sums = runsShown.flatMap((r) => kernelSums.get(r) || []),
        tracesShown = distinct(ok.map((p) => p.result.trace));
  const perTrace =
      tracesShown.map((t) => kernelSums.get((ok.find((p) => p.result.trace === t) || {}).run) || []);
  if (sums.length)
    out.push(`${plural(perTrace.reduce((s, k) => s + k.length, 0), 'kernel')} in ${
        plural(
            perTrace.reduce((s, k) => s + k.reduce((x, y) => x + y.launches, 0), 0), 'launch',
            'launches')}.`);
  const short = distinct(ok.filter((p) => p.result.kernel_cycles < 10000).map((p) => p.workload));
  if (short.length)
    out.push(`Short (under ${formatNumber(10000)} kernel cycles, where beginning and end weigh much): ${
        short.slice(0, 6).join(', ')}${short.length > 6 ? ` and ${short.length - 6} more` : ''}.`);
  const seeds = distinct(ok.map((p) => optionOf(p, 'sm.seed')));
  if (seeds.length > 1) {
    const groups = [
      ...groupBy(ok, (p) => JSON.stringify([
        p.workload, p.size, p.max_regs, p.code_order, p.gpu, p.mechs,
        p.options.replace(/sm\.seed=\S+ ?/, '').trim()
      ])).values()
    ].filter((g) => g.length > 1);
    const spread = highest(groups.map((g) => highest(g.map(cyclesOf)) / lowest(g.map(cyclesOf)) - 1));
    out.push(`${seeds.length} seeds; cycles differ by up to ${percent(Math.max(0, spread))} between them.`);
  } else if (seeds.length) {
    out.push(`One seed (sm.seed=${seeds[0]}): only random policies depend on it.`);
  }
  const failed = list.filter((p) => !p.ok), models = distinct(ok.map((p) => p.result.model));
  if (failed.length)
    out.push(`${plural(failed.length, 'run')} without a result: ${
        distinct(failed.map((p) => p.result.status)).join(', ')}.`);
  if (models.length > 1) out.push(`Careful: the results are of ${models.length} different models.`);
  const partial =
      distinct(ok.filter((p) => (traces.get(p.result.trace) || {}).partial).map((p) => p.workload));
  if (partial.length) out.push(`Recorded in part only: ${partial.join(', ')}.`);
  return out;
}

function drawFound(list) {
  drawMechsFound(list, namer(list));
  drawEffects(list);
  drawLimits(list);
  byId('found-trust')
      .replaceChildren(element('ul', {}, ...confidence(list).map((t) => element('li', {}, t))));
}
