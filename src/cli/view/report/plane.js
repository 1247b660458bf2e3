// SPDX-License-Identifier: Apache-2.0
// Charts over two axes: marks and lines between numbers or names, and fields of values.

// Powers of ten between two of them, with 2 and 5 times these where there is room.
function decades(lo, hi, parts) {
  const powers = ticks(Math.ceil(lo), Math.floor(hi), parts).filter(Number.isInteger);
  if (2 * (hi - lo) > parts) return powers.map((v) => 10 ** v);
  return powers.flatMap((v) => [0.2, 0.5, 1, 2, 5].map((k) => k * 10 ** v))
      .filter((v, i, all) => v >= 10 ** lo && v <= 10 ** hi && all.findIndex((w) => Math.abs(w / v - 1) < 1e-9) === i);
}

// An axis over numbers, or over names at equal distances (`names`).
function makeAxis({values, names, log, from, to, parts, zero}) {
  if (names) {
    const step = (to - from) / names.length, at = (i) => from + (i + 0.5) * step;
    return {at, list: names.map((name, i) => i), text: (i) => names[i], step: Math.abs(step)};
  }
  const f = log ? Math.log10 : (v) => v;
  let lo = lowest(values.map(f)), hi = highest(values.map(f));
  if (zero && !log) lo = Math.min(0, lo);
  const pad = (hi - lo || Math.abs(hi) || 1) * 0.05;
  lo -= zero && lo === 0 ? 0 : pad;
  hi += pad;
  const at = (v) => from + (f(v) - lo) / (hi - lo) * (to - from);
  const list = !log ? ticks(lo, hi, parts) :
      hi - lo > 1.5 ? decades(lo, hi, parts) :
                      ticks(10 ** lo, 10 ** hi, parts).filter((v) => v > 0);
  return {at, list, text: tickText, lo: log ? 10 ** lo : lo, hi: log ? 10 ** hi : hi};
}

