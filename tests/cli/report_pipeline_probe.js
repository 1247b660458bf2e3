// SPDX-License-Identifier: Apache-2.0
// Pipelines in the page: both are drawn, and gone through with keys.
runProbe(async ({check, all, text, wait, change}) => {
  await wait(300);
  check('a section', !byId('pipelines').hidden && all('#sections a').some((a) => a.hash === '#pipelines'), 'hidden');
  check('two pipelines', byId('pipelines-which').options.length === 2, byId('pipelines-which').options.length);
  const colours = () => {
    const c = document.querySelector('.pipeline canvas'), copy = element('canvas', {width: c.width, height: c.height}), seen = new Set();
    const pen = copy.getContext('2d', {willReadFrequently: true});
    pen.drawImage(c, 0, 0);
    const d = pen.getImageData(0, 0, c.width, c.height).data;
    for (let i = 0; i < d.length; i += 4) seen.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]);
    return seen.size;
  };
  check('it is drawn', colours() > 6, colours());
  check('names are text', !all('.details img, #pipelines img').length && window.hacked === undefined, 'markup');
  for (const which of ['0', '1']) {
    change('pipelines-which', which);
    await wait(100);
    const canvas = document.querySelector('.pipeline canvas'), press = (key) => canvas.dispatchEvent(new KeyboardEvent('keydown', {key}));
    press('ArrowRight');
    const first = text('.details')[0];
    check('an instruction is told', /partition \d/.test(first) && /issue/.test(first), first);
    press('ArrowRight');
    check('... and the next', text('.details')[0] !== first, first);
    for (const key of ['+', '+', 'ArrowDown', 'ArrowUp', '-', 'Home']) press(key);
    const form = document.querySelector('#pipelines-host select');
    form.value = 'insns';
    form.dispatchEvent(new Event('change'));
    press('ArrowDown');
    check('rows of instructions are drawn', colours() > 6, colours());
    check('nothing passes the margin', document.documentElement.scrollWidth <= innerWidth, document.documentElement.scrollWidth);
  }
});
