// SPDX-License-Identifier: Apache-2.0
// What is chosen on the page is in its address, behind the section: #speedup&f-mechs=rba&speedup-order=best.
// A link to a chart shows the same chart. What is as it was at first is left out.

const chosen = () => [...document.querySelectorAll('form#filter [id], .controls [id]')].filter(
    (e) => e.matches('select, input'));
const valueOf = (e) => e.type === 'checkbox' ? String(e.checked) : e.value;
let atFirst = new Map();
let section = '';

function writeState() {
  const parts = chosen()
                    .filter((e) => valueOf(e) !== atFirst.get(e.id))
                    .map((e) => `${e.id}=${encodeURIComponent(valueOf(e))}`);
  const hash = '#' + [section, ...parts].join('&');
  if (hash !== location.hash && (hash !== '#' || location.hash)) history.replaceState(null, '', hash);
}

function setValue(e, value) {
  if (e.type === 'checkbox')
    e.checked = value === 'true';
  else if (e.tagName !== 'SELECT' || [...e.options].some((o) => o.value === value))
    e.value = value;
}

// Sets all choices as the address has them; what it does not name as it was at first.
function readState() {
  const [name, ...parts] = location.hash.slice(1).split('&'), given = new Map();
  for (const part of name.includes('=') ? [name, ...parts] : parts) {
    const at = part.indexOf('=');
    try {
      if (at > 0) given.set(part.slice(0, at), decodeURIComponent(part.slice(at + 1)));
    } catch (e) {  // an address that somebody has cut
    }
  }
  section = document.querySelector('main > section#' + CSS.escape(name || 'none')) ? name : '';
  for (const e of chosen()) setValue(e, given.has(e.id) ? given.get(e.id) : atFirst.get(e.id));
}

function goTo(id) {
  section = id === 'main' ? '' : id;
  byId(id).scrollIntoView();
  if (byId(id).hasAttribute('tabindex')) byId(id).focus({preventScroll: true});
  writeState();
}

function watchState(redraw) {
  atFirst = new Map(chosen().map((e) => [e.id, valueOf(e)]));
  readState();
  document.addEventListener('change', () => setTimeout(writeState));
  document.addEventListener('click', (e) => {
    const link = e.target.closest && e.target.closest('a[href^="#"]');
    if (!link || link.hasAttribute('download') || !byId(link.hash.slice(1))) return;
    e.preventDefault();
    goTo(link.hash.slice(1));
  });
  window.addEventListener('hashchange', () => {
    readState();
    redraw();
    if (section) byId(section).scrollIntoView();
  });
}
