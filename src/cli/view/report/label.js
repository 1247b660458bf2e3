// SPDX-License-Identifier: Apache-2.0
// Text in charts: measured, and shortened where it must be so that names that differ are not shown alike.

const pen = document.createElement('canvas').getContext('2d');
const fontFamily = getComputedStyle(document.body).fontFamily;

// Width in pixels at a chart's size of text. A little more than measured: the page may
// be magnified, and letters then do not grow evenly.
function textWidth(text, bold, size) {
  pen.font = `${bold ? 600 : 400} ${size || 12}px ${fontFamily}`;
  return pen.measureText(text).width * 1.02 + 1;
}

// SVG shows a run of blanks as one.
const oneLine = (text) => String(text).replace(/\s+/g, ' ').trim();

// Head and tail of a text with an ellipsis between them, as much as fits; share: of it that is the head.
function clip(text, width, bold, share) {
  if (textWidth(text, bold) <= width) return text;
  const letters = [...text];
  const cut = (n) => {
    const head = Math.ceil(n * share);
    return letters.slice(0, head).join('') + '…' + (n > head ? letters.slice(head - n).join('') : '');
  };
  let lo = 1, hi = letters.length - 1;
  while (lo < hi) {
    const mid = Math.ceil((lo + hi) / 2);
    if (textWidth(cut(mid), bold) <= width)
      lo = mid;
    else
      hi = mid - 1;
  }
  return cut(lo);
}

// Leaves out words that all names have, as far as there are any others.
function withoutCommon(names) {
  const split = names.map((n) => n.split(' ')), least = lowest(split.map((w) => w.length));
  const same = (at) => split.every((w) => w.at(at) === split[0].at(at));
  let head = 0, tail = 0;
  while (head < least - 1 && same(head)) head++;
  while (tail < least - 1 - head && same(-1 - tail)) tail++;
  return split.map(
      (w) => (head > 1 ? '… ' : w.slice(0, head).map((x) => x + ' ').join('')) +
          w.slice(head, w.length - tail).join(' ') + (tail ? ' …' : ''));
}

// Of options only the end of their names, and their values.
const shortOptions = (name) => name.replace(/[\w.]{3,}(?=\w{4}=)/g, '…');

// The names as they are shown in `width` pixels. Those that differ are shown differently: by another cut,
// without what they have in common, or at last by a number.
function shortenAll(names, width, bold) {
  const texts = names.map(oneLine), kinds = distinct(texts);
  if (kinds.every((t) => textWidth(t, bold) <= width)) return texts;
  const shown = new Map(), tries = [];
  for (const from of [kinds, withoutCommon(kinds), withoutCommon(kinds).map(shortOptions)])
    for (const share of [0.6, 0.3, 0.85, 0]) tries.push(from.map((t) => clip(t, width, bold, share)));
  const differ = (list) => distinct(list).length;
  const best = tries.reduce((a, b) => differ(b) > differ(a) ? b : a);
  kinds.forEach((t, i) => {
    const again = best.indexOf(best[i]) !== best.lastIndexOf(best[i]), number = `#${i + 1} `;
    shown.set(t, again ? number + clip(t, width - textWidth(number, bold), bold, 0.6) : best[i]);
  });
  return texts.map((t) => shown.get(t));
}

// Room for names beside a chart: what they need, at most that share of the whole.
function roomFor(names, width, share) {
  return Math.ceil(Math.min(highest([40, ...names.map((n) => textWidth(oneLine(n), true))]), width * share));
}

// A text in a picture; `whole`: what a shortened one stands for.
function label(x, y, text, attributes, whole) {
  const t = svg('text', {x, y, 'dominant-baseline': 'middle', ...attributes});
  t.textContent = text;
  if (whole !== undefined && oneLine(whole) !== text) t.append(svg('title', {}, whole));
  return t;
}

// A number below or beside an axis, inside of `width` pixels.
function tickLabel(x, y, text, width) {
  const half = textWidth(text) / 2;
  const at = Math.max(half, Math.min(width - half, x));
  return label(at, y, text, {'text-anchor': 'middle', class: 'dim'});
}
