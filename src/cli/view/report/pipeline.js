// SPDX-License-Identifier: Apache-2.0
// The pipeline view: warps, or their instructions, over cycles. It is zoomed and moved with the mouse, with buttons,
// and with keys; what is selected is told in words below it. The report's page and the one of `make web` use it.

const ZOOM = 1.5;

function stageTable(data, i) {
  const rows = i.stages.map(
      (s) => element(
          'tr', {}, element('th', {scope: 'row'}, element('span', {class: 'swatch', style: `background:var(--p-${s.stage})`}), s.stage),
          element('td', {class: 'n'}, s.from.toLocaleString('en')), element('td', {class: 'n'}, String(s.to - s.from)),
          element('td', {class: 'wrap'}, STAGES[s.stage])));
  return element(
      'table', {}, element('thead', {}, element('tr', {}, ...['stage', 'from cycle', 'cycles', ''].map((t) => element('th', {scope: 'col'}, element('span', {}, t))))),
      element('tbody', {}, ...rows));
}

function operandText(r, to) {
  const name = `R${r.register ?? r.reg}`, wait = r.waited ? `, waited ${r.waited} cycle${r.waited > 1 ? 's' : ''}: conflict` : '';
  if (to) return `${name} written ${r.to === 'bank' ? `to bank ${r.bank}` : 'to where the operands’ policy keeps it'} in cycle ${r.at.toLocaleString('en')}${wait}`;
  return `${name} from ${r.from === 'bank' ? `bank ${r.bank}` : SOURCES[r.from][1]} in cycle ${r.at.toLocaleString('en')}${wait}`;
}

function insnDetails(data, i) {
  const code = data.code[i.code], w = data.warps[i.warp];
  const facts = [`${warpName(w)}, partition ${w.partition}`, `${i.lanes} of 32 lanes`, i.unit ? `unit ${i.unit}` : 'no unit'];
  if (i.collector !== null) facts.push(`collector ${i.collector}`);
  if (i.lines) facts.push(`${i.lines} line${i.lines > 1 ? 's' : ''} of memory`);
  if (i.passes > 1) facts.push(`${i.passes} passes in shared memory: bank conflict`);
  const operands = [...i.reads.map((r) => operandText(r)), ...i.writes.map((r) => operandText(r, true))];
  return [
    element('p', {class: 'code'}, code.text), element('p', {class: 'why'}, facts.join(' · ')),
    element('div', {class: 'columns'}, element('div', {class: 'scroll'}, stageTable(data, i)),
            element('ul', {}, ...operands.map((t) => element('li', {class: t.includes('waited') ? 'bad' : null}, t))))
  ];
}

function stageLegend(data) {
  const used = Object.keys(STAGES).filter((s) => data.insns.some((i) => i.stages.some((t) => t.stage === s)));
  const froms = Object.keys(SOURCES).filter((s) => data.insns.some((i) => i.reads.some((r) => r.from === s)));
  const item = (look, text) => element('li', {}, element('span', {style: look, 'aria-hidden': 'true'}), text);
  return element(
      'ul', {class: 'legend'}, ...used.map((s) => item(`background:var(--p-${s})`, s)),
      item('background:var(--bad);height:.3rem;vertical-align:.25rem', 'waits for its bank'),
      ...froms.map((s) => element('li', {}, element('b', {}, SOURCES[s][0] + ' '), 'operand from ' + SOURCES[s][1])));
}

// Where so many cycles begin in which the most instructions issue: that is shown first.
function densest(data, cycles) {
  const at = data.insns.map(issueOf).sort((a, b) => a - b);
  let best = 0, from = data.from;
  for (let lo = 0, hi = 0; lo < at.length; lo++) {
    while (hi < at.length && at[hi] < at[lo] + cycles) hi++;
    if (hi - lo > best) [best, from] = [hi - lo, at[lo]];
  }
  return from - 2;
}

