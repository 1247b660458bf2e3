// SPDX-License-Identifier: Apache-2.0
// The same over the database of a sweep of two options: the first screen, charts over options, one run beside
// another, the address, and files of charts, which test_report.sh opens with other programs.
runProbe(async ({check, all, text, wait, change, print}) => {
  const gist = (id) =>
      (document.querySelector(`#${id}-chart svg`) || {getAttribute: () => ''}).getAttribute('aria-label');
  const near = (a, b) => Math.abs(a - b) < 1e-9;

  // ---- what was found, computed again from the runs ----
  const of = (m) => points.filter((p) => p.mechs === m && isNumber(p.speedup));
  const shownMean = () => Number(text('#found-mechs tbody td')[0]);
  const mean = Math.exp(of('rba').reduce((s, p) => s + Math.log(p.speedup), 0) / of('rba').length);
  check('a mechanism\'s mean', near(shownMean(), Number(mean.toFixed(3))), `${shownMean()} ${mean}`);
  const effects = points.filter((p) => p.mechs !== 'base' && isNumber(p.speedup))
                      .map((p) => Math.abs(Math.log(p.speedup)));
  const first = text('#found-effects li strong')[0];
  check(
      'the largest effect is first',
      near(Math.abs(Math.log(parseFloat(first))).toFixed(2), Math.max(...effects).toFixed(2)), first);
  check('with a reason', /%/.test(text('#found-effects li .why')[0]), text('#found-effects li').join(' / '));
  check(
      'what limits them',
      all('#found-limits dt').length >= 1 && text('#found-limits dd').join().includes('r.bst'),
      text('#found-limits').join());
  check(
      'how far to trust it',
      /kernel/.test(text('#found-trust').join()) && /seed/.test(text('#found-trust').join()),
      text('#found-trust').join());

  // ---- what it means, and what to do next ----
  const effect = text('#found-effects li')[0];
  check('an effect says against what', /(fewer|more) cycles than the run without mechanisms/.test(effect), effect);
  check(
      'a cause beside its meaning', all('#found-effects .term').every((e) => e.title.length > 10),
      all('#found-effects .term').map((e) => e.title).join('/'));
  check('a limit has a next step', text('#found-limits dd .next').every((t) => /Try: |issue in most/.test(t)),
        text('#found-limits dd').join());
  check(
      'a glossary of the causes shown',
      all('#stalls-glossary dt').length > 3 && causes.every((c) => c === 'issued' || NEXT_STEPS[c]),
      `${all('#stalls-glossary dt').length} ${causes.filter((c) => !NEXT_STEPS[c])}`);
  check(
      'rules of the runs without mechanisms',
      data.advice.rows.length > 0 && all('#advice-table tbody tr').length === Math.min(20, data.advice.rows.length),
      `${all('#advice-table tbody tr').length} ${data.advice.rows.length}`);
  check(
      '± is there with its explanation, or not at all',
      byId('found-error').hidden === !text('#found-mechs thead').join().includes('±'), text('#found-mechs thead').join());
  const wide = all('#found-mechs .scroll, #advice-table .scroll').filter((e) => e.scrollWidth > e.clientWidth + 1);
  check('findings fit the page', wide.length === 0, wide.map((e) => `${e.scrollWidth} > ${e.clientWidth}`).join());

  // ---- options as axes ----
  check(
      'swept options', sweptOptions(points).join() === 'sm.banks,sm.collectors', sweptOptions(points).join());
  check(
      'lines', all('#axes-chart path.line').length === 2 && all('#axes-chart .mark').length === 4,
      `${all('#axes-chart path.line').length} ${all('#axes-chart .mark').length}`);
  const at = (w, b, c, m) => points.find(
      (p) => p.workload === w && p.mechs === m && optionOf(p, 'sm.banks') === b &&
          optionOf(p, 'sm.collectors') === c);
  const speeds = ['r.bst', 's.bst'].flatMap(
      (w) => ['1', '2'].map((c) => cyclesOf(at(w, '2', c, 'base')) / cyclesOf(at(w, '4', c, 'base'))));
  const rows = () => byId('axes-chart').numbers.rows;
  const value = rows().find((r) => r.series === 'base' && r.x === '4').value;
  check(
      'a line\'s value is the mean over all programs', near(value, geomean(speeds)),
      `${value} ${geomean(speeds)}`);
  check(
      'the first value is 1', near(rows().find((r) => r.series === 'base' && r.x === '2').value, 1),
      rows().map((r) => r.value).join());
  change('axes-kind', 'heat');
  check('a field', all('#axes-chart rect').length === 4, all('#axes-chart rect').length);
  const best = rows().reduce((a, b) => b.value > a.value ? b : a);
  check('says where it is highest', gist('axes').includes(formatNumber(best.value, 3)), gist('axes'));
  change('axes-measure', 'kernel_cycles');
  const cell = rows().find((r) => r.x === 0 && r.y === 0),
        cycles = ['r.bst', 's.bst'].map((w) => cyclesOf(at(w, '2', '1', 'base')));
  check('any measure', near(cell.value, geomean(cycles)), `${cell.value} ${cycles}`);
  await wait(50);
  check(
      'the address has it',
      /axes-kind=heat/.test(location.hash) && /axes-measure=kernel_cycles/.test(location.hash),
      location.hash);
  check(
      'Pareto',
      all('#pareto-chart .mark').length === byId('pareto-chart').numbers.rows.length &&
          all('#pareto-chart path.line').length === 1,
      all('#pareto-chart .mark').length);
  const machinesShown = byId('pareto-chart').numbers.rows, front = frontier(machinesShown);
  check(
      'nobody beats the frontier',
      front.length > 0 &&
          front.every(
              (f) => !machinesShown.some(
                  (r) => r !== f && r.speed >= f.speed && r.cost <= f.cost &&
                      (r.speed > f.speed || r.cost < f.cost))),
      front.length);
  change('pareto-cost', 'area');
  check(
      'area as a cost',
      gist('pareto').includes('area') &&
          distinct(byId('pareto-chart').numbers.rows.map((r) => r.cost.toFixed(6))).length > 1,
      gist('pareto'));

  // ---- one run beside another ----
  const slow = at('r.bst', '2', '1', 'base'), fast = at('r.bst', '4', '2', 'base');
  change('run-which', String(fast.id));
  check('a base says so', text('#run-apart').join().includes('base run'), text('#run-apart').join());
  change('run-beside', String(slow.id));
  const lead = text('#run-apart')[0];
  check(
      'begins with what differs', lead.includes('sm.banks 2 → 4') && lead.includes('sm.collectors 1 → 2'),
      lead);
  check('and by how much', lead.includes((cyclesOf(slow) / cyclesOf(fast)).toFixed(3)), lead);
  const sum = changesByCause(slow, fast).reduce((s, c) => s + c.change, 0);
  check('changes by cause add up', Math.abs(sum - (cyclesOf(fast) / cyclesOf(slow) - 1)) < 1e-6, sum);
  check(
      'options that differ', text('#run-options tbody th').join() === 'sm.banks,sm.collectors',
      text('#run-options tbody th').join());
  const weights =
      text('#run-counters tbody th').map((n) => weightOfChange(counterOf(fast, n), counterOf(slow, n)));
  check(
      'counters that changed most first',
      weights.length > 10 && weights.every((w, i) => i === 0 || w <= weights[i - 1] + 1e-9), weights.join());
  check(
      'kernels',
      all('#kernels-chart rect').length === 2 && byId('kernels-chart').numbers.rows[0].kernel_cycles > 0,
      all('#kernels-chart rect').length);
  check('over time', all('#time-chart path.line').length === 2, all('#time-chart path.line').length);
  check('a distribution', all('#spread-chart .mark').length > 2, all('#spread-chart .mark').length);
  const issued = distributions.get(fast.run).find((d) => d.name === 'sm.partition_issued');
  change('spread-which', 'sm.partition_issued');
  check(
      'its numbers are the run\'s',
      spreadOf(issued).reduce((s, o) => s + o.value, 0) === counterOf(fast, 'sm.issued'), issued.list);

  // ---- roofline, silicon ----
  const roof = byId('roof-chart').numbers;
  check(
      'roofline', roof && roof.rows.every((r) => r.y <= Math.min(r.peak, r.x * r.bytes) * 1.001),
      roof && JSON.stringify(roof.rows[0]));
  change('roof-memory', 'L2');
  const l2 = byId('roof-chart').numbers.rows;
  check(
      'roofline of L2', gist('roof').includes('of L2') && l2.length > 0 && l2.every((r) => r.y <= Math.min(r.peak, r.x * r.bytes)),
      gist('roof'));
  const off = points.filter((p) => p.workload === 'r.bst' && p.mechs === 'base')
                  .map((p) => Math.abs(kernelSums.get(p.run).reduce((s, k) => s + k.cycles, 0) / 10000 - 1));
  check(
      'a real GPU',
      gist('silicon').includes(`4 runs, mean error ${percent(off.reduce((a, b) => a + b, 0) / 4)}`),
      gist('silicon'));

  // ---- over time ----
  const course = byId('course-chart').numbers.rows;
  check(
      'a course by cause',
      course.length > 3 && course[course.length - 1].to === fast.result.cycles &&
          course.every((r) => Math.abs(r.parts.reduce((a, b) => a + b, 0) - 1) < 1e-9),
      course.length);
  check(
      'its areas', all('#course-chart path.area').length === byId('course-chart').numbers.columns.length - 2,
      all('#course-chart path.area').length);
  change('course-which', 'power by part');
  const power = byId('course-chart').numbers.rows, spent = power.map((r) => r.all * r.get('time.ps'));
  check(
      'power by part', power.every((r) => r.all > 0 && Math.abs(r.watts.reduce((a, b) => a + b, 0) - r.all) < 1e-9),
      power.length);
  check(
      'what energies rest on',
      text('#energy-chart figcaption').join() === 'Energies of volta: scaled from a chip that was measured.' &&
          text('#course-chart figcaption').join().endsWith(text('#energy-chart figcaption').join()),
      text('#energy-chart figcaption, #course-chart figcaption').join());
  check('... on each GPU once, with the error that is known',
        energyBasis([...points, ...points]) === 'Energies of volta: scaled from a chip that was measured.' && energyBasis([]) === '',
        energyBasis(points));
  const joules = spent.reduce((a, b) => a + b, 0), whole = fast.result.energy_pj;
  check('power adds up to the energy', Math.abs(joules / whole - 1) < 1e-3, `${joules} of ${whole}`);
  change('course-which', 'warp instructions per cycle');
  const rates = byId('course-chart').numbers.rows.filter((r) => r.s === 'this run');
  check(
      'a rate adds up', near(rates.reduce((s, r) => s + r.value * (r.to - r.from), 0) / fast.result.warp_insts, 1),
      rates.length);
  check('beside the other', all('#course-chart path.line').length === 2, all('#course-chart path.line').length);

  // ---- outliers do not set the axis ----
  check(
      'the usual range',
      usualRange([1, 1.01, 1.02, 1.03, 1.02, 1.01, 0.99, 1.0, 0.98, 9]).join() === '0.98,1.03',
      usualRange([1, 1.01, 1.02, 1.03, 1.02, 1.01, 0.99, 1.0, 0.98, 9]).join());
  check('two groups are no outliers', usualRange([1, 1, 1, 1, 1, 5, 5, 5, 5]).join() === '1,5', '');
  const tall = document.createElement('figure');
  byId('speedup').append(tall);
  barChart(tall, {
    origin: 1,
    gist: 'x',
    groups: [...Array(12).keys()].map(
        (i) => ({
          name: `g${i}`,
          bars: [0, 1, 2].map(() => ({value: i === 5 ? 20 : 1 + i / 100, style: seriesStyle(0), title: ''}))
        }))
  });
  check('a long bar is not the axis', all('#speedup figure:last-child .cut').length === 0, '');
  tall.replaceChildren();
  barChart(tall, {
    origin: 1,
    gist: 'x',
    groups: [...Array(40).keys()].map(
        (i) =>
            ({name: `g${i}`, bars: [{value: i === 5 ? 20 : 1 + i / 100, style: seriesStyle(0), title: ''}]}))
  });
  check(
      'one long bar is cut and named',
      [...tall.querySelectorAll('.cut')].map((t) => t.textContent).join() === '» 20.000', tall.textContent);
  tall.remove();

  // ---- the address ----
  change('speedup-form', 'curves');
  check(
      'curves', all('#speedup-chart path.line').length === 1 && all('#speedup-chart .mark').length === 8,
      all('#speedup-chart .mark').length);
  await wait(50);
  const kept = location.hash;
  check(
      'choices are in the address',
      /speedup-form=curves/.test(kept) && kept.includes(`run-beside=${slow.id}`), kept);
  location.hash = '#axes&f-mechs=base&axes-kind=heat&run-which=99999&nonsense=%E0%A4%A';
  await wait(200);
  check(
      'an address is followed',
      byId('axes-kind').value === 'heat' && byId('f-mechs').value === 'base' &&
          byId('speedup-form').value === 'bars' && shown.every((p) => p.mechs === 'base'),
      `${byId('axes-kind').value} ${shown.length}`);
  location.hash = kept;
  await wait(200);
  check(
      '... and back',
      byId('speedup-form').value === 'curves' && byId('run-beside').value === String(slow.id) &&
          shown.length === points.length,
      byId('run-beside').value);
  document.querySelector('#sections a[href="#pareto"]').click();
  await wait(50);
  check(
      'a section keeps the choices',
      location.hash.startsWith('#pareto&') && /speedup-form=curves/.test(location.hash), location.hash);

  // ---- files ----
  const charts = all('figure').filter((f) => f.querySelector('svg'));
  check(
      'every chart has its files',
      charts.length >= 9 && charts.every((f) => f.querySelectorAll('.files button').length === 3),
      charts.map((f) => `${f.id} ${f.querySelectorAll('.files button').length}`).join());
  for (const f of charts) {
    const svgText = exportSvg(f), csv = exportCsv(f.numbers);
    check(
        `${f.id} as SVG`,
        !new DOMParser().parseFromString(svgText, 'image/svg+xml').querySelector('parsererror') &&
            !/var\(|color-mix|class=/.test(svgText),
        svgText.match(/.{40}(var\(|color-mix|class=).{20}/));
    check(`${f.id} as CSV`, csv.split('\n').length >= f.numbers.rows.length + 2, csv.slice(0, 100));
  }
  const bytes = await exportPng(byId('axes-chart'));
  print('file axes.png ' + btoa(bytes.reduce((s, b) => s + String.fromCharCode(b), '')));
  for (const id of ['axes', 'stalls', 'pareto']) {
    print(`file ${id}.svg ` + btoa(unescape(encodeURIComponent(exportSvg(byId(id + '-chart'))))));
    print(`file ${id}.csv ` + btoa(unescape(encodeURIComponent(exportCsv(byId(id + '-chart').numbers)))));
  }
  check(
      'fits the width', document.documentElement.scrollWidth <= window.innerWidth,
      `${document.documentElement.scrollWidth} > ${window.innerWidth}`);
});
