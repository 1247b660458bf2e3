// SPDX-License-Identifier: Apache-2.0
// What a run came to: numbers, causes of waiting, energy. A result is {machine, json, pipeline}: what `bankshot run --json`
// and `--pipeline` wrote.

const num = (v, digits = 0) => v.toLocaleString('en', {maximumFractionDigits: digits, minimumFractionDigits: digits});
const percent = (part, whole, digits = 1) => whole ? num(100 * part / whole, digits) + ' %' : '–';

// Of the one launch that there is.
const occupancyOf = (json) => json.kernels[0].occupancy;

const countOf = (json, name) => json.stats['sm.' + name] || 0;
const causesOf = (json) => Object.keys(json.stats).map((k) => k.replace(/^sm\./, '')).filter((k) => k === 'issued' || k.startsWith('stall_'));
// Scheduler cycles with a warp to issue from. Before a kernel runs, and where the grid has no CTA for an SM, there is none.
const IDLE = ['stall_launch', 'stall_no_warp'];
const busyCauses = (json) => causesOf(json).filter((c) => !IDLE.includes(c));
const busyCycles = (json) => busyCauses(json).reduce((sum, c) => sum + countOf(json, c), 0);

// [name, text of a result, what it means, number to compare or undefined]
function measures(r) {
  const j = r.json, o = occupancyOf(j), n = (name) => countOf(j, name);
  const busy = busyCycles(j);
  const reads = n('reg_reads'), looked = n('cache_reads'), list = [
    ['Kernel cycles', num(j.kernel_cycles), `${num(j.cycles)} with the launch`, j.kernel_cycles],
    ['Instructions per cycle', num(j.ipc, 2), `${num(j.warp_insts)} warp instructions, ${num(j.thread_insts / j.warp_insts, 1)} of 32 lanes`, j.ipc],
    ['Schedulers issue', percent(n('issued'), busy), 'of the cycles in which they have a warp', n('issued') / busy],
    ['Occupancy', `${num(o.warps_sm)} of ${num(o.slots_sm)}`, `warps fit on an SM${o.limited_by.length ? `, limited by ${o.limited_by.join(' and ')}` : ''}; there are ${num(o.achieved_warps, 1)} on average, ${
      o.idle_sms ? `${num(o.idle_sms)} SMs have none` : `${num(o.waves, 1)} waves`}`, o.warps_sm],
    ['Energy', energyText(j.energy_pj), `${num(j.energy_pj / j.thread_insts, 1)} pJ for a thread’s instruction`, j.energy_pj],
    ['Register reads that wait', percent(n('bank_conflict'), reads), `for their bank, of ${num(reads)}`, n('bank_conflict') / (reads || 1)],
  ];
  if (looked) list.push(['Operands from a register cache', percent(n('cache_hits'), looked), `of ${num(looked)} looked up`, n('cache_hits') / looked]);
  if (n('loads_done')) list.push(['Sectors for a load', num(n('l1_reads') / n('loads_done'), 1), `of 32 bytes; ${num(n('load_cycles') / n('loads_done'))} cycles until its data is there`, n('l1_reads') / n('loads_done')]);
  if (n('shared_accesses')) list.push(['Shared-memory conflicts', num(n('shared_conflicts')), `extra cycles of ${num(n('shared_accesses'))} accesses`, n('shared_conflicts')]);
  return list;
}

function energyText(pj) {
  const [unit, by] = pj >= 1e9 ? ['mJ', 1e9] : pj >= 1e6 ? ['µJ', 1e6] : ['nJ', 1e3];
  return `${num(pj / by, 2)} ${unit}`;
}

function drawCards(host, results) {
  const [a, b] = results.map(measures), names = b ? [...new Set([...a, ...b].map((m) => m[0]))] : a.map((m) => m[0]);
  host.replaceChildren(...names.map((name) => {
    const of = (list) => list && list.find((m) => m[0] === name), x = of(a), y = of(b);
    const ratio = x && y && x[3] ? y[3] / x[3] : NaN;
    return element(
        'div', {class: 'card'}, element('h3', {}, name), element('div', {class: 'value'}, x ? x[1] : '–'),
        b ? element('div', {class: 'other'}, `B: ${y ? y[1] : '–'}`, isFinite(ratio) ? ` (${num(ratio, 2)} ×)` : '') : null,
        element('small', {}, (x || y)[2]));
  }));
}

