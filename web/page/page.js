// SPDX-License-Identifier: Apache-2.0
// The beginning: fields, the run, what is shown of it.

const page = {causes: {}, known: null, results: [], state: null, source: null, first: null, answered: new Set(), at: 0};
const text = (name) => {
  const e = document.querySelector(`script[data-file="${name}"]`);
  return e ? e.textContent.replace(/^\n/, '') : null;
};
const bundled = (folder) => [...document.querySelectorAll(`script[data-file^="${folder}/"]`)].map((e) => e.dataset.file);
const examples = new Map(JSON.parse(text('examples/examples.json')).map((e) => [e.name, e]));
const OWN = '';  // the choice of an example: PTX of one's own
const TITLE = document.title;

const runner = new Runner(text('worker.js'), unpacked(text('bankshot.wasm.gz')), bundled('conf').map((name) => [name, text(name)]));
let fields = null;  // MachineFields of A and B

// ---- fields ----

function fillSizes(e) {
  fillSelect(byId('size'), e ? e.sizes.map((s, k) => String(k)) : [], e ? e.sizes.map((s) => s.name) : []);
  byId('size-label').hidden = !e;
}

function fillLaunch(s) {
  byId('grid').value = s.grid;
  byId('block').value = s.block;
  byId('shared').value = s.shared || '';
  byId('regs').value = s.regs || '';
  byId('kernel').value = s.kernel || '';
  byId('args').value = s.args.join('\n');
  showLaunch();
}

function showLaunch() {
  byId('launch-summary').textContent = `${byId('grid').value || '?'} CTAs of ${byId('block').value || '?'} threads`;
}

// Fields for an example, or for PTX of one's own, which begins as the example's.
function choose(name, size = 0) {
  const e = examples.get(name), before = page.state && examples.get(page.state.example);
  if (!e && !byId('ptx').value && before) byId('ptx').value = text(`examples/${before.name}.ptx`);
  byId('example').value = name;
  byId('ptx-label').hidden = Boolean(e);
  byId('kernel-label').hidden = Boolean(e);
  byId('about').textContent = e ? e.about : 'PTX as nvcc -ptx or bankshot cc -ptx write it. Grid, block and arguments are in the launch.';
  fillSizes(e);
  if (!e) byId('launch').open = true;
  if (!e) return;
  byId('size').value = String(size);
  fillLaunch(e.sizes[size]);
}

function readFields() {
  const own = byId('example').value === OWN, v = (id) => byId(id).value.trim().replace(/\s*,\s*/g, ',');
  return {
    v: 1, example: own ? null : byId('example').value, ptx: own ? byId('ptx').value : null, kernel: own ? v('kernel') : '',
    grid: v('grid'), block: v('block'), shared: v('shared'), regs: v('regs'),
    args: byId('args').value.split(/\s+/).filter(Boolean),
    machines: fields.slice(0, byId('compare').checked ? 2 : 1).map((f) => f.value), from: v('from'), step: page.at
  };
}

function writeFields(s) {
  if (s.ptx !== null) byId('ptx').value = s.ptx;
  choose(s.example === null ? OWN : s.example);
  fillLaunch(s);
  const e = examples.get(s.example), same = e && e.sizes.findIndex((z) => z.grid === s.grid && z.block === s.block && z.args.join() === s.args.join());
  if (same >= 0) byId('size').value = String(same);
  byId('from').value = s.from;
  byId('compare').checked = s.machines.length > 1;
  byId('machine-b').hidden = s.machines.length < 2;
  s.machines.forEach((m, k) => {
    fields[k].value = m;
  });
}

// ---- the run ----

const fileOf = (s) => s.example === null ? 'kernel.ptx' : `${s.example}.ptx`;
const sourceOf = (s) => s.example === null ? {name: 'kernel', ptx: s.ptx, cu: null} :
  {name: s.example, ptx: text(`examples/${s.example}.ptx`), cu: text(`examples/${s.example}.cu`)};
const MOST_INSTS = '50000000';

function commandsOf(s) {
  const kernel = s.example === null ? s.kernel : examples.get(s.example).kernel;
  const exec = ['exec', fileOf(s), ...(kernel ? ['--kernel', kernel] : []), '--grid', s.grid, '--block', s.block,
    ...(Number(s.shared) ? ['--shared', s.shared] : []), ...(Number(s.regs) ? ['--max-regs', s.regs] : []),
    ...s.args.flatMap((a) => ['--arg', a]), '--max-warp-insts', MOST_INSTS, '--record', 'kernel.bst'];
  return [exec, ...s.machines.map((m) => ['run', 'kernel.bst', ...machineArgs(m)])];
}

function stepsOf(s, source) {
  const [exec, ...runs] = commandsOf(s);
  return [
    {args: ['bankshot', ...exec], keep: JSON.stringify([exec, source.ptx])},
    ...runs.map((r, k) => ({args: ['bankshot', ...r, '--profile', '--json', `run${k}.json`, '--pipeline', `pipe${k}.json`,
      ...(Number(s.from) ? ['--pipeline-from', s.from] : [])]}))
  ];
}

