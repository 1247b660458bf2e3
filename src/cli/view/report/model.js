// SPDX-License-Identifier: Apache-2.0
// What the database holds, as objects: points with their run, ratios and counters. Nothing here touches the
// page.

const data = JSON.parse(document.getElementById('data').textContent);

function objects(table) {
  return table.rows.map((row) => Object.fromEntries(table.columns.map((name, i) => [name, row[i]])));
}

function byKey(list, key) {
  return new Map(list.map((o) => [o[key], o]));
}

const runs = byKey(objects(data.runs), 'id');
const traces = byKey(objects(data.traces), 'id');
const counterNames = data.counters.names;
const ratioNames = data.ratios.columns.filter((name) => name !== 'point');
const counters = new Map(data.counters.rows.map(([run, values]) => [run, values]));
// The first machine has all values, the others what differs from it.
function filled(table) {
  const first = [];
  return new Map(table.rows.map(([machine, entries], i) => {
    const values = i ? [...first] : first;
    for (const [at, value] of entries) values[at] = value;
    return [machine, values];
  }));
}
const machines = filled(data.options);
const layers = filled(data.layers);
const areas = new Map(objects(data.areas).map((a) => [a.machine, a.mm2]));
const silicon = objects(data.silicon);
const groupBy = (list, key) => {
  const groups = new Map();
  for (const o of list) {
    const k = key(o);
    if (!groups.has(k)) groups.set(k, []);
    groups.get(k).push(o);
  }
  return groups;
};
const kernelSums = groupBy(objects(data.kernel_sums), (k) => k.run);
const launches = groupBy(objects(data.launches), (l) => l.run);
const distributions = groupBy(objects(data.distributions), (d) => d.run);
const kernelNames = new Map(data.kernels.map(([trace, kernel, name]) => [trace + ' ' + kernel, name]));
const kernelName = (p, kernel) => kernelNames.get(p.result.trace + ' ' + kernel) || `kernel ${kernel}`;
const ratios = byKey(objects(data.ratios), 'point');
const pairs = objects(data.pairs);
const speedups = byKey(objects(data.speedups), 'point');
const noRun = {
  status: 'missing',
  reason: ''
};

// What speedups, IPC and shares of cycles are of: the cycles in which a kernel runs, or all of the program's,
// with the launches' latency.
const cyclesShown = {
  program: false
};
const cyclesName = () => cyclesShown.program ? 'program cycles' : 'kernel cycles';
const cyclesOf = (p) => cyclesShown.program ? p.result.cycles : p.result.kernel_cycles;

const points = objects(data.points).map((p) => {
  const run = runs.get(p.run) || noRun;
  const over = speedups.get(p.id) || {};
  return {
    ...p,
    result: run,
    ok: run.status === 'ok',
    get speedup() {
      return cyclesShown.program ? over.program_speedup ?? overBase(this, 'cycles') :
                                   over.speedup ?? overBase(this, 'kernel_cycles');
    },
    get energyRatio() {
      return over.energy_ratio ??
          (isNumber(overBase(this, 'energy_pj')) ? 1 / overBase(this, 'energy_pj') : undefined);
    },
    counters: counters.get(p.run),
    ratios: ratios.get(p.id)
  };
});

// An option's value in effect, whoever has set it.
function optionOf(p, name) {
  const values = machines.get(p.result.machine), i = data.options.names.indexOf(name);
  return values && i >= 0 ? values[i] : undefined;
}

const settingOf = (p) => JSON.stringify([p.workload, p.size, p.max_regs, p.code_order, p.gpu, p.options]);
const plainSetting = (p) => JSON.stringify([p.workload, p.size, p.max_regs, p.code_order, p.gpu]);
const bases = new Map(points.filter((p) => p.mechs === 'base').map((p) => [settingOf(p), p]));
const basesBySetting = groupBy(points.filter((p) => p.mechs === 'base'), plainSetting);
const optionWords = (p) => p.options ? p.options.split(' ') : [];

// Options of p that the run b does not read: those of a policy (they have its name) which p has and b has
// not.
function unreadBy(b, p) {
  const mine = machines.get(p.result.machine), theirs = machines.get(b.result.machine);
  return optionWords(p).filter((word) => {
    const policy = word.split('.')[0];
    return mine && theirs && mine.includes(policy) && !theirs.includes(policy);
  });
}

// The run that p is compared with: without mechanisms, of the same program on the same GPU, with the same
// options but for those that it does not read.
function findBase(p) {
  const same = bases.get(settingOf(p));
  if (same) return same;
  return (basesBySetting.get(plainSetting(p)) || []).find((b) => {
    const idle = unreadBy(b, p), read = optionWords(p).filter((w) => !idle.includes(w));
    return b.ok && b.result.trace === p.result.trace && b.result.model === p.result.model &&
        read.join(' ') === b.options;
  });
}
const baseCache = new Map();
function baseOf(p) {
  if (!baseCache.has(p.id)) baseCache.set(p.id, findBase(p));
  return baseCache.get(p.id);
}

// The same result of the base, over p's.
function overBase(p, of) {
  const b = p.ok ? baseOf(p) : undefined;
  return b && b.ok && p.result[of] > 0 && b.result[of] > 0 ? b.result[of] / p.result[of] : undefined;
}