const pathOf = (points) =>
    points.map(([x, y], i) => `${i ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

function axisNames(picture, {width, height, right, xName, yName}) {
  picture.append(
      label(
          width - right, height - 10, clip(xName, width - right - 30, true, 0.5) + ' →',
          {'text-anchor': 'end', class: 'bold'}, xName + ' →'),
      label(4, 10, '↑ ' + clip(yName, width - 34, true, 0.5), {class: 'bold'}, '↑ ' + yName));
}

// marks: [{x, y, style, title}]; lines: [{points: [[x, y]], style, dash, title}], in the axes' numbers, or x
// as an index into xNames; notes: [{x, y, text, anchor, below}] above their places, or below. full: the lines are
// part of what the axes must hold; others end at the frame.
function planeChart(
    host, {marks, lines = [], notes = [], xName, yName, log, xLog = log, yLog = log, xNames, zero, gist}) {
  const width = widthOf(host), height = Math.min(520, Math.max(300, Math.round(width * 0.55)));
  const right = 14, top = 24, foot = 42;
  const all = [...marks.map((m) => [m.x, m.y]), ...lines.filter((l) => l.full).flatMap((l) => l.points)];
  const y = makeAxis({values: all.map((p) => p[1]), log: yLog, from: height - foot, to: top, parts: 6, zero});
  const left = highest([40, ...y.list.map((v) => textWidth(y.text(v)) + 10)]);
  const x = makeAxis({
    values: all.map((p) => p[0]),
    names: xNames,
    log: xLog,
    from: left,
    to: width - right,
    parts: Math.max(2, (width - left) / 100)
  });
  const picture =
      svg('svg', {viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': gist});
  const names = xNames ? shortenAll(xNames, x.step - 6) : null;
  for (const v of x.list)
    picture.append(
        svg('line', {class: 'grid', x1: x.at(v), x2: x.at(v), y1: top, y2: height - foot}),
        tickLabel(x.at(v), height - foot + 12, names ? names[v] : x.text(v), width));
  for (const v of y.list)
    picture.append(
        svg('line', {class: 'grid', x1: left, x2: width - right, y1: y.at(v), y2: y.at(v)}),
        label(left - 6, y.at(v), y.text(v), {'text-anchor': 'end', class: 'dim'}));
  axisNames(picture, {width, height, right, xName, yName});
  const frame = svg('svg', {
    x: left,
    y: top,
    width: width - left - right,
    height: height - foot - top,
    viewBox: `${left} ${top} ${width - left - right} ${height - foot - top}`,
    overflow: 'hidden'
  });
  for (const l of lines)
    frame.append(
        svg('path', {
          class: 'line',
          d: pathOf(l.points.map((p) => [x.at(p[0]), y.at(p[1])])),
          style: `fill:none;stroke:${l.style.colour};stroke-width:${l.dash ? 1.3 : 2}`,
          'stroke-dasharray':
              l.dash || (l.style.pattern ? ['', '6 3', '2 3', '8 3 2 3'][l.style.pattern] : null)
        },
            svg('title', {}, l.title || '')));
  if (lines.length) picture.append(frame);
  for (const n of notes)
    picture.append(label(x.at(n.x), y.at(n.y) + (n.below ? 14 : -9), n.text, {'text-anchor': n.anchor, class: 'dim'}));
  for (const m of marks) picture.append(mark(m.style, x.at(m.x), y.at(m.y), m.title));
  host.append(picture);
}

// Parts of a whole over numbers: spans: [{from, to, parts}], in the order of the names `parts`. Parts of 1, or with `most`, the greatest sum,
// in the unit of the axis.
function areaChart(host, {spans, parts, style, name, xName, yName, most, gist}) {
  const width = widthOf(host), height = Math.min(420, Math.max(260, Math.round(width * 0.4)));
  const left = 46, right = 14, top = 24, foot = 42, all = spans[spans.length - 1].to;
  const x = (v) => left + v / all * (width - left - right), up = most || 1;
  const y = (v) => top + (1 - v / up) * (height - foot - top);
  const picture =
      svg('svg', {viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': gist});
  const below = spans.map(() => 0);
  parts.forEach((part, k) => {
    if (!spans.some((s) => s.parts[k] > 0)) return;
    const under = [...below], over = spans.map((s, i) => below[i] += s.parts[k]);
    const edge = (at) => spans.flatMap((s, i) => [[x(s.from), y(at[i])], [x(s.to), y(at[i])]]);
    picture.append(
        svg('path', {
          class: 'area',
          d: pathOf([...edge(over), ...edge(under).reverse()]) + 'Z',
          style: `fill:${paint(style(part))}`
        },
            svg('title', {}, name(part))));
  });
  for (const v of ticks(0, all, Math.max(2, (width - left) / 100)))
    picture.append(
        svg('line', {class: 'axis', x1: x(v), x2: x(v), y1: height - foot, y2: height - foot + 4}),
        tickLabel(x(v), height - foot + 12, tickText(v), width));
  for (const v of most ? ticks(0, most, 5) : [0, 0.25, 0.5, 0.75, 1])
    picture.append(label(left - 6, y(v), most ? tickText(v) : `${100 * v}%`, {'text-anchor': 'end', class: 'dim'}));
  axisNames(picture, {width, height, right, xName, yName});
  host.append(picture);
}

// How a share from 0 to 1 looks in a field.
const heatColour = (share) => `color-mix(in oklab, var(--hot) ${Math.round(100 * share)}%, var(--cold))`;

// cells: [{x, y, value, title}], x and y indices of the names.
function heatChart(host, {cells, xNames, yNames, xName, yName, gist}) {
  const width = widthOf(host), room = roomFor(yNames, width, 0.3), left = room + 10, right = 14, top = 24,
        foot = 42;
  const tall = Math.max(26, Math.min(56, 420 / yNames.length)), height = top + foot + tall * yNames.length;
  const wide = (width - left - right) / xNames.length, values = cells.map((c) => c.value);
  const lo = lowest(values), hi = highest(values);
  const picture =
      svg('svg', {viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': gist});
  const across = shortenAll(xNames, wide - 4), down = shortenAll(yNames, room);
  // The first value is at the bottom, as on other charts.
  const yAt = (j) => top + (yNames.length - 1 - j) * tall;
  for (const c of cells) {
    const share = hi > lo ? (c.value - lo) / (hi - lo) : 0.5, text = formatNumber(c.value, 3);
    picture.append(
        svg('rect', {
          x: left + c.x * wide + 0.5,
          y: yAt(c.y) + 0.5,
          width: wide - 1,
          height: tall - 1,
          style: `fill:${heatColour(share)}`
        },
            svg('title', {}, c.title)));
    if (textWidth(text) < wide - 4)
      picture.append(label(
          left + (c.x + 0.5) * wide, yAt(c.y) + tall / 2, text,
          {'text-anchor': 'middle', style: `fill:${share > 0.55 ? 'var(--on-hot)' : 'var(--on-cold)'}`}));
  }
  xNames.forEach(
      (n, i) => picture.append(tickLabel(left + (i + 0.5) * wide, height - foot + 12, across[i], width)));
  yNames.forEach(
      (n, j) => picture.append(
          label(left - 8, yAt(j) + tall / 2, down[j], {'text-anchor': 'end', class: 'dim'}, n)));
  axisNames(picture, {width, height, right, xName, yName});
  host.append(picture);
}
