// SPDX-License-Identifier: Apache-2.0
// Appended to a copy of the page by test_report.sh: uses it as a person would and writes down what it sees.
runProbe(async ({check, all, text, wait, change}) => {
  const numbers = (list) => list.map((s) => Number(s.replace(/[^0-9.e+-]/g, '')));
  const sorted = (list, sign) => list.every((v, i) => i === 0 || sign * (v - list[i - 1]) >= 0);
    check('no script of the data ran', !window.hacked, 'it did');
    check(
        'no element of the data', all('img, iframe, main script').length === 0,
        all('img, iframe, main script').length);
    check(
        'a hostile name is shown as it is',
        text('#runs-table tbody th').some((t) => t.includes('<img src=x')),
        text('#runs-table tbody th').join());

    const heads = () => all('#runs-table thead th'),
          at = () => heads().findIndex((h) => h.textContent === 'cycles') + 1;
    const cells = () => numbers(
        text(`#runs-table tbody tr > :nth-child(${at()})`).filter(Boolean));  // a refused run has none
    const press = () => heads()[at() - 1].querySelector('button').click();
    const before = text('#runs-table tbody tr').length;
    press();
    check(
        'sorts down', sorted(cells(), -1) && heads()[at() - 1].getAttribute('aria-sort') === 'descending',
        cells().join());
    check(
        'keeps the focus', document.activeElement === heads()[at() - 1].querySelector('button'),
        document.activeElement.tagName);
    press();
    check(
        'sorts up', sorted(cells(), 1) && heads()[at() - 1].getAttribute('aria-sort') === 'ascending',
        cells().join());
    check(
        'one heading sorts', heads().filter((h) => h.getAttribute('aria-sort') !== 'none').length === 1, '');

    const light = text('#light-table tbody tr'), fits = text('#occupancy-table tbody tr');
    check('speed of light has runs', light.length > 0 && !byId('light').hidden, light.length);
    const issue = all('#light-table thead th').findIndex((h) => h.textContent === 'issue %') + 1;
    check(
        'shares are percents',
        issue > 0 && numbers(text(`#light-table tbody tr > :nth-child(${issue})`)).every((v) => v > 0 && v <= 100),
        issue);
    check(
        'occupancy says what limits it',
        fits.some((r) => /registers|warp slots|places for CTAs|shared memory|threads/.test(r)), fits.join());

    check('roofline of operations can be chosen', all('#roof-work option').length === 2, all('#roof-work option').length);
    change('roof-work', 'flop');
    check(
        'roofline of operations', text('#roof-chart').join().includes('floating-point operations per kernel cycle'),
        text('#roof-chart').join());
    change('roof-work', 'instructions');

    byId('f-text').value = 'r.bst cu4';
    byId('f-text').dispatchEvent(new Event('input'));
    await wait(400);
    check(
        'filters',
        text('#runs-table tbody tr').length > 0 &&
            text('#runs-table tbody tr').every((r) => r.includes('r.bst') && r.includes('cu4')),
        text('#runs-table tbody tr').join(' / '));
    check(
        'says how many', byId('f-count').textContent === `1 of ${before} runs`, byId('f-count').textContent);
    byId('filter').querySelector('[type=reset]').click();
    await wait(50);
    check(
        'shows all again', text('#runs-table tbody tr').length === before,
        text('#runs-table tbody tr').length);
    change('f-mechs', 'cu8');
    check(
        'a mechanism beside its base', text('#runs-table tbody tr').every((r) => /base|cu8/.test(r)),
        text('#runs-table tbody tr').join(' / '));
    byId('filter').querySelector('[type=reset]').click();
    await wait(50);

    check('bars', all('#speedup-chart rect').length === 4 * 2, all('#speedup-chart rect').length);
    check('bars have titles', all('#speedup-chart rect').every((r) => r.querySelector('title')), '');
    check(
        'geometric mean',
        /geometric means: cu4 [0-9.]+, cu8 [0-9.]+/.test(
            document.querySelector('#speedup-chart svg').getAttribute('aria-label')),
        '');
    const widths = (row) => row.map((r) => Number(r.getAttribute('width')));
    check(
        'causes',
        all('#stalls-chart rect').length > 10 && widths(all('#stalls-chart rect')).every((w) => w > 0),
        all('#stalls-chart rect').length);
    const texts = all('main svg text').filter((t) => t.getClientRects().length), outside = texts.filter((t) => {
      const box = t.getBBox(), view = t.ownerSVGElement.viewBox.baseVal;
      return box.x < -0.5 || box.x + box.width > view.width + 0.5 || box.y < -0.5 ||
          box.y + box.height > view.height + 0.5;
    });
    check(
        'labels are inside of their pictures', texts.length > 20 && outside.length === 0,
        outside.map((t) => t.textContent).join(' / '));
    // Without the whole name, which is in the title.
    const rows = (id) =>
        all(`#${id}-chart svg text[text-anchor=end]`).map((t) => t.firstChild.textContent);
    const names = rows('stalls');
    check('labels of runs differ', names.length > 5 && distinct(names).length === names.length, names.join(' / '));
    const sweep = [1, 2, 4].flatMap((a) => [8, 16].map((b) => `a-workload-with-a-name · sm.collector_ports=${a} sm.l1_mshrs=${b} · malekeh`));
    for (const width of [60, 100, 150, 220, 1000]) {
      const short = shortenAll(sweep, width);
      check(
          `labels of a sweep differ in ${width} pixels`,
          distinct(short).length === 6 && short.every((t) => textWidth(t) <= Math.max(width, 80)), short.join(' / '));
    }
    check('short labels are whole', shortenAll(['290  FMUL  R1', '90 FMUL R1'], 200).join() === '290 FMUL R1,90 FMUL R1', '');

    // Colours as they are on this page, in a space where distance is difference as people see it.
    const lab = (colour) => {
      const e = document.createElement('i');
      e.style.color = colour;
      document.body.append(e);
      const rgb = getComputedStyle(e).color.match(/[\d.]+/g).map((v) => v / 255),
            [r, g, b] = rgb.map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
      e.remove();
      const l = Math.cbrt(0.4122 * r + 0.5363 * g + 0.0514 * b), m = Math.cbrt(0.2119 * r + 0.6807 * g + 0.1074 * b),
            s = Math.cbrt(0.0883 * r + 0.2817 * g + 0.63 * b);
      return [
        0.2105 * l + 0.7936 * m - 0.0041 * s, 1.978 * l - 2.4286 * m + 0.4506 * s, 0.0259 * l + 0.7828 * m - 0.8087 * s
      ];
    };
    const alike = (list, least) => list.flatMap(
        (a, i) => list.slice(i + 1)
                      .filter((b) => a.pattern === b.pattern && Math.hypot(...lab(a.colour).map((v, k) => v - lab(b.colour)[k])) < least)
                      .map((b) => `${a.colour} ${b.colour}`));
    const series = [...Array(40).keys()].map(seriesStyle);
    check('40 series differ', alike(series, 0.1).length === 0, alike(series, 0.1).join());
    check('parts of the energy differ', alike(energyParts.map(energyStyle), 0.1).length === 0, '');
    check('causes differ', alike(causes.map(causeStyle), 0.07).length === 0, alike(causes.map(causeStyle), 0.07).join());
    check(
        'patterns are drawn', distinct(series.map(paint)).length === 40 && distinct(series.map(background)).length === 40 &&
            series.map(paint).filter((f) => f.startsWith('url')).every((f) => document.querySelector(f.slice(4, -1))), '');
    check('energy', all('#energy-chart rect').length > 10, all('#energy-chart rect').length);
    check('marks', all('#scatter-chart .mark').length === before - 1, all('#scatter-chart .mark').length);
    change('scatter-x', 'cycles');
    change('scatter-y', 'sm.reg_reads');
    check(
        'chooses measures',
        document.querySelector('#scatter-chart svg')
            .getAttribute('aria-label')
            .startsWith('sm.reg_reads over cycles'),
        '');
    byId('scatter-log').click();
    check(
        'logarithmic',
        all('#scatter-chart circle').every((c) => Number.isFinite(Number(c.getAttribute('cx')))), '');
    check(
        'no chart has a broken number', !all('svg').some((s) => /NaN|Infinity|undefined/.test(s.outerHTML)),
        'one has');
    check(
        'every chart has a label',
        all('figure > svg').every((s) => s.getAttribute('role') === 'img' && s.getAttribute('aria-label')), '');
    for (const d of all('details')) d.open = true;
    await wait(100);
    check(
        'numbers behind charts', all('details table tbody tr').length > 10,
        all('details table tbody tr').length);

    // Kernel cycles, then those of the program: a launch's latency is the same with and without a mechanism.
    const gist = (id) => document.querySelector(`#${id} svg`).getAttribute('aria-label');
    const faster = points.find((p) => p.workload === 'r.bst' && p.mechs === 'cu4'), base = baseOf(faster);
    const byKernels = faster.speedup, ratio = (f) => base.result[f] / faster.result[f];
    check('speedup by kernel cycles', Math.abs(byKernels - ratio('kernel_cycles')) < 1e-6, byKernels);
    check('says so', gist('speedup-chart').includes('by kernel cycles'), gist('speedup-chart'));
    check('no launch in it', !gist('stalls-chart').includes('launch'), gist('stalls-chart'));
    change('f-cycles', 'program');
    check('speedup by program cycles', Math.abs(faster.speedup - ratio('cycles')) < 1e-6, faster.speedup);
    check('another one', Math.abs(faster.speedup - byKernels) > 1e-6, byKernels);
    check('says that', gist('speedup-chart').includes('by program cycles'), gist('speedup-chart'));
    check('launches are in it', gist('stalls-chart').includes('launch'), gist('stalls-chart'));
    check(
        'in the text', text('.cycles-name').every((t) => t === 'program cycles'),
        text('.cycles-name').join());
    byId('filter').querySelector('[type=reset]').click();
    await wait(50);
    check('kernel cycles again', faster.speedup === byKernels, faster.speedup);

    const cu4 = points.find((p) => p.workload === 'r.bst' && p.mechs === 'cu4');
    showRun(cu4.id);
    change('run-options-kind', 'differ');
    const differs = all('#run-options tbody tr');
    check(
        'what differs from the base',
        differs.length >= 1 && differs.every((r) => r.className === 'differs') &&
            differs.some((r) => r.textContent.includes('sm.collectors')),
        text('#run-options tbody tr').join(' / '));
    change('run-options-kind', 'all');
    check(
        'all options', text('#run-options caption')[0].startsWith(`${data.options.names.length} of`),
        text('#run-options caption')[0]);
    check('counters', all('#run-counters tbody tr').length > 20, all('#run-counters tbody tr').length);
    check(
        'profiles', byId('profile-which').options.length === 2 && all('#profile-table tbody tr').length > 10,
        all('#profile-table tbody tr').length);
    check('profile chart', all('#profile-chart rect').length > 5, all('#profile-chart rect').length);
    const numbered = (field) => rows('profile').every((t) => profiles[0].insns.some((i) => t.startsWith(`${i[field]} `)));
    check('instructions have their whole number', numbered('insn'), rows('profile').join(' / '));
    check(
        'hostile code is text',
        all('#profile-table b, #profile-table i').length === 0 &&
            text('#profile-table tbody th').some((t) => t.startsWith('<b>')),
        '');
    change('profile-which', '1');
    check('the other profile', all('#profile-table tbody tr').length > 10, '');
    const cyclesOf = () => {
      const column = text('#profile-table thead th').indexOf('cycles') + 1;
      const list = numbers(text(`#profile-table tbody tr > :nth-child(${column})`));
      return [list.length, list.reduce((a, b) => a + b, 0)];
    };
    const insns = cyclesOf();
    change('profile-by', 'line');
    const perLine = cyclesOf();
    check(
        'by line', perLine[0] > 5 && perLine[0] < insns[0] && perLine[1] > 0 && perLine[1] <= insns[1],
        `${insns} ${perLine}`);
    check(
        'lines have their source', text('#profile-table tbody th').some((t) => t.startsWith('ld.global')),
        text('#profile-table tbody th').join());
    change('profile-by', 'instruction');
    check(
        'claims',
        all('#claims-table tbody tr').length === 5 &&
            byId('claims-sum').textContent ===
                '4 of 5 claims measured, 2 within the accepted range, 1 at another size, which decides nothing.',
        byId('claims-sum').textContent);
    check(
        'verdicts',
        ['within', 'missed', 'no mechanism <zz> yet', 'small'].every(
            (v) => text('#claims-table td:last-child').includes(v)),
        text('#claims-table td:last-child').join());
    check('labels', all('input, select').every((e) => e.closest('label')), '');
    check(
        'fits the width', document.documentElement.scrollWidth <= window.innerWidth,
        `${document.documentElement.scrollWidth} > ${window.innerWidth}`);
});
