// Charts in SVG. A chart is an image with a label that tells its gist; every mark has a title; the numbers
// are in a table below it.

function svg(tag, attributes, ...children) {
  const e = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes || {}))
    if (value !== undefined && value !== null) e.setAttribute(name, value);
  e.append(...children);
  return e;
}

const widthOf = (host) =>
    Math.max(280, Math.floor(host.clientWidth || host.parentElement.clientWidth || 800));

// Round numbers that divide a range in about n parts.
function ticks(lo, hi, n) {
  const raw = (hi - lo) / Math.max(1, n) || 1, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].find((k) => k * power >= raw * 0.999) * power;
  const list = [];
  for (let i = Math.ceil(lo / step - 1e-9); i * step <= hi + step * 1e-9 && list.length < 50; i++)
    list.push(i * step);
  return list;
}

function tickText(v) {
  const a = Math.abs(v);
  if (a >= 1e9) return +(v / 1e9).toPrecision(4) + 'G';
  if (a >= 1e6) return +(v / 1e6).toPrecision(4) + 'M';
  if (a >= 1e4) return +(v / 1e3).toPrecision(4) + 'k';
  return String(+v.toPrecision(4));
}

// Groups of bars to the right and left of `origin`. groups: [{name, bold, bars: [{value, style, title}]}].
function barChart(host, {groups, origin, gist}) {
  const width = widthOf(host), thick = 9, gap = 9, top = 6, foot = 24;
  const names = groups.map((g) => g.name), room = roomFor(names, width, 0.42), left = room + 10;
  const shown = shortenAll(names, room, true), right = 46;
  const values = groups.flatMap((g) => g.bars.map((b) => b.value));
  let lo = Math.min(origin, lowest(values)), hi = Math.max(origin, highest(values));
  const pad = (hi - lo || 0.1) * 0.04;
  lo = lo < origin ? lo - pad : origin - pad;
  hi += pad;
  const x = (v) => left + (v - lo) / (hi - lo) * (width - left - right);
  const height = top + foot + groups.reduce((sum, g) => sum + g.bars.length * thick + gap, 0);
  const picture =
      svg('svg', {viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': gist});
  for (const v of ticks(lo, hi, Math.max(2, (width - left) / 90))) {
    picture.append(
        svg('line', {class: 'grid', x1: x(v), x2: x(v), y1: top, y2: height - foot}),
        tickLabel(x(v), height - foot + 12, tickText(v), width));
  }
  let y = top;
  for (const [k, g] of groups.entries()) {
    const tall = g.bars.length * thick;
    picture.append(label(
        left - 8, y + gap / 2 + tall / 2, shown[k], {'text-anchor': 'end', class: g.bold ? 'bold' : null},
        g.name));
    g.bars.forEach((b, i) => {
      const from = Math.min(x(origin), x(b.value)), at = y + gap / 2 + i * thick;
      const bar =
          svg('rect', {
            x: from,
            y: at,
            width: Math.max(1, Math.abs(x(b.value) - x(origin))),
            height: thick - 1,
            style: `fill:${paint(b.style)}`
          },
              svg('title', {}, b.title));
      picture.append(bar);
      if (g.bars.length < 3 || g.bold)
        picture.append(label(
            Math.max(x(b.value), x(origin)) + 4, at + thick / 2, b.value.toFixed(3),
            {class: 'dim', style: 'font-size:10px'}));
    });
    y += tall + gap;
    if (g.bold) picture.append(svg('line', {class: 'grid', x1: 0, x2: width, y1: y, y2: y}));
  }
  picture.append(svg('line', {class: 'axis', x1: x(origin), x2: x(origin), y1: top, y2: height - foot}));
  host.append(picture);
}

// Bars made of parts. rows: [{name, group, parts: [value by part]}]; a row whose group differs from the one
// above has space.
function stackChart(host, {rows, parts, style, most, gist, unit}) {
  const width = widthOf(host), right = 14, thick = 15, top = 6, foot = 24;
  const names = rows.map((r) => r.name), room = roomFor(names, width, 0.45), left = room + 10;
  const shown = shortenAll(names, room);
  const x = (v) => left + v / most * (width - left - right);
  let y = top;
  const places = rows.map((r, i) => {
    y += i && r.group !== rows[i - 1].group ? 8 : 0;
    const at = y;
    y += thick + 2;
    return at;
  });
  const height = y + foot;
  const picture =
      svg('svg', {viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': gist});
  for (const v of ticks(0, most, Math.max(2, (width - left) / 90)))
    picture.append(
        svg('line', {class: 'grid', x1: x(v), x2: x(v), y1: top, y2: y}),
        tickLabel(x(v), y + 12, unit(v), width));
  rows.forEach((r, i) => {
    picture.append(label(left - 8, places[i] + thick / 2, shown[i], {'text-anchor': 'end'}, r.name));
    let from = 0;
    r.parts.forEach((v, k) => {
      if (v <= 0) return;
      const wide = x(from + v) - x(from);
      if (wide > 0.15)
        picture.append(
            svg('rect', {
              x: x(from),
              y: places[i],
              width: wide > 2 ? wide - 0.5 : wide,
              height: thick,
              style: `fill:${paint(style(parts[k]))}`
            },
                svg('title', {}, `${r.name}: ${causeName(parts[k])} ${unit(v)}`)));
      from += v;
    });
  });
  host.append(picture);
}

// One mark per point. marks: [{x, y, style, title}].
function scatterChart(host, {marks, xName, yName, log, gist}) {
  const width = widthOf(host), height = Math.min(520, Math.max(300, Math.round(width * 0.55)));
  const right = 14, top = 24, foot = 42;
  const f = log ? Math.log10 : (v) => v;
  const axis = (values, from, to, parts) => {
    let lo = lowest(values.map(f)), hi = highest(values.map(f));
    const pad = (hi - lo || Math.abs(hi) || 1) * 0.05;
    lo -= pad;
    hi += pad;
    const at = (v) => from + (f(v) - lo) / (hi - lo) * (to - from);
    const list = log && hi - lo > 1.5 ?
        ticks(Math.ceil(lo), Math.floor(hi), parts).filter(Number.isInteger).map((v) => 10 ** v) :
        log ? ticks(10 ** lo, 10 ** hi, parts).filter((v) => v > 0) :
              ticks(lo, hi, parts);
    return {at, list};
  };
  const y = axis(marks.map((m) => m.y), height - foot, top, 6);
  const left = highest([40, ...y.list.map((v) => textWidth(tickText(v)) + 10)]);
  const x = axis(marks.map((m) => m.x), left, width - right, Math.max(2, (width - left) / 100));
  const picture =
      svg('svg', {viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': gist});
  for (const v of x.list)
    picture.append(
        svg('line', {class: 'grid', x1: x.at(v), x2: x.at(v), y1: top, y2: height - foot}),
        tickLabel(x.at(v), height - foot + 12, tickText(v), width));
  for (const v of y.list)
    picture.append(
        svg('line', {class: 'grid', x1: left, x2: width - right, y1: y.at(v), y2: y.at(v)}),
        label(left - 6, y.at(v), tickText(v), {'text-anchor': 'end', class: 'dim'}));
  picture.append(
      label(
          width - right, height - 10, clip(xName, width - right - 30, true, 0.5) + ' →',
          {'text-anchor': 'end', class: 'bold'}, xName + ' →'),
      label(4, 10, '↑ ' + clip(yName, width - 34, true, 0.5), {class: 'bold'}, '↑ ' + yName));
  for (const m of marks) picture.append(mark(m.style, x.at(m.x), y.at(m.y), m.title));
  host.append(picture);
}
