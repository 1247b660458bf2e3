// SPDX-License-Identifier: Apache-2.0
// Draws rows of the pipeline on a canvas. `view`: {from, scale, top, width, height, gutter}, where `from` is
// the cycle at the left margin, `scale` pixels for a cycle, `top` the first row's pixel that is seen.

const AXIS_H = 22;

function pipelineColours(host) {
  const style = getComputedStyle(host), of = (name) => style.getPropertyValue(name).trim();
  const colours = Object.fromEntries(Object.keys(STAGES).map((s) => [s, of('--p-' + s)]));
  return {...colours, fg: of('--fg'), muted: of('--muted'), line: of('--line'), bg: of('--bg'), panel: of('--panel'),
    bad: of('--bad'), accent: of('--accent')};
}

const pixelOf = (view, cycle) => view.gutter + (cycle - view.from) * view.scale;

function drawAxis(pen, view, colours) {
  pen.fillStyle = colours.panel;
  pen.fillRect(0, 0, view.width, AXIS_H);
  pen.fillStyle = colours.muted;
  pen.strokeStyle = colours.line;
  pen.textAlign = 'center';
  const to = view.from + (view.width - view.gutter) / view.scale;
  const list = ticks(view.from, to, Math.max(2, (view.width - view.gutter) / 110)).filter((c) => Number.isInteger(c));
  for (const c of list) {
    const x = pixelOf(view, c);
    if (x < view.gutter) continue;
    pen.fillText(c.toLocaleString('en'), Math.min(x, view.width - 24), AXIS_H / 2);
    pen.globalAlpha = 0.5;
    pen.beginPath();
    pen.moveTo(x + 0.5, AXIS_H);
    pen.lineTo(x + 0.5, view.height);
    pen.stroke();
    pen.globalAlpha = 1;
  }
}

// Cycles in which operands wait for their bank, in red along the top; where each operand comes from, by a letter.
function drawOperands(pen, view, i, y, h, colours) {
  for (const r of [...i.reads, ...i.writes]) {
    if (!r.waited) continue;
    pen.fillStyle = colours.bad;
    pen.fillRect(pixelOf(view, r.at - r.waited), y, Math.max(1, r.waited * view.scale), Math.max(2, h / 4));
  }
  if (view.scale < 9 || h < 12) return;
  const at = new Map();
  for (const r of i.reads) at.set(r.at, [...(at.get(r.at) || []), SOURCES[r.from][0]]);
  pen.textAlign = 'center';
  pen.fillStyle = '#000';
  for (const [cycle, letters] of at) {
    const text = letters.length * 7 < view.scale ? letters.join('') : letters.length > 1 ? letters.length : letters[0];
    pen.fillText(text, pixelOf(view, cycle) + view.scale / 2, y + h / 2 + 1);
  }
}

function drawInsn(pen, view, i, y, h, colours, selected) {
  for (const s of i.stages) {
    const x = pixelOf(view, s.from), w = (s.to - s.from) * view.scale;
    if (x + w < view.gutter || x > view.width) continue;
    pen.fillStyle = colours[s.stage];
    pen.fillRect(x, y, Math.max(0.6, w > 3 ? w - 0.5 : w), h);
  }
  drawOperands(pen, view, i, y, h, colours);
  if (!selected) return;
  const x = pixelOf(view, startOf(i));
  pen.strokeStyle = colours.fg;
  pen.lineWidth = 2;
  pen.strokeRect(x - 1, y - 1, Math.max(4, (endOf(i) - startOf(i)) * view.scale + 1), h + 2);
  pen.lineWidth = 1;
}

// From the results that the selected instruction waited for.
function drawNeeds(pen, view, selected, placeOf, colours) {
  pen.strokeStyle = colours.accent;
  pen.lineWidth = 1.5;
  for (const id of selected.needs) {
    const from = placeOf.get(id), to = placeOf.get(selected.id);
    if (!from || !to) continue;
    const x0 = pixelOf(view, endOf(from.insn)), x1 = pixelOf(view, issueOf(selected));
    pen.beginPath();
    pen.moveTo(x0, from.y);
    pen.bezierCurveTo(x0 + 12, from.y, x1 - 12, to.y, x1, to.y);
    pen.stroke();
  }
  pen.lineWidth = 1;
}

// Returns where each instruction that is drawn lies: id to {insn, y}.
function drawPipeline(pen, view, layout, colours, selected) {
  const placeOf = new Map();
  pen.fillStyle = colours.bg;
  pen.fillRect(0, 0, view.width, view.height);
  pen.font = `11px ${fontFamily}`;
  pen.textBaseline = 'middle';
  drawAxis(pen, view, colours);
  pen.save();
  pen.beginPath();
  pen.rect(view.gutter, AXIS_H, view.width - view.gutter, view.height - AXIS_H);
  pen.clip();
  const seen = layout.rows.filter(
      (r) => r.y + r.height >= view.top && r.y <= view.top + view.height - AXIS_H);
  for (const r of seen)
    for (const [k, lane] of r.lanes.entries())
      for (const i of lane) {
        const y = AXIS_H + r.y - view.top + 2 + k * r.lane, h = r.lane - 1;
        placeOf.set(i.id, {insn: i, y: y + h / 2});
        drawInsn(pen, view, i, y, h, colours, selected === i);
      }
  if (selected) drawNeeds(pen, view, selected, placeOf, colours);
  pen.restore();
  pen.textAlign = 'left';
  for (const r of seen) {
    const y = AXIS_H + r.y - view.top;
    pen.fillStyle = selected && selected.warp === r.at ? colours.accent : colours.fg;
    if (y + 14 > AXIS_H) pen.fillText(clip(r.name, view.gutter - 8, false, 1), 4, y + Math.min(r.height, 18) / 2 + 1);
    pen.strokeStyle = colours.line;
    pen.globalAlpha = 0.35;
    pen.strokeRect(0, y + r.height - 0.5, view.width, 0);
    pen.globalAlpha = 1;
  }
  return placeOf;
}
