// Charts in SVG. A chart is an image with a label that tells its gist; every mark has a title; the numbers
// are in a table below it.

function svg(tag, attributes, ...children) {
  const e = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes || {}))
    if (value !== undefined && value !== null) e.setAttribute(name, value);
  e.append(...children);
  return e;
}

// Seven hues, then the same nearer to the text's colour, then to the page's: 21 that differ.
const seriesColour = (i) => {
  const hue = `var(--s${i % 7})`;
  return i % 21 < 7 ? hue : `color-mix(in oklab, ${hue} 52%, var(${i % 21 < 14 ? '--fg' : '--bg'}))`;
};
// The same mechanisms have the same colour in every chart, whatever is shown beside them.
const allMechs = orderMechs(points.map((p) => p.mechs)).filter((m) => m !== 'base');
const mechColour = (m) => m === 'base' ? 'var(--s7)' : seriesColour(allMechs.indexOf(m));

const causeColours = {
  issued: '#2f9e5f',
  stall_launch: 'color-mix(in oklab, var(--k-none) 60%, var(--fg))',
  stall_no_warp: 'var(--k-none)',
  stall_drained: 'var(--k-drained)',
  stall_fetch: '#cdb52c',
  stall_branch: '#dd9f12',
  stall_constant: '#97811d',
  stall_prefetch: '#7d6608',
  stall_alu: '#86b8ea',
  stall_sfu: '#5c9bdc',
  stall_fp64: '#3f7fc8',
  stall_tensor: '#2c63a6',
  stall_misc: '#a9cdf0',
  stall_shared: '#7667d6',
  stall_memory: '#5345b5',
  stall_read: '#a497e8',
  stall_order: '#8d3fb0',
  stall_barrier: '#17a2a2',
  stall_collector: '#f2a184',
  stall_bank: '#d65f4c',
  stall_unit: '#e98d33',
  stall_lsu: '#b3243a',
  stall_policy: '#e9bfae',
};
const causeColour = (cause) => causeColours[cause] || 'var(--s7)';
const causeName = (cause) => cause.replace(/^stall_/, '').replace(/_/g, ' ');

function legend(names, colour) {
  return element(
      'ul', {class: 'legend'},
      ...names.map(
          (name, i) => element(
              'li', {}, element('span', {style: `background:${colour(name, i)}`, 'aria-hidden': 'true'}),
              name)));
}

const widthOf = (host) =>
    Math.max(280, Math.floor(host.clientWidth || host.parentElement.clientWidth || 800));

// Letters of the page's font are about this wide at 12 px; SVG text cannot be measured before it is shown.
const LETTER = 6.4;
function shorten(text, width) {
  const most = Math.max(3, Math.floor(width / LETTER));
  return text.length > most ? text.slice(0, most - 1) + '…' : text;
}

function label(x, y, text, attributes, width) {
  const t = svg('text', {x, y, 'dominant-baseline': 'middle', ...attributes});
  const shown = width ? shorten(text, width) : text;
  t.textContent = shown;
  if (shown !== text) t.append(svg('title', {}, text));
  return t;
}

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

// Groups of bars to the right and left of `origin`. groups: [{name, bold, bars: [{value, colour, title}]}].
function barChart(host, {groups, origin, gist}) {
  const width = widthOf(host), left = Math.min(190, Math.round(width * 0.34)), right = 46, thick = 9, gap = 9,
        top = 6, foot = 24;
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
        label(x(v), height - foot + 12, tickText(v), {'text-anchor': 'middle', class: 'dim'}));
  }
  let y = top;
  for (const g of groups) {
    const tall = g.bars.length * thick;
    picture.append(label(
        left - 8, y + gap / 2 + tall / 2, g.name, {'text-anchor': 'end', class: g.bold ? 'bold' : null},
        left - 10));
    g.bars.forEach((b, i) => {
      const from = Math.min(x(origin), x(b.value)), at = y + gap / 2 + i * thick;
      const bar =
          svg('rect', {
            x: from,
            y: at,
            width: Math.max(1, Math.abs(x(b.value) - x(origin))),
            height: thick - 1,
            style: `fill:${b.colour}`
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
function stackChart(host, {rows, parts, colour, most, gist, unit}) {
  const width = widthOf(host), left = Math.min(230, Math.round(width * 0.36)), right = 14, thick = 15,
        top = 6, foot = 24;
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
        label(x(v), y + 12, unit(v), {'text-anchor': x(v) > width - 24 ? 'end' : 'middle', class: 'dim'}));
  rows.forEach((r, i) => {
    picture.append(label(left - 8, places[i] + thick / 2, r.name, {'text-anchor': 'end'}, left - 10));
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
              style: `fill:${colour(parts[k])}`
            },
                svg('title', {}, `${r.name}: ${causeName(parts[k])} ${unit(v)}`)));
      from += v;
    });
  });
  host.append(picture);
}

// One mark per point. marks: [{x, y, colour, title}].
function scatterChart(host, {marks, xName, yName, log, gist}) {
  const width = widthOf(host), height = Math.min(520, Math.max(300, Math.round(width * 0.55)));
  const left = 58, right = 14, top = 24, foot = 42;
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
  const x = axis(marks.map((m) => m.x), left, width - right, Math.max(2, (width - left) / 100));
  const y = axis(marks.map((m) => m.y), height - foot, top, 6);
  const picture =
      svg('svg', {viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': gist});
  for (const v of x.list)
    picture.append(
        svg('line', {class: 'grid', x1: x.at(v), x2: x.at(v), y1: top, y2: height - foot}),
        label(x.at(v), height - foot + 12, tickText(v), {'text-anchor': 'middle', class: 'dim'}));
  for (const v of y.list)
    picture.append(
        svg('line', {class: 'grid', x1: left, x2: width - right, y1: y.at(v), y2: y.at(v)}),
        label(left - 6, y.at(v), tickText(v), {'text-anchor': 'end', class: 'dim'}));
  picture.append(
      label(width - right, height - 10, xName + ' →', {'text-anchor': 'end', class: 'bold'}),
      label(4, 10, '↑ ' + yName, {class: 'bold'}));
  for (const m of marks)
    picture.append(
        svg('circle', {
          cx: x.at(m.x),
          cy: y.at(m.y),
          r: 4.5,
          style: `fill:${m.colour};fill-opacity:.75;stroke:var(--bg);stroke-width:.7`
        },
            svg('title', {}, m.title)));
  host.append(picture);
}
