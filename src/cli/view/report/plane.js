// Charts over two axes: marks and lines between numbers or names, and fields of values.

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
  const list = log && hi - lo > 1.5 ?
      ticks(Math.ceil(lo), Math.floor(hi), parts).filter(Number.isInteger).map((v) => 10 ** v) :
      log ? ticks(10 ** lo, 10 ** hi, parts).filter((v) => v > 0) :
            ticks(lo, hi, parts);
  return {at, list, text: tickText, lo: log ? 10 ** lo : lo, hi: log ? 10 ** hi : hi};
}

const pathOf = (points) =>
    points.map(([x, y], i) => `${i ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

// marks: [{x, y, style, title}]; lines: [{points: [[x, y]], style, dash, title}], in the axes' numbers, or x
// as an index into xNames. full: the lines are part of what the axes must hold; others end at the frame.
function planeChart(
    host, {marks, lines = [], xName, yName, log, xLog = log, yLog = log, xNames, zero, gist}) {
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
  picture.append(
      label(
          width - right, height - 10, clip(xName, width - right - 30, true, 0.5) + ' →',
          {'text-anchor': 'end', class: 'bold'}, xName + ' →'),
      label(4, 10, '↑ ' + clip(yName, width - 34, true, 0.5), {class: 'bold'}, '↑ ' + yName));
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
  for (const m of marks) picture.append(mark(m.style, x.at(m.x), y.at(m.y), m.title));
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
  picture.append(
      label(
          width - right, height - 10, clip(xName, width - right - 30, true, 0.5) + ' →',
          {'text-anchor': 'end', class: 'bold'}, xName + ' →'),
      label(4, 10, '↑ ' + clip(yName, width - 34, true, 0.5), {class: 'bold'}, '↑ ' + yName));
  host.append(picture);
}