// Mechanisms with those of their options that the base does not read: each value of such an option is a
// design of its own, and no mean is taken over them.
function variantOf(p) {
  const b = p.mechs === 'base' ? undefined : baseOf(p),
        own = b && b.options !== p.options ? unreadBy(b, p) : [];
  return own.length ? `${p.mechs} ${own.join(' ')}` : p.mechs;
}
// What is left of the options beside those.
const sharedOptions = (p) => variantOf(p) === p.mechs ? p.options : baseOf(p).options;

// A measure is anything a point has a number for.
function measure(group, name, help, get, unit) {
  return {group, name, help: help || '', unit: unit || '', get};
}

const known = new Map(data.help.map(([name, unit, help]) => [name, {unit, help}]));
const meaning = (name) => (known.get(name) || {help: ''}).help;

const measures = [
  measure(
      'results', 'kernel_cycles', 'core cycles in which a kernel runs',
      (p) => p.ok ? p.result.kernel_cycles : null),
  measure(
      'results', 'cycles', 'core cycles of the program, with the latency of its launches',
      (p) => p.ok ? p.result.cycles : null),
  measure('results', 'speedup', 'cycles of the base over cycles: the kind chosen above', (p) => p.speedup),
  measure(
      'results', 'ipc', 'warp instructions per cycle: the kind chosen above',
      (p) => p.ok && cyclesOf(p) ? p.result.warp_insts / cyclesOf(p) : null),
  measure('results', 'warp_insts', 'warp instructions', (p) => p.ok ? p.result.warp_insts : null),
  measure('results', 'energy_pj', 'energy, picojoules', (p) => p.result.energy_pj),
  measure('results', 'energy_ratio', 'energy over that of the base', (p) => p.energyRatio),
  measure(
      'results', 'area_mm2', 'area of the register access of one SM, mm²',
      (p) => p.ok ? areas.get(p.result.machine) : null),
  measure('results', 'seconds', 'time of the host', (p) => p.result.seconds),
  ...ratioNames.filter((n) => n !== 'ipc')
      .map((n) => measure('ratios', n, '', (p) => p.ratios && p.ratios[n])),
  ...counterNames.map((n, i) => measure('counters', n, meaning(n), (p) => p.counters && p.counters[i])),
].filter((m) => points.some((p) => isNumber(m.get(p))));
const measureNamed = (name) => measures.find((m) => m.name === name);

function isNumber(v) {
  return typeof v === 'number' && Number.isFinite(v);
}

function counterOf(p, name) {
  const i = counterNames.indexOf(name);
  return p.counters && i >= 0 ? p.counters[i] : null;
}

// Shares of the scheduler cycles by cause, in the counters' own order. Cycles without a kernel are no part of
// the kernel cycles.
const causes = data.causes;
function sharesOf(p) {
  const outside = cyclesShown.program ? 0 : counterOf(p, 'sm.stall_launch') || 0;
  const all = counterOf(p, 'sm.cycles') - outside;
  const inside = (c) => (counterOf(p, 'sm.' + c) || 0) - (c === 'stall_launch' ? outside : 0);
  return all ? causes.map((c) => inside(c) / all) : null;
}

const energyParts = data.energy.names;
const energies = new Map(data.energy.rows.map(([run, values]) => [run, values]));
// What the energies of these runs rest on, each GPU once, with the error of a program's energy where it is known.
const BASES = {
  measured: 'measured on the chip',
  scaled: 'scaled from a chip that was measured',
  paper: 'of a paper: compare two machines, do not read the joules'
};
function energyBasis(list) {
  const said = list.filter((p) => p.ok && optionOf(p, 'energy.basis')).map((p) => {
    const basis = optionOf(p, 'energy.basis'), error = Number(optionOf(p, 'energy.error'));
    return `${p.gpu}: ${BASES[basis] || basis}${error > 0 ? `, mean error ${formatNumber(error)}%` : ''}`;
  });
  return said.length ? `Energies of ${[...new Set(said)].join('; ')}.` : '';
}
function energyShares(p) {
  const values = energies.get(p.run), all = p.result.energy_pj;
  return values && all > 0 ? energyParts.map((name, i) => (values[i] || 0) / all) : null;
}


// Mechanisms in the order people expect: the base, single ones, combinations.
function orderMechs(list) {
  const weight = (m) => m === 'base' ? 0 : m.split(',').length;
  return distinct(list).sort((a, b) => weight(a) - weight(b) || natural(a, b));
}

// What tells the points of a list apart, besides mechanisms: fields that do not have one value for all.
function namer(list, also) {
  const fields = ['size', 'max_regs', 'code_order', 'gpu', 'options'].filter(
      (f) => distinct(list.map((p) => p[f])).length > 1);
  return (p) => {
    const parts =
        fields.map((f) => f === 'max_regs' ? (p[f] ? '@' + p[f] : '') : p[f]).filter((s) => s !== '');
    if (also) parts.unshift(p.mechs);
    return parts.length ? p.workload + ' · ' + parts.join(' · ') : p.workload;
  };
}

const pointName = namer(points, true);  // the same wherever it is named alone

function geomean(list) {
  return list.length ? Math.exp(list.reduce((sum, v) => sum + Math.log(v), 0) / list.length) : null;
}

function formatNumber(v, digits) {
  if (!isNumber(v)) return '';
  if (Number.isInteger(v) && !(digits && Math.abs(v) < 1000))
    return v.toLocaleString('en').replace(/,/g, '\u202f');
  const a = Math.abs(v);
  if (a >= 1000) return formatNumber(Math.round(v));
  return a !== 0 && a < 0.001 ? v.toExponential(2) : v.toFixed(a >= 100 ? 1 : a >= 10 ? 2 : 3);
}
