// SPDX-License-Identifier: Apache-2.0
// A run over time, in pieces of so many cycles: where its cycles went, or one of its rates.

const listIn = (text) => {
  try {
    const list = JSON.parse(text);
    return Array.isArray(list) ? list.map(Number).map((v) => isNumber(v) ? v : 0) : [];
  } catch (e) {
    return [];
  }
};
const spans = new Map(objects(data.spans).map((s) => [s.run, listIn(s.ends)]));
const courses = groupBy(objects(data.courses), (c) => c.run);

// [{from, to, get: counter's name => what it grew by}], or null.
function courseOf(p) {
  const ends = spans.get(p.run), lists = new Map((courses.get(p.run) || []).map((c) => [c.name, listIn(c.list)]));
  if (!ends || !ends.length || !lists.size) return null;
  return ends.map((to, i) => ({from: i ? ends[i - 1] : 0, to, get: (name) => (lists.get(name) || [])[i] || 0}))
      .filter((s) => s.to > s.from);
}

const CAUSES = 'where the cycles went', POWER = 'power by part';
const per = (a, b) => b > 0 ? a / b : 0;
const RATES = {
  'warp instructions per cycle': (s) => s.get('sm.warp_insts') / (s.to - s.from),
  'registers read per cycle': (s) => s.get('sm.reg_reads') / (s.to - s.from),
  'reads that waited for their bank': (s) => per(s.get('sm.bank_conflict'), s.get('sm.reg_reads')),
  'hits in the register cache': (s) => per(s.get('sm.cache_hits'), s.get('sm.cache_reads')),
  'hits in L1': (s) => per(s.get('sm.l1_read_hits'), s.get('sm.l1_reads')),
  'hits in L2': (s) => per(s.get('mem.l2_read_hits'), s.get('mem.l2_reads')),
  'watts': (s) => wattsIn(s).reduce((a, b) => a + b, 0),
  'bytes of DRAM per cycle': (s) => 32 * (s.get('mem.dram_reads') + s.get('mem.dram_writes')) / (s.to - s.from),
};

// Shares of the scheduler cycles of a piece; a few cycles of one may have been charged to its neighbour.
function sharesIn(s) {
  const parts = causes.map((c) => Math.max(0, s.get('sm.' + c))), all = parts.reduce((a, b) => a + b, 0);
  return parts.map((v) => per(v, all));
}

function drawCauses(host, course) {
  const rows = course.map((s) => ({...s, parts: sharesIn(s)}));
  const all = causes.map((c, i) => rows.reduce((sum, r) => sum + r.parts[i] * (r.to - r.from), 0));
  const used = causes.filter((c, i) => all[i] > 0), cycles = rows[rows.length - 1].to;
  const most = [...used].sort((a, b) => all[causes.indexOf(b)] - all[causes.indexOf(a)]).slice(0, 3);
  const gist = `Scheduler cycles by cause over the ${formatNumber(cycles)} cycles of the program; most: ${
      most.map((c) => `${causeName(c)} ${percent(all[causes.indexOf(c)] / cycles)}`).join(', ')}`;
  host.append(legend(used.map(causeName), (n, i) => causeStyle(used[i])));
  areaChart(host, {
    spans: rows,
    parts: causes,
    style: causeStyle,
    name: causeName,
    xName: 'cycles of the program',
    yName: 'share of the scheduler cycles',
    gist
  });
  host.append(element('figcaption', {}, gist + '.'));
  return {
    caption: gist,
    rows,
    columns: [
      {label: 'from', number: true, get: (r) => r.from, head: true}, {label: 'to', number: true, get: (r) => r.to},
      ...used.map((c) => ({
                    label: causeName(c),
                    number: true,
                    help: meaning('sm.' + c),
                    get: (r) => 100 * r.parts[causes.indexOf(c)]
                  }))
    ]
  };
}

