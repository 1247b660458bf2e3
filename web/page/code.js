// SPDX-License-Identifier: Apache-2.0
// The code with its cycles: lines of CUDA or PTX, or machine instructions. Rows of `profile` are those of `run --json`.

// Sums of a profile's rows by line.
function byLine(rows) {
  const lines = new Map();
  for (const r of rows) {
    const o = lines.get(r.line) || {cycles: 0, issued: 0, conflicts: 0, shared: 0, causes: {}};
    o.cycles += r.cycles;
    o.issued += r.causes.issued || 0;
    o.conflicts += r.bank_conflicts;
    o.shared += r.shared_conflicts;
    for (const [c, n] of Object.entries(r.causes)) o.causes[c] = (o.causes[c] || 0) + n;
    lines.set(r.line, o);
  }
  return lines;
}

function mostWaited(causes) {
  const list = Object.entries(causes || {}).filter(([c]) => c !== 'issued').sort((a, b) => b[1] - a[1]);
  return list.length && list[0][1] ? causeName(list[0][0]) : '';
}

function heatCell(cycles, whole) {
  const share = whole ? 100 * cycles / whole : 0;
  return element('td', {class: 'n heat'}, element('i', {style: `width:${share.toFixed(1)}%`}), element('b', {}, cycles ? num(share, 1) + ' %' : ''));
}

function codeTable(rows) {
  return element('table', {}, element('thead', {}, element('tr', {}, ...HEADS.map((h, k) => element('th', {scope: 'col', class: k === 2 || k === 3 ? null : 'n'}, element('span', {}, h))))),
    element('tbody', {}, ...rows));
}

const HEADS = ['', 'cycles', 'code', 'waits mostly for', 'issues', 'waits for a bank'];
const cells = (o, whole, text) => [heatCell(o.cycles, whole), element('td', {class: 'code'}, text), element('td', {}, mostWaited(o.causes)),
  element('td', {class: 'n'}, o.issued ? num(o.issued) : ''), element('td', {class: 'n'}, o.conflicts ? num(o.conflicts) : '')];
const none = {cycles: 0, issued: 0, conflicts: 0, causes: {}};

function drawLines(host, text, rows) {
  const lines = byLine(rows), whole = rows.reduce((sum, r) => sum + r.cycles, 0);
  host.replaceChildren(codeTable(text.replace(/\n$/, '').split('\n').map((t, i) =>
    element('tr', {}, element('td', {class: 'n why'}, String(i + 1)), ...cells(lines.get(i + 1) || none, whole, t)))));
}

function drawMachineCode(host, rows) {
  const whole = rows.reduce((sum, r) => sum + r.cycles, 0);
  host.replaceChildren(codeTable(rows.map((r) =>
    element('tr', {}, element('td', {class: 'n why'}, String(r.pc)), ...cells({cycles: r.cycles, issued: r.causes.issued || 0, conflicts: r.bank_conflicts, causes: r.causes}, whole, r.text)))));
}

// forms: what there is to show. PTX without line numbers of its own is what the profile's lines are of.
function codeForms(source, rows) {
  const cuda = rows.some((r) => r.file && r.file.endsWith('.cu'));
  return [...(source.cu && cuda ? [['cu', 'CUDA']] : []), ...(cuda ? [] : [['ptx', 'PTX']]), ['sass', 'machine instructions'], ...(cuda ? [['plain', 'PTX, as compiled']] : [])];
}

function drawCode(host, form, source, rows) {
  if (form === 'cu') drawLines(host, source.cu, rows.filter((r) => r.file && r.file.endsWith(source.name + '.cu')));
  else if (form === 'ptx') drawLines(host, source.ptx, rows);
  else if (form === 'plain') host.replaceChildren(element('pre', {class: 'code'}, source.ptx));
  else drawMachineCode(host, rows);
}
