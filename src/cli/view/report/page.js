// SPDX-License-Identifier: Apache-2.0
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
  drawFound(shown);
  drawAdvice(shown);
  drawGlossary(byId('stalls-glossary'), shown);
  drawCharts();
  drawRuns(shown);
  drawRatios(shown);
  drawLight(shown);
}

function drawCharts() {
  for (const f
           of [drawSpeedup, drawAxes, drawPareto, drawBreakdowns, drawScatter, drawRoof, drawSilicon,
               drawPairs, listRuns])
    f(shown);
}

function drawPipelines() {
  const chosen = data.pipelines[Number(byId('pipelines-which').value)];
  byId('pipelines-host').replaceChildren();
  if (chosen) pipelineView(byId('pipelines-host'), chosen);
}

// What does not depend on the filter.
function drawRest() {
  drawProfile();
  drawPipelines();
  drawClaims();
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

function fillAxesMeasures() {
  const names = [SPEED, ...measures.map((m) => m.name)];
  fillSelect(byId('axes-measure'), names, [measureTitle(SPEED), ...measures.map((m) => m.name)]);
}

function showSections() {
  const has = {
    found: true,
    advice: data.advice.rows.length > 0,
    speedup: points.some((p) => p.mechs !== 'base'),
    axes: sweptOptions(points.filter((p) => p.ok)).length > 0,
    pareto: distinct(points.filter((p) => p.ok && p.result.energy_pj > 0).map(configOf)).length > 1,
    stalls: points.some((p) => p.counters),
    energy: energies.size > 0,
    scatter: measures.length > 1,
    roof: Object.keys(MEMORIES).some(memoryUsed),
    light: lights.size > 0,
    silicon: silicon.length > 0,
    pairs: pairs.length > 0,
    runs: true,
    ratios: ratios.size > 0,
    run: points.length > 0,
    profile: profiles.length > 0,
    pipelines: data.pipelines.length > 0,
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

// What a choice changes. The filter changes everything.
const redraws = {
  'speedup-form': () => drawSpeedup(shown),
  'speedup-order': () => drawSpeedup(shown),
  'profile-which': drawProfile,
  'profile-by': drawProfile,
  'pipelines-which': drawPipelines,
  'roof-by': () => drawRoof(shown),
  'roof-memory': () => drawRoof(shown),
  'roof-work': () => drawRoof(shown),
  'course-which': () => drawCourse(chosenRun(), chosenOther(chosenRun())),
  'spread-which': () => drawSpread(chosenRun(), chosenOther(chosenRun()))
};
for (const b of breakdowns) redraws[b.id + '-scale'] = () => drawBreakdown(b, shown);
for (const id of ['scatter-x', 'scatter-y', 'scatter-by', 'scatter-log'])
  redraws[id] = () => drawScatter(shown);
for (const id of ['axes-kind', 'axes-x', 'axes-y2', 'axes-measure', 'axes-by', 'axes-mech'])
  redraws[id] = () => drawAxes(shown);
for (const id of ['pareto-cost', 'pareto-ref']) redraws[id] = () => drawPareto(shown);
for (const id of ['run-which', 'run-beside', 'run-options-kind']) redraws[id] = drawRun;
for (const id of [...Object.values(filters), 'f-cycles']) redraws[id] = draw;

function start() {
  summary();
  fillFilters();
  fillMeasures();
  fillAxesMeasures();
  if (flopsOf.size === 0) fillSelect(byId('roof-work'), ['instructions'], ['warp instructions']);
  fillSelect(byId('roof-memory'), Object.keys(MEMORIES).filter(memoryUsed));
  fillSelect(byId('course-which'), [CAUSES, POWER, ...Object.keys(RATES)]);
  showSections();
  fillSelect(byId('profile-which'), profiles.map((x, i) => String(i)), profiles.map(profileName));
  fillSelect(
      byId('pipelines-which'), data.pipelines.map((p, i) => String(i)),
      data.pipelines.map((p) => [p.workload, p.gpu, ...p.mechs, `SM ${p.sm}`].join(' · ')));
  draw();  // fills the choices that depend on the runs shown
  const again = () => {
    draw();
    draw();  // what was chosen from lists that the first time has filled
    drawRest();
  };
  watchState(again);
  again();
  const later = (f) => {
    let timer;
    return () => {
      clearTimeout(timer);
      timer = setTimeout(f, 120);
    };
  };
  byId('filter').addEventListener('submit', (e) => e.preventDefault());
  byId('filter').addEventListener('reset', () => setTimeout(() => {
                                             draw();
                                             writeState();
                                           }));
  byId('f-text').addEventListener('input', later(() => {
                                    draw();
                                    writeState();
                                  }));
  for (const [id, f] of Object.entries(redraws)) byId(id).addEventListener('change', f);
  let width = window.innerWidth;
  window.addEventListener('resize', later(() => {
                            if (window.innerWidth !== width) {  // not when a phone hides its address bar
                              drawCharts();
                              drawRest();
                            }
                            width = window.innerWidth;
                          }));
  if (section) byId(section).scrollIntoView();
}

start();