// What a chip takes with nothing to do is at the bottom, so that what the program takes stands on it.
const isStill = (part) => part === 'idle' || part.startsWith('leak_');
const powerParts = [...energyParts.filter(isStill), ...energyParts.filter((p) => !isStill(p))];
// Picojoules over picoseconds.
const wattsIn = (s) => powerParts.map((p) => per(Math.max(0, s.get('energy.' + p)), s.get('time.ps')));

function drawPower(host, course, p) {
  const rows = course.map((s) => ({...s, watts: wattsIn(s)})).map((s) => ({...s, all: s.watts.reduce((a, b) => a + b, 0)}));
  const time = rows.reduce((sum, r) => sum + r.get('time.ps'), 0), top = highest(rows.map((r) => r.all));
  if (!(time > 0 && top > 0)) return nothing(host, 'These intervals were kept by a version that did not price them.');
  const mean = (of) => rows.reduce((sum, r) => sum + of(r) * r.get('time.ps'), 0) / time;
  const all = powerParts.map((p, i) => mean((r) => r.watts[i])), used = powerParts.filter((p, i) => all[i] > 0);
  const most = [...used].sort((a, b) => all[powerParts.indexOf(b)] - all[powerParts.indexOf(a)]).slice(0, 3);
  const gist = `Power by part over the course of the program: ${formatNumber(mean((r) => r.all))} W on average, ${
      formatNumber(top)} W at most; most: ${
      most.map((p) => `${p} ${formatNumber(all[powerParts.indexOf(p)])} W`).join(', ')}`;
  host.append(legend(used, (n, i) => energyStyle(used[i])));
  areaChart(host, {
    spans: rows.map((r) => ({...r, parts: r.watts})),
    parts: powerParts,
    style: energyStyle,
    name: (p) => p,
    xName: 'cycles of the program',
    yName: 'watts',
    most: top,
    gist
  });
  host.append(element('figcaption', {}, `${gist}. ${energyBasis([p])}`));
  return {
    caption: gist,
    rows,
    columns: [
      {label: 'from', number: true, get: (r) => r.from, head: true}, {label: 'to', number: true, get: (r) => r.to},
      {label: 'all', number: true, get: (r) => r.all},
      ...used.map((p) => ({label: p, number: true, get: (r) => r.watts[powerParts.indexOf(p)]}))
    ]
  };
}

function drawRate(host, both, which) {
  const rows = both.flatMap(({s, rows: of}) => of.map((o) => ({...o, s, value: RATES[which](o)})));
  const mine = rows.filter((r) => r.s === BESIDE[0]).map((r) => r.value);
  const gist = `${which} over the course of the program: from ${formatNumber(lowest(mine))} to ${
      formatNumber(highest(mine))}`;
  host.append(legend(both.map((b) => b.s), besideStyle));
  planeChart(host, {
    zero: true,
    marks: [],
    lines: both.map(({s, rows: of}) => ({
                      full: true,
                      style: besideStyle(s),
                      title: s,
                      points: of.flatMap((o) => [[o.from, RATES[which](o)], [o.to, RATES[which](o)]])
                    }))
               .reverse(),
    xName: 'cycles of the program',
    yName: which,
    gist
  });
  host.append(element('figcaption', {}, gist + '.'));
  return {
    caption: gist,
    rows,
    columns: [
      {label: 'run', get: (r) => r.s, head: true}, {label: 'from', number: true, get: (r) => r.from},
      {label: 'to', number: true, get: (r) => r.to}, {label: which, number: true, get: (r) => r.value}
    ]
  };
}

function drawCourse(p, other) {
  const host = byId('course-chart'), which = byId('course-which').value, both = bothOf(p, other, courseOf);
  host.replaceChildren();
  if (!both.length || both[0].q !== p)
    return nothing(
        host, 'The file has no counters over time of this run: bankshot compare --interval 1000 --db FILE keeps them.');
  const table = which === CAUSES ? drawCauses(host, both[0].rows) :
      which === POWER            ? drawPower(host, both[0].rows, p) :
                                   drawRate(host, both, which);
  if (table) finishChart(host, 'The intervals as a table', table);
}