const letters = ['A', 'B'];
const rowName = (results, k) => (results.length > 1 ? `${letters[k]}: ` : '') + machineName(results[k].machine);

// Bars are as long as the kernel's cycles, and divided as the cycles of schedulers that have a warp are.
function drawWaiting(host, results) {
  const causes = busyCauses(results[0].json), whole = results.map((r) => busyCycles(r.json));
  const share = (c, k) => countOf(results[k].json, c) / (whole[k] || 1);
  const rows = results.map((r, k) => ({name: rowName(results, k), group: k, parts: causes.map((c) => share(c, k) * r.json.kernel_cycles)}));
  const worst = causes.filter((c) => c !== 'issued').reduce((a, b) => (share(b, 0) > share(a, 0) ? b : a));
  const seen = causes.filter((c) => results.some((r, k) => share(c, k) > 0.001));
  host.replaceChildren(legend(seen.map(causeName), (name, i) => causeStyle(seen[i])));
  stackChart(host, {rows, parts: causes, style: causeStyle, most: highest(results.map((r) => r.json.kernel_cycles)), unit: tickText,
    gist: `Kernel cycles by cause; the largest is ${causeName(worst)} with ${percent(share(worst, 0), 1)}`});
  const unused = results.map((r, k) => percent(countOf(r.json, 'stall_no_warp'), whole[k] + countOf(r.json, 'stall_no_warp')));
  host.append(
    element('p', {class: 'why'}, `Schedulers without a warp are left out: ${unused.join(' and ')} of all scheduler cycles while the kernel runs.`),
    element('details', {}, element('summary', {}, 'Numbers'), numbersTable(
      ['cause', ...results.map((r, k) => rowName(results, k)), 'meaning'],
      causes.filter((c) => results.some((r) => countOf(r.json, c))).map((c) =>
        [causeName(c), ...results.map((r, k) => percent(share(c, k), 1)), page.causes['sm.' + c] || '']))));
}

function numbersTable(heads, rows) {
  const head = element('thead', {}, element('tr', {}, ...heads.map((h, k) => element('th', {scope: 'col', class: k && k < heads.length - 1 ? 'n' : null}, element('span', {}, h)))));
  return element('div', {class: 'scroll'}, element('table', {}, head, element('tbody', {}, ...rows.map((r) =>
    element('tr', {}, ...r.map((cell, k) => element(k ? 'td' : 'th', {scope: k ? null : 'row', class: k && k < r.length - 1 ? 'n' : k ? 'wrap' : null}, cell)))))));
}

function drawEnergy(host, results) {
  const parts = Object.keys(results[0].json.energy_parts_pj), of = (r, p) => r.json.energy_parts_pj[p] || 0;
  const used = parts.filter((p) => results.some((r) => of(r, p) / r.json.energy_pj > 0.0005));
  const style = (p) => seriesStyle(used.indexOf(p)), name = (p) => p.replace(/_/g, ' ');
  host.replaceChildren(legend(used.map(name), (n, i) => seriesStyle(i)));
  stackChart(host, {rows: results.map((r, k) => ({name: rowName(results, k), group: k, parts: used.map((p) => of(r, p) / 1e6)})),
    parts: used, style, most: highest(results.map((r) => r.json.energy_pj)) / 1e6, unit: (v) => tickText(v) + ' µJ', gist: 'Energy by part'});
  host.append(element('details', {}, element('summary', {}, 'Numbers'), numbersTable(['part', ...results.map((r, k) => rowName(results, k)), ''],
    used.map((p) => [name(p), ...results.map((r) => energyText(of(r, p))), '']))));
}

function drawCounters(host, results) {
  const names = Object.keys(results[0].json.stats).filter((n) => results.some((r) => r.json.stats[n]));
  host.replaceChildren(numbersTable(['counter', ...results.map((r, k) => rowName(results, k)), 'meaning'],
    names.map((n) => [n, ...results.map((r) => num(r.json.stats[n] || 0)), page.causes[n] || ''])));
}
