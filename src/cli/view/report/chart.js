// SPDX-License-Identifier: Apache-2.0
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

// Groups of bars to the right and left of `origin`. groups: [{name, bold, bars: [{value, style, title}]}]. A
// bar that is far longer than the others is cut, and says how long it is.
function barChart(host, {groups, origin, gist, format}) {
  const width = widthOf(host), thick = 9, gap = 9, top = 6, foot = 24;
  const names = groups.map((g) => g.name), room = roomFor(names, width, 0.42), left = room + 10;
  const shown = shortenAll(names, room, true), right = 58;
  const values = groups.flatMap((g) => g.bars.map((b) => b.value));
  const usual = usualRange([origin, ...values]);
  let lo = Math.min(origin, usual[0]), hi = Math.max(origin, usual[1]);
  const pad = (hi - lo || 0.1) * 0.04;
  lo = lo < origin ? lo - pad : origin - pad;
  hi += pad;
  const x = (v) => left + (Math.max(lo, Math.min(hi, v)) - lo) / (hi - lo) * (width - left - right);
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
      const cut = b.value > hi || b.value < lo, text = (format || ((v) => v.toFixed(3)))(b.value);
      if (g.bars.length < 3 || g.bold || cut)
        picture.append(label(
            Math.max(x(b.value), x(origin)) + 4, at + thick / 2,
            cut ? (b.value > hi ? '» ' : '« ') + text : text,
            {class: cut ? 'cut' : 'dim', style: 'font-size:10px'}));
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
