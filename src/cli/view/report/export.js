// SPDX-License-Identifier: Apache-2.0
// Every chart can be had as a file: SVG and PNG as it looks, with its legend, and CSV of its numbers.

const LOOKS = [
  'fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'font-size', 'font-weight',
  'font-family', 'text-anchor', 'dominant-baseline'
];

// A copy that needs no style sheet.
function standAlone(e) {
  const copy = e.cloneNode(false), look = getComputedStyle(e);
  copy.removeAttribute('class');
  if (e.nodeType === Node.ELEMENT_NODE && e.tagName !== 'title') {
    const own = e.getAttribute('style') || '';
    copy.setAttribute(
        'style',
        LOOKS.filter((name) => look.getPropertyValue(name))
            .map(
                (name) => `${name}:${
                    name === 'fill' && /url\(/.test(own) ? own.match(/url\(#[\w-]+\)/)[0] :
                                                           look.getPropertyValue(name).replace(/"/g, "'")}`)
            .join(';'));
  }
  for (const c of e.childNodes)
    copy.append(c.nodeType === Node.ELEMENT_NODE ? standAlone(c) : c.cloneNode(true));
  return copy;
}

// The chart of a figure with its legend below it, as an SVG element that stands for itself.
function exportPicture(host) {
  const chart = host.querySelector('svg'), width = chart.viewBox.baseVal.width;
  let height = chart.viewBox.baseVal.height;
  const look = getComputedStyle(document.body), family = look.fontFamily.replace(/"/g, "'");
  const rows = svg('g', {});
  let x = 6;
  for (const {name, style, marks} of (host.querySelector('.legend') || {}).items || []) {
    const wide = textWidth(name) + 28;
    if (x + wide > width && x > 6) {
      x = 6;
      height += 18;
    }
    const text =
        svg('text',
            {x: x + 16, y: height + 12, style: `fill:${look.color};font-family:${family};font-size:12px`});
    text.textContent = name;
    const swatch = marks ?
        mark(style, x + 6, height + 8, name) :
        svg('rect', {x, y: height + 2, width: 12, height: 12, style: `fill:${paint(style)}`});
    host.append(svg('svg', {class: 'measuring', width: 0, height: 0}, swatch));
    rows.append(standAlone(swatch), text);
    host.querySelector('.measuring').remove();
    x += wide;
  }
  if (rows.firstChild) height += 20;
  const defs = svg('defs', {});
  for (const e of patterns.querySelectorAll('pattern')) defs.append(standAlone(e));
  defs.querySelectorAll('pattern').forEach((e) => e.removeAttribute('style'));
  const out =
      svg('svg', {xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}`},
          svg('title', {}, chart.getAttribute('aria-label')), defs,
          svg('rect', {width, height, style: `fill:${look.backgroundColor}`}),
          ...standAlone(chart).childNodes, rows);
  return out;
}

const exportSvg = (host) => new XMLSerializer().serializeToString(exportPicture(host)) + '\n';

// The bytes of a PNG, twice as fine as the page.
function exportPng(host) {
  const picture = exportPicture(host), width = Number(picture.getAttribute('width')),
        height = Number(picture.getAttribute('height'));
  const image = new Image(), canvas = element('canvas', {width: 2 * width, height: 2 * height});
  return new Promise((done, fail) => {
    image.onload = () => {
      canvas.getContext('2d').drawImage(image, 0, 0, 2 * width, 2 * height);
      const address = canvas.toDataURL('image/png');
      done(Uint8Array.from(atob(address.slice(address.indexOf(',') + 1)), (c) => c.charCodeAt(0)));
    };
    image.onerror = () => fail(new Error('the picture cannot be drawn'));
    image.src = 'data:image/svg+xml;charset=utf-8,' +
        encodeURIComponent(new XMLSerializer().serializeToString(picture));
  });
}

function exportCsv({columns, rows}) {
  const cell = (v) => {
    const text = v === null || v === undefined ? '' : String(v);
    return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  };
  return [columns.map((c) => c.label), ...rows.map((r) => columns.map((c) => c.get(r)))]
      .map((r) => r.map(cell).join(',') + '\n')
      .join('');
}

function save(name, blob) {
  const address = URL.createObjectURL(blob), link = element('a', {href: address, download: name});
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

// Below a chart: its files, and its numbers as a table. data: what drawTable takes.
function finishChart(host, what, data) {
  const file = `${fileStem}-${host.id.replace(/-chart$/, '')}`;
  host.numbers = data;
  const button = (kind, make) => element(
      'button', {
        type: 'button',
        class: 'export',
        title: `This chart as ${kind}`,
        click: async () => save(`${file}.${kind.toLowerCase()}`, await make())
      },
      kind);
  host.append(
      element(
          'div', {class: 'files'}, 'Save as ',
          button('SVG', () => new Blob([exportSvg(host)], {type: 'image/svg+xml'})),
          button('PNG', async () => new Blob([await exportPng(host)], {type: 'image/png'})),
          button('CSV', () => new Blob([exportCsv(data)], {type: 'text/csv'}))),
      dataBehind(what, (to) => drawTable(to, {state: {}, ...data})));
}
const fileStem = data.file.replace(/\.[^.]*$/, '').replace(/[^\w.-]+/g, '_') || 'results';
