// The filter over everything, and the beginning.

const filters = {
  gpu: 'f-gpu',
  mechs: 'f-mechs',
  size: 'f-size',
  options: 'f-options'
};
const isAll = (id) => byId(id).selectedIndex <= 0;  // the first choice

function shownPoints() {
  const words = byId('f-text').value.toLowerCase().split(/\s+/).filter(Boolean);
  return points.filter((p) => {
    const text = [p.workload, p.size, p.gpu, p.mechs, p.options].join(' ').toLowerCase();
    return words.every((w) => text.includes(w)) &&
        Object.entries(filters).every(
            ([field, id]) => isAll(id) || String(p[field]) === byId(id).value ||
                // a mechanism is shown beside its base
                (field === 'mechs' && p.mechs === 'base'));
  });
}

let shown = points;

function draw() {
  shown = shownPoints();
  cyclesShown.program = !isAll('f-cycles');
  for (const e of document.querySelectorAll('.cycles-name')) e.textContent = cyclesName();
  byId('f-count').textContent = `${shown.length} of ${points.length} runs`;
  drawSpeedup(shown);
  drawBreakdowns(shown);
  drawScatter(shown);
  drawPairs(shown);
  drawRuns(shown);
  drawRatios(shown);
  listRuns(shown);
}

function drawCharts() {
  drawSpeedup(shown);
  drawBreakdowns(shown);
  drawScatter(shown);
  drawPairs(shown);
  drawProfile();
}

function fillFilters() {
  for (const [field, id] of Object.entries(filters)) {
    const values = field === 'mechs' ? orderMechs(points.map((p) => p.mechs)) :
                                       distinct(points.map((p) => String(p[field]))).sort(natural);
    fillSelect(byId(id), ['', ...values], ['all', ...values.map((v) => v || '(none)')]);
    byId(id).parentElement.hidden = values.length < 2;
    byId(id).parentElement.style.display = values.length < 2 ? 'none' : '';
  }
}

function fillMeasures() {
  for (const [id, first] of [['scatter-x', 'bank_conflicts_per_inst'], ['scatter-y', 'ipc_per_sm']]) {
    const select = byId(id);
    select.replaceChildren(...distinct(measures.map((m) => m.group))
                               .map(
                                   (g) => element(
                                       'optgroup', {label: g},
                                       ...measures.filter((m) => m.group === g)
                                           .map((m) => element('option', {value: m.name}, m.name)))));
    if (measureNamed(first)) select.value = first;
  }
}

function showSections() {
  const has = {
    speedup: points.some((p) => p.mechs !== 'base'),
    stalls: points.some((p) => p.counters),
    energy: energies.size > 0,
    scatter: measures.length > 1,
    pairs: pairs.length > 0,
    runs: true,
    ratios: ratios.size > 0,
    run: points.length > 0,
    profile: profiles.length > 0,
    claims: data.claims.rows.length > 0
  };
  for (const [id, yes] of Object.entries(has)) {
    byId(id).hidden = !yes;
    if (yes)
      byId('sections')
          .append(
              element('li', {}, element('a', {href: '#' + id}, byId(id).querySelector('h2').textContent)));
  }
}

function summary() {
  const count = (n, one, many) => `${n} ${n === 1 ? one : many}`;
  const models = distinct(points.map((p) => p.result.model).filter(Boolean));
  byId('summary').textContent = `${data.file}: ${count(points.length, 'run', 'runs')}, ` +
      `${count(distinct(points.map((p) => p.workload)).length, 'workload', 'workloads')}, ` +
      `${count(distinct(points.map((p) => p.mechs)).length, 'set of mechanisms', 'sets of mechanisms')}, ` +
      `${distinct(points.map((p) => p.gpu)).join(', ')}` +
      ['size', 'options']
          .map((f) => distinct(points.map((p) => p[f])))
          .filter((v) => v.length === 1 && v[0])
          .map((v) => ', ' + v[0])
          .join('') +
      (models.length > 1 ? `. Careful: the results are of ${models.length} different models.` : '');
}

function start() {
  summary();
  fillFilters();
  fillMeasures();
  showSections();
  fillSelect(byId('profile-which'), profiles.map((x, i) => String(i)), profiles.map(profileName));
  draw();
  drawProfile();
  drawClaims();
  const later = (f) => {
    let timer;
    return () => {
      clearTimeout(timer);
      timer = setTimeout(f, 120);
    };
  };
  byId('filter').addEventListener('submit', (e) => e.preventDefault());
  byId('filter').addEventListener('reset', () => setTimeout(draw));
  byId('f-text').addEventListener('input', later(draw));
  for (const id of [...Object.values(filters), 'f-cycles']) byId(id).addEventListener('change', draw);
  byId('speedup-order').addEventListener('change', () => drawSpeedup(shown));
  for (const b of breakdowns) byId(b.id + '-scale').addEventListener('change', () => drawBreakdown(b, shown));
  for (const id of ['scatter-x', 'scatter-y', 'scatter-by', 'scatter-log'])
    byId(id).addEventListener('change', () => drawScatter(shown));
  byId('run-which').addEventListener('change', drawRun);
  byId('run-options-kind').addEventListener('change', drawRun);
  byId('profile-which').addEventListener('change', drawProfile);
  byId('profile-by').addEventListener('change', drawProfile);
  let width = window.innerWidth;
  window.addEventListener('resize', later(() => {
                            if (window.innerWidth !== width)  // not when a phone hides its address bar
                              drawCharts();
                            width = window.innerWidth;
                          }));
}

start();
