// SPDX-License-Identifier: Apache-2.0
// What probes of the page share: runProbe calls one with its tools, then writes what was seen at the end of
// the page.
async function runProbe(probe) {
  const lines = [],
        check = (name, ok, seen) => lines.push(`${ok ? 'ok' : 'FAIL'} ${name}${ok ? '' : ': ' + seen}`);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const text = (selector) => all(selector).map((e) => e.textContent);
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  const change = (id, value) => {
    byId(id).value = value;
    byId(id).dispatchEvent(new Event('change', {bubbles: true}));
  };
  const print = (line) => lines.push(line);
  try {
    await probe({check, all, text, wait, change, print});
  } catch (e) {
    check('the page works', false, `${e}\n${e.stack}`);
  }
  for (const e of window.pageErrors) check('no error', false, e);
  const pre = document.createElement('pre');
  pre.id = 'probe';
  pre.textContent = '\n' + lines.map((l) => 'probe ' + l).join('\n') + '\nprobe end\n';
  document.body.append(pre);
}