const working = (busy) => {
  byId('run').disabled = busy;
  byId('cancel').disabled = !busy;
  byId('answer').classList.toggle('stale', busy);
};
const say = (what, share) => {
  byId('doing').textContent = what;
  if (share === undefined || isNaN(share))
    byId('progress').removeAttribute('value');
  else
    byId('progress').value = share;
};

async function run() {
  if (runner.job) return;
  let s;
  try {
    s = checkState(readFields(), page.known);
  } catch (e) {
    if (!(e instanceof Refused)) throw e;
    return fail(`This cannot run: ${e.message.replace(/^its /, 'the ')}.`);
  }
  const source = sourceOf(s), from = performance.now(), runs = s.machines.length;
  page.state = s;
  working(true);
  say('Compiling and executing …');
  try {
    const {results, files} = await runner.run([[fileOf(s), source.ptx]], stepsOf(s, source), ['run0.json', 'run1.json', 'pipe0.json', 'pipe1.json'],
      (step, share) => say(step < 1 ? 'Compiling and executing …' : `Timing${runs > 1 ? ` machine ${letters[step - 1]}` : ''} … ${isNaN(share) ? '' : percent(share, 1, 0)}`,
        step < 1 ? NaN : (step - 1 + share) / runs));
    const bad = results.find((r) => r.status);
    if (bad) return fail(bad.err.replace(/\r[^\n]*\r?\x1b\[K/g, '').trim() || bad.out);
    page.results = s.machines.map((m, k) => ({machine: m, json: JSON.parse(files.get(`run${k}.json`)),
      pipeline: files.has(`pipe${k}.json`) ? JSON.parse(files.get(`pipe${k}.json`)) : null}));
    page.source = source;
    page.output = results.map((r) => r.out).join('\n');
    show(s);
    const insts = page.results.reduce((sum, r) => sum + r.json.warp_insts, 0), ms = performance.now() - from;
    say(`Done in ${num(ms / 1000, 2)} s: ${num(insts)} warp instructions, ${num(highest(results.map((r) => r.memory_b)) / 1048576)} MiB.`, 1);
    page.ms = ms;
  } catch (e) {
    if (!(e instanceof Cancelled)) throw e;
    say('Cancelled.', 0);
  } finally {
    working(false);
  }
  await writeAddress(s);
}

function fail(why) {
  byId('failed').hidden = false;
  byId('answer').hidden = true;
  byId('failed-text').textContent = why;
  say('It did not run.', 0);
}

// ---- what is shown ----

function show(s) {
  byId('failed').hidden = true;
  byId('answer').hidden = false;
  byId('headline-title').textContent = `${s.example === null ? 'Your kernel' : examples.get(s.example).title} on ${page.results.map((r) => machineName(r.machine)).join(' and ')}`;
  drawCards(byId('cards'), page.results);
  drawWaiting(byId('waiting-chart'), page.results);
  drawEnergy(byId('energy-chart'), page.results);
  drawCounters(byId('counters'), page.results);
  drawPipelines();
  byId('code-of-label').hidden = page.results.length < 2;
  if (page.results.length < 2) byId('code-of').value = '0';
  const forms = codeForms(page.source, page.results[0].json.profile), form = byId('code-form').value;
  fillSelect(byId('code-form'), forms.map((f) => f[0]), forms.map((f) => f[1]), form);
  showCode();
  byId('commands').textContent = commandsOf(s).map((c) => ['bankshot', ...c].map((w) => /^[\w.,:=+/-]+$/.test(w) ? w : `'${w}'`).join(' ')).join('\n');
  byId('text').textContent = page.output;
  if (page.at) judge();
}

function showCode() {
  drawCode(byId('code-host'), byId('code-form').value, page.source, page.results[Number(byId('code-of').value)].json.profile);
}

function drawPipelines() {
  byId('pipeline-host').replaceChildren();
  byId('pipeline').hidden = !page.results.some((r) => r.pipeline);
  for (const [k, r] of page.results.entries()) {
    if (!r.pipeline) continue;
    if (page.results.length > 1) byId('pipeline-host').append(element('h3', {}, rowName(page.results, k)));
    const host = element('div', {});
    byId('pipeline-host').append(host);
    pipelineView(host, r.pipeline);
  }
}

// ---- the lesson ----

function judge() {
  const step = LESSON[page.at - 1], now = {state: page.state, r: page.results[0], sum: (/checksum (\S+)/.exec(page.output) || [])[1]};
  if (!page.first) page.first = now;
  const verdict = page.first === now ? 'This is where you start. Change something and run it again.' : step.verdict(now, page.first);
  const right = verdict === true;
  if (right) page.answered.add(page.at);
  drawLesson(right ? `Right. ${step.after}` : verdict, right);
}

function drawLesson(verdict, right) {
  const step = LESSON[page.at - 1], host = byId('lesson');
  host.hidden = !page.at;
  if (!page.at) return;
  const go = (k) => element('button', {type: 'button', 'aria-current': k === page.at ? 'step' : null, click: () => enter(k)}, `${k}${page.answered.has(k) ? ' ✓' : ''}`);
  host.replaceChildren(
      element('ol', {class: 'steps', 'aria-label': 'Steps'}, ...LESSON.map((l, k) => element('li', {title: l.title}, go(k + 1))),
              element('li', {}, element('button', {type: 'button', click: () => enter(0)}, 'End the lesson'))),
      element('h2', {id: 'lesson-title'}, `${page.at}. ${step.title}`), ...step.text.map((t) => element('p', {}, t)), element('p', {class: 'question'}, step.question),
      element('details', {}, element('summary', {}, 'A hint'), element('p', {}, step.hint)),
      element('p', {class: `verdict ${right ? 'good' : ''}`, role: 'status', id: 'verdict'}, verdict),
      right && page.at < LESSON.length ? element('button', {type: 'button', class: 'main', click: () => enter(page.at + 1)}, 'Next step') : '');
}

async function enter(k) {
  runner.cancel();
  page.at = k;
  page.first = null;
  if (!k) {
    byId('lesson').hidden = true;
    return writeAddress(readFields());
  }
  const step = LESSON[k - 1];
  choose(step.example, step.size);
  if (step.shared) byId('shared').value = step.shared;
  byId('launch').open = true;
  byId('compare').checked = false;
  byId('from').value = '';
  byId('machine-b').hidden = true;
  fields[0].value = step.machines[0];
  drawLesson('Running it as it is …', false);
  await run();
}

// ---- the address ----

async function writeAddress(s) {
  const hash = '#s=' + await encodeState({...s, step: page.at});
  if (hash !== location.hash) history.replaceState(null, '', hash);
  return hash;
}

function refusal(why) {
  byId('refused').hidden = !why;
  byId('refused').textContent = why ? `The link that brought you here was refused: ${why}. The page shows its first example instead.` : '';
}

// What the address says; the first example where it says nothing, or what cannot be.
async function begin() {
  const given = /^#s=(.*)$/.exec(location.hash);
  let s = null;
  refusal('');
  page.at = 0;
  page.first = null;
  byId('lesson').hidden = true;
  if (given) {
    try {
      s = await decodeState(given[1], page.known);
    } catch (e) {
      if (!(e instanceof Refused)) throw e;
      refusal(e.message);
    }
  }
  if (s && s.step) {
    await enter(s.step);
    if (JSON.stringify({...s}) === JSON.stringify({...page.state, step: s.step})) return;
  }
  if (s)
    writeFields(s);
  else
    choose('saxpy');
  await run();
}

// ---- the beginning ----

async function lists() {
  const list = (...args) => ({args: ['bankshot', 'list', ...args, '--json']});
  const {results} = await runner.run([], [list('gpus'), list('mechs'), list('stats'), list('options', '--gpu', 'volta')], []);
  const bad = results.find((r) => r.status);
  if (bad) throw new Error(bad.err);
  const [gpus, mechs, stats, options] = results.map((r) => JSON.parse(r.out).rows);
  const map = (rows) => new Map(rows.map((r) => [r.name, r.about]));
  page.causes = Object.fromEntries(stats.map((r) => [r.name, r.about]));
  page.known = {examples, gpus: map(gpus), mechs: map(mechs)};
  fields = ['a', 'b'].map((id) => new MachineFields(byId(`machine-${id}`), id, page.known));
  for (const f of fields) {
    f.value = {gpu: 'volta', mechs: [], sets: []};
    f.suggest(options);
  }
}

function wire() {
  fillSelect(byId('example'), [...examples.keys(), OWN], [...[...examples.values()].map((e) => e.title), 'your own PTX …']);
  byId('example').addEventListener('change', () => choose(byId('example').value));
  byId('size').addEventListener('change', () => fillLaunch(examples.get(byId('example').value).sizes[Number(byId('size').value)]));
  for (const id of ['grid', 'block']) byId(id).addEventListener('input', showLaunch);
  byId('compare').addEventListener('change', () => {
    byId('machine-b').hidden = !byId('compare').checked;
  });
  byId('setup').addEventListener('submit', (e) => {
    e.preventDefault();
    run();
  });
  byId('cancel').addEventListener('click', () => runner.cancel());
  byId('link').addEventListener('click', async () => {
    await writeAddress(readFields());
    try {
      await navigator.clipboard.writeText(location.href);
      say('The link is in the clipboard.', 0);
    } catch (e) {  // not allowed here, from a file for one
      say('The link is the address of this page now.', 0);
    }
  });
  byId('from').addEventListener('change', run);
  byId('lesson-start').addEventListener('click', () => enter(1));
  for (const id of ['code-form', 'code-of']) byId(id).addEventListener('change', showCode);
  window.addEventListener('hashchange', begin);
  let width = innerWidth;
  window.addEventListener('resize', () => {
    if (innerWidth === width || !page.results.length) return;
    width = innerWidth;
    drawWaiting(byId('waiting-chart'), page.results);
    drawEnergy(byId('energy-chart'), page.results);
  });
}

wire();
lists().then(begin).catch((e) => fail(`The simulator could not start: ${e.message}`));