function pipelineView(host, data) {
  const canvas = element('canvas', {tabindex: 0, role: 'application', 'aria-label':
    `Pipeline of SM ${data.sm}, cycles ${data.from} to ${data.to}: ${data.insns.length} instructions of ${data.warps.length} warps. ` +
    'Arrows select an instruction, plus and minus zoom, Home shows all.'});
  const spacer = element('div', {class: 'spacer'}), frame = element('div', {class: 'pipeline'}, canvas, spacer);
  const details = element('div', {class: 'details', 'aria-live': 'polite'});
  const form = element('select', {}, ...[['warps', 'warps'], ['insns', 'instructions']].map(([v, t]) => element('option', {value: v}, t)));
  const who = element('select', {}, element('option', {value: -1}, 'all'),
                      ...data.warps.map((w, k) => element('option', {value: k}, warpName(w))));
  const button = (text, label, act) => {
    const b = element('button', {type: 'button', 'aria-label': label, title: label}, text);
    b.addEventListener('click', act);
    return b;
  };
  const view = {from: data.from, scale: 1, top: 0, width: 0, height: 0, gutter: 0};
  let layout, selected = null;

  const last = data.insns.reduce((end, i) => Math.max(end, issueOf(i) + 40), data.from + 40);
  const draw = () => {
    const ratio = window.devicePixelRatio || 1, width = frame.clientWidth;
    if (!width) return;
    const most = Math.min(layout.height + AXIS_H + 4, 460);
    frame.style.height = most + 'px';
    canvas.style.width = width + 'px';
    canvas.style.height = most + 'px';
    spacer.style.height = Math.max(0, layout.height + AXIS_H + 4 - most) + 'px';
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(most * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(most * ratio);
    }
    Object.assign(view, {width, height: most, top: frame.scrollTop, gutter: Math.min(form.value === 'insns' ? 230 : 120, width * 0.3)});
    const pen = canvas.getContext('2d');
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawPipeline(pen, view, layout, pipelineColours(frame), selected);
  };
  const arrange = () => {
    layout = placed((form.value === 'insns' ? insnRows : warpRows)(data, Number(who.value)));
    frame.scrollTop = 0;
    draw();
    if (form.value === 'insns') followCycles();
    draw();
  };
  const room = () => Math.max(50, frame.clientWidth - view.gutter);
  // Rows of instructions go down as time goes on: the cycles follow the rows, and the rows the cycles.
  const isSeen = (cycle) => cycle >= view.from && cycle < view.from + room() / view.scale;
  const topRow = () => form.value === 'insns' && layout.rows.find((r) => r.y >= frame.scrollTop);
  const followRows = () => {
    const row = topRow();
    if (row && !isSeen(issueOf(row.lanes[0][0]))) view.from = issueOf(row.lanes[0][0]) - room() / view.scale / 20;
  };
  const followCycles = () => {
    const row = topRow(), next = layout.rows.find((r) => issueOf(r.lanes[0][0]) >= view.from);
    if (row && next && !isSeen(issueOf(row.lanes[0][0]))) frame.scrollTop = next.y;
  };
  const limit = () => {
    view.scale = Math.min(40, Math.max(room() / (last - data.from + 1), view.scale));
    view.from = Math.max(data.from - 8, Math.min(view.from, last - room() / view.scale));
  };
  const zoom = (by, at) => {
    const x = at === undefined ? room() / 2 : at - view.gutter, cycle = view.from + x / view.scale;
    view.scale *= by;
    limit();
    view.from = cycle - x / view.scale;
    limit();
    draw();
  };
  const fit = () => {
    view.from = data.from;
    view.scale = 0;
    limit();
    draw();
  };
  const reveal = (i) => {
    const row = layout.rows.find((r) => r.lanes.some((lane) => lane.includes(i)));
    const x = pixelOf(view, issueOf(i));
    if (x < view.gutter + 10 || x > view.width - 30) view.from = issueOf(i) - room() / view.scale / 3;
    limit();
    if (row && (row.y < frame.scrollTop || row.y + row.height > frame.scrollTop + view.height - AXIS_H))
      frame.scrollTop = Math.max(0, row.y - 60);
  };
  const select = (i, show) => {
    selected = i || null;
    details.replaceChildren(...(i ? insnDetails(data, i) : []));
    if (i && show) reveal(i);
    draw();
  };
  const firstSeen = () => data.insns.find((i) => isSeen(issueOf(i))) || data.insns[0];
  const step = (by) => {
    if (!selected) return select(firstSeen(), true);
    const own = data.insns.filter((i) => i.warp === selected.warp), next = own[own.indexOf(selected) + by];
    if (next) select(next, true);
  };
  const across = (by) => {
    if (!selected) return step(0);
    if (form.value === 'insns') {
      const rows = layout.rows.map((r) => r.lanes[0][0]), next = rows[rows.indexOf(selected) + by];
      return next && select(next, true);
    }
    const order = layout.rows.map((r) => r.at);
    const next = order[order.indexOf(selected.warp) + by], when = issueOf(selected);
    const own = data.insns.filter((i) => i.warp === next);
    if (own.length) select(own.reduce((a, b) => (Math.abs(issueOf(b) - when) < Math.abs(issueOf(a) - when) ? b : a)), true);
  };
  const hit = (x, y) => {
    const cycle = view.from + (x - view.gutter) / view.scale, at = y - AXIS_H + view.top;
    const row = layout.rows.find((r) => at >= r.y && at < r.y + r.height);
    if (!row || x < view.gutter) return null;
    const lane = row.lanes[Math.max(0, Math.min(row.lanes.length - 1, Math.floor((at - row.y - 2) / row.lane)))] || [];
    return lane.find((i) => cycle >= startOf(i) && cycle < Math.max(endOf(i), startOf(i) + 4 / view.scale)) || null;
  };
  const keys = {
    ArrowRight: () => step(1), ArrowLeft: () => step(-1), ArrowDown: () => across(1), ArrowUp: () => across(-1),
    '+': () => zoom(ZOOM, selected ? pixelOf(view, issueOf(selected)) : undefined), '=': () => zoom(ZOOM),
    '-': () => zoom(1 / ZOOM, selected ? pixelOf(view, issueOf(selected)) : undefined), Home: fit, Escape: () => select(null)
  };
  canvas.addEventListener('keydown', (e) => {
    if (!keys[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    keys[e.key]();
  });
  canvas.addEventListener('wheel', (e) => {
    if (!e.ctrlKey && !e.shiftKey && Math.abs(e.deltaX) <= Math.abs(e.deltaY)) return;
    e.preventDefault();
    if (e.ctrlKey) return zoom(e.deltaY < 0 ? 1.2 : 1 / 1.2, e.offsetX);
    view.from += (e.deltaX || e.deltaY) / view.scale;
    limit();
    followCycles();
    draw();
  }, {passive: false});
  let drag = null;
  canvas.addEventListener('pointerdown', (e) => {
    drag = {x: e.clientX, from: view.from, moved: false};
    canvas.setPointerCapture(e.pointerId);
  });
  canvas.addEventListener('pointermove', (e) => {
    if (!drag) return;
    drag.moved = drag.moved || Math.abs(e.clientX - drag.x) > 3;
    view.from = drag.from - (e.clientX - drag.x) / view.scale;
    limit();
    followCycles();
    draw();
  });
  canvas.addEventListener('pointerup', (e) => {
    const box = canvas.getBoundingClientRect();
    if (drag && !drag.moved) select(hit(e.clientX - box.left, e.clientY - box.top));
    drag = null;
  });
  frame.addEventListener('scroll', () => {
    followRows();
    draw();
  });
  form.addEventListener('change', arrange);
  who.addEventListener('change', arrange);
  host.append(
      element('div', {class: 'controls'}, element('label', {}, 'Rows', form), element('label', {}, 'Warp', who),
              button('−', 'Zoom out', () => zoom(1 / ZOOM)), button('+', 'Zoom in', () => zoom(ZOOM)), button('All', 'Show all cycles', fit)),
      stageLegend(data), frame, element('p', {class: 'why'},
      `SM ${data.sm}, ${data.partitions} partition${data.partitions > 1 ? 's' : ''} of ${data.banks} register banks each; operands: ${data.operands}. Drag moves, Ctrl with the wheel zooms.` +
      (data.cut ? ` Not all is shown: ${data.cut}.` : '')), details);
  new ResizeObserver(() => {
    limit();
    draw();
  }).observe(frame);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  layout = placed(warpRows(data, -1));
  requestAnimationFrame(() => {
    draw();
    view.scale = Math.max(room() / (last - data.from + 1), Math.min(4, room() / 200));
    view.from = densest(data, Math.floor(room() / view.scale));
    limit();
    draw();
  });
}
