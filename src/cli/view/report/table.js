// SPDX-License-Identifier: Apache-2.0
// Elements and tables. Text gets into the page as text nodes and attributes only, never as markup.

function element(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function')
      e.addEventListener(name, value);
    else
      e.setAttribute(name, value === true ? '' : value);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined));
  return e;
}

const byId = (id) => document.getElementById(id);

function fillSelect(select, values, labels, chosen) {
  select.replaceChildren(...values.map((v, i) => element('option', {value: v}, labels ? labels[i] : v)));
  if (values.includes(chosen)) select.value = chosen;
}

// Numbers by size, text as people sort it, nothing last in either direction.
function compareCells(a, b, down) {
  const none = (v) => v === null || v === undefined || v === '';
  if (none(a) || none(b)) return none(a) - none(b);
  const order = typeof a === 'number' && typeof b === 'number' ? a - b : natural(String(a), String(b));
  return down ? -order : order;
}

// A table that sorts by its headings. Columns: label, get(row), and optional help, number, format(value,
// row), cell(row), head (the row's heading), css, fixed (not sortable). state keeps the order from one
// drawing to the next.
function drawTable(host, {caption, columns, rows, state, page = 100, mark}) {
  const sort = state.sort, given = rows;
  if (sort && columns[sort.column]) {
    const get = columns[sort.column].get;
    rows = rows.map((row, i) => [get(row), i, row])
               .sort((a, b) => compareCells(a[0], b[0], sort.down) || a[1] - b[1])
               .map((entry) => entry[2]);
  }
  const limit = state.all ? rows.length : page;
  const redraw = (focus) => {
    drawTable(host, {caption, columns, rows: given, state, page, mark});
    const again = host.querySelector(focus);
    if (again) again.focus();
  };

  const head = columns.map((c, i) => {
    const active = sort && sort.column === i;
    if (c.fixed) return element('th', {scope: 'col', class: c.number && 'n'}, element('span', {}, c.label));
    const press = () => {
      state.sort = {column: i, down: active ? !sort.down : Boolean(c.number)};
      redraw(`th:nth-child(${i + 1}) button`);
    };
    return element(
        'th', {
          scope: 'col',
          class: c.number && 'n',
          'aria-sort': active ? (sort.down ? 'descending' : 'ascending') : 'none'
        },
        element('button', {type: 'button', title: c.help, click: press}, c.label));
  });
  // One column, one form: whole numbers among others get the others' digits.
  const broken = columns.map(
      (c) =>
          c.number && !c.format && rows.some((row) => isNumber(c.get(row)) && !Number.isInteger(c.get(row))));
  const body = rows.slice(0, limit).map(
      (row) => element('tr', {class: mark && mark(row) && 'differs'}, ...columns.map((c, i) => {
        const value = c.get(row);
        const css = [c.number && 'n', c.css && (typeof c.css === 'function' ? c.css(row) : c.css)]
                        .filter(Boolean)
                        .join(' ');
        const content = c.cell ? c.cell(row) :
            c.format           ? c.format(value, row) :
            c.number           ? formatNumber(value, broken[i]) :
                                 value ?? '';
        const about = {class: css || null, 'data-label': c.label};
        return c.head ? element('th', {scope: 'row', ...about}, content) : element('td', about, content);
      })));
  const table = element(
      'table', {}, element('caption', {}, caption), element('thead', {}, element('tr', {}, ...head)),
      element('tbody', {}, ...body));
  const scroll =
      element('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption}, table);
  const at = host.firstChild && host.firstChild.scrollLeft;
  host.replaceChildren(scroll);
  scroll.scrollLeft = at || 0;
  if (rows.length > limit)
    host.append(element(
        'button', {
          type: 'button',
          class: 'more',
          click: () => {
            state.all = true;
            redraw('.scroll');
          }
        },
        `Show all ${rows.length} rows`));
}

// The numbers behind a chart, for those who cannot see it or want them; made when it is opened.
function dataBehind(label, draw) {
  const host = element('div', {});
  const details = element('details', {}, element('summary', {}, label), host);
  details.addEventListener('toggle', () => {
    if (details.open && !host.firstChild) draw(host);
  });
  return details;
}
