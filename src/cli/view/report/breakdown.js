// SPDX-License-Identifier: Apache-2.0
// What runs are made of: scheduler cycles by cause, energy by part. One bar for each run.

// id: of the section. shares(point): parts of its whole, which add up to 1, or null. whole(point): to compare
// it with its base. note(points): a sentence below, or none.
const breakdowns = [
  {
    id: 'stalls',
    get what() {
      return 'scheduler cycles, of the ' + cyclesName();
    },
    parts: causes,
    style: causeStyle,
    help: (part) => meaning('sm.' + part),
    shares: sharesOf,
    whole: cyclesOf,
    note: () => '',
  },
  {
    id: 'energy',
    what: 'energy',
    parts: energyParts,
    style: energyStyle,
    help: (part) => meaning('energy.' + part),
    shares: energyShares,
    whole: (p) => p.result.energy_pj,
    note: energyBasis,
  },
];

const percent = (v) => (v * 100).toFixed(v < 0.1 && v > 0 ? 1 : 0) + '%';

function breakdownRows(b, list, relative) {
  const name = namer(list), order = orderMechs(list.map((p) => p.mechs)), rows = [];
  for (const p of list) {
    const shares = p.ok ? b.shares(p) : null, base = baseOf(p);
    const scale = !relative ? 1 : base && base.ok ? b.whole(p) / b.whole(base) : NaN;
    if (shares && isNumber(scale))
      rows.push({
        name: `${name(p)} · ${p.mechs}`,
        group: name(p),
        mech: order.indexOf(p.mechs),
        parts: shares.map((s) => s * scale)
      });
  }
  return rows.sort((x, y) => natural(x.group, y.group) || x.mech - y.mech);
}

function drawBreakdown(b, list) {
  const host = byId(b.id + '-chart'), relative = byId(b.id + '-scale').value === 'base';
  const rows = breakdownRows(b, list, relative), most = shownAll[b.id] ? rows.length : MANY;
  host.replaceChildren();
  if (!rows.length)
    return nothing(host, 'No run shown has these numbers' + (relative ? ' and a base.' : '.'));
  const used = b.parts.filter((part, i) => rows.some((r) => r.parts[i] > 0.0005)), first = rows[0];
  const largest = b.parts.map((part, i) => [part, first.parts[i]]).filter((e) => e[1] > 0.05);
  host.append(legend(used.map(causeName), (n, i) => b.style(used[i])));
  stackChart(host, {
    rows: rows.slice(0, most),
    parts: b.parts,
    style: b.style,
    unit: percent,
    most: Math.max(1, highest(rows.map((r) => r.parts.reduce((x, y) => x + y, 0)))),
    gist: `Parts of the ${b.what} of ${rows.length} runs; ${first.name}: ` +
        largest.map((e) => `${causeName(e[0])} ${percent(e[1])}`).join(', '),
  });
  const note = b.note(list);
  if (note) host.append(element('figcaption', {}, note));
  moreButton(host, b.id, rows.length - most, () => drawBreakdown(b, list));
  const columns = [{label: 'run', get: (r) => r.name, head: true}];
  for (const part of used)
    columns.push({
      label: causeName(part),
      help: b.help(part),
      number: true,
      get: (r) => r.parts[b.parts.indexOf(part)] * 100
    });
  const caption = `Percent of the ${b.what}` + (relative ? ' of the base' : '');
  finishChart(host, 'The shares as a table', {caption, rows, columns});
}

function drawBreakdowns(list) {
  for (const b of breakdowns) drawBreakdown(b, list);
}
