// SPDX-License-Identifier: Apache-2.0
// The fields of a machine: a GPU, mechanisms, options. known: {gpus, mechs}: Maps of name to what it is.

class MachineFields {
  constructor(host, id, known) {
    this.gpu = element('select', {id: `gpu-${id}`},
                       ...[...known.gpus].map(([name, what]) => element('option', {value: name, title: what}, name)));
    this.about = element('p', {class: 'why'});
    this.chosen = element('span', {});
    this.boxes = new Map();
    const list = element('div', {class: 'mechs', role: 'group', 'aria-label': 'Mechanisms'});
    for (const [name, what] of known.mechs) {
      const box = element('input', {type: 'checkbox', value: name, change: () => this.show()});
      this.boxes.set(name, box);
      list.append(element('label', {class: 'check'}, box, element('span', {}, name, element('small', {}, what))));
    }
    this.sets = element('textarea', {rows: 2, spellcheck: 'false', wrap: 'off', placeholder: 'sm.banks=4', id: `sets-${id}`});
    this.options = element('datalist', {id: `options-${id}`});
    this.find = element('input', {list: `options-${id}`, placeholder: 'find an option …', 'aria-label': 'Find an option', autocomplete: 'off'});
    this.find.addEventListener('change', () => this.take());
    this.gpu.addEventListener('change', () => this.show());
    this.known = known;
    host.append(
        element('label', {}, 'GPU', this.gpu), this.about,
        element('details', {}, element('summary', {}, 'Mechanisms: ', this.chosen), list),
        element('details', {}, element('summary', {}, 'Options'), element('label', {}, 'section.option=value, one a line', this.sets), this.find, this.options));
    this.show();
  }
  take() {
    if (!this.find.value.includes('=')) return;
    this.sets.value = (this.sets.value.trim() + '\n' + this.find.value).trim();
    this.find.value = '';
  }
  show() {
    this.about.textContent = this.known.gpus.get(this.gpu.value) || '';
    const names = this.value.mechs;
    this.chosen.textContent = names.length ? names.join(', ') : 'none';
  }
  get value() {
    return {
      gpu: this.gpu.value,
      mechs: [...this.boxes].filter(([, box]) => box.checked).map(([name]) => name),
      sets: this.sets.value.split(/\s+/).filter(Boolean)
    };
  }
  set value(m) {
    this.gpu.value = m.gpu;
    for (const [name, box] of this.boxes) box.checked = m.mechs.includes(name);
    this.sets.value = m.sets.join('\n');
    this.sets.closest('details').open = m.sets.length > 0;
    this.show();
  }
  // rows of `list options --json`
  suggest(rows) {
    this.options.replaceChildren(...rows.map((o) => element('option', {value: `${o.name}=${o.value}`}, o.about)));
  }
}

const machineArgs = (m) => ['--gpu', m.gpu, ...(m.mechs.length ? ['--mech', m.mechs.join(',')] : []), ...m.sets.flatMap((s) => ['--set', s])];
const machineName = (m) => [m.gpu, ...m.mechs, ...m.sets].join(' ');
