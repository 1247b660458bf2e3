// SPDX-License-Identifier: Apache-2.0
// How series look. Fourteen colours are as many as can be told apart at a glance, in light and in dark;
// series beyond them have the same colours with stripes and dots, and marks of other shapes.

const COLOURS = 14;
const PATTERNS = 4;  // plain, stripes one way, the other way, dots

// Index of a series to {colour, pattern}.
const seriesStyle = (i) => ({colour: `var(--s${i % COLOURS})`, pattern: Math.floor(i / COLOURS) % PATTERNS});

// Causes of one kind have one hue.
const causeColours = {
  issued: '#2f9e5f',
  stall_launch: 'var(--k-none)',
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
  stall_tenant: '#c4788a',
};
// Those that are too near to another one.
const causePatterns = {
  stall_launch: 3,
  stall_branch: 1,
  stall_misc: 1,
  stall_policy: 2,
  stall_prefetch: 3
};
const causeStyle = (cause) =>
    ({colour: causeColours[cause] || 'var(--base)', pattern: causePatterns[cause] || 0});
const causeName = (cause) => cause.replace(/^stall_/, '').replace(/_/g, ' ');

// Patterns are defined once for all charts, in a picture without size.
const patterns = svg('svg', {width: 0, height: 0, 'aria-hidden': 'true', class: 'patterns'});
const patternLines = ['', 'M-1 1 1 -1M0 5 5 0M4 6 6 4', 'M-1 4 1 6M0 0 5 5M4 -1 6 1'];

function definePattern(id, style) {
  const parts = style.pattern < 3 ?
      [svg('path', {d: patternLines[style.pattern], style: `stroke:${style.colour};stroke-width:2.2`})] :
      [
        svg('circle', {cx: 1.25, cy: 1.25, r: 1.2, style: `fill:${style.colour}`}),
        svg('circle', {cx: 3.75, cy: 3.75, r: 1.2, style: `fill:${style.colour}`})
      ];
  patterns.append(svg(
      'pattern', {id, width: 5, height: 5, patternUnits: 'userSpaceOnUse'},
      svg('rect', {width: 5, height: 5, style: `fill:color-mix(in oklab, ${style.colour} 18%, var(--bg))`}),
      ...parts));
}

// For an SVG element's `fill`.
function paint(style) {
  if (!style.pattern) return style.colour;
  const id = 'pattern-' + style.pattern + '-' + style.colour.replace(/[^\w]+/g, '');
  if (!patterns.parentNode) document.body.append(patterns);
  if (!patterns.querySelector('#' + id)) definePattern(id, style);
  return `url(#${id})`;
}

// The same for an HTML element's `background`.
function background({colour, pattern}) {
  const weak = `color-mix(in oklab, ${colour} 18%, var(--bg))`;
  if (!pattern) return colour;
  if (pattern === 3) return `radial-gradient(circle, ${colour} 40%, ${weak} 45%) 0 0 / 5px 5px`;
  return `repeating-linear-gradient(${pattern === 1 ? -45 : 45}deg, ${colour} 0 2px, ${weak} 2px 4px)`;
}

// Marks of a scatter chart: a shape for each pattern, around the origin.
const MARKS = ['', 'M-4 -4H4V4H-4Z', 'M0 -5 5 4H-5Z', 'M0 -5.5 5.5 0 0 5.5 -5.5 0Z'];
function mark(style, x, y, title) {
  const look = {
    class: 'mark',
    style: `fill:${style.colour};fill-opacity:.75;stroke:var(--bg);stroke-width:.7`
  };
  const shape = style.pattern ?
      svg('path', {d: MARKS[style.pattern], transform: `translate(${x} ${y})`, ...look}) :
      svg('circle', {cx: x, cy: y, r: 4.5, ...look});
  shape.append(svg('title', {}, title));
  return shape;
}

const CLIPS = [
  'circle(50%)', 'inset(8%)', 'polygon(50% 0, 100% 100%, 0 100%)', 'polygon(50% 0, 100% 50%, 50% 100%, 0 50%)'
];

// Names with how they look; of marks, if those are what is drawn. `items` is for whoever draws it again.
function legend(names, style, marks) {
  const items = names.map((name, i) => ({name, style: style(name, i), marks}));
  const look = (s) =>
      marks ? `background:${s.colour};clip-path:${CLIPS[s.pattern]}` : `background:${background(s)}`;
  const list = element(
      'ul', {class: 'legend'},
      ...items.map(
          (o) => element('li', {}, element('span', {style: look(o.style), 'aria-hidden': 'true'}), o.name)));
  list.items = items;
  return list;
}
