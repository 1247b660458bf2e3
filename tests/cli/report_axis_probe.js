// SPDX-License-Identifier: Apache-2.0
// A base block beside a block with an option that only the mechanism reads: each value has its speedup over the
// base, and no mean is taken over them. Where there is no base, the page says so.
runProbe(async ({check, all, text}) => {
  const near = (a, b) => Math.abs(a - b) < 1e-9;
  const mine = points.filter((p) => p.mechs === 'malekeh'), base = points.find((p) => p.mechs === 'base');
  check('there are three of them', mine.length === 3, String(mine.length));
  for (const p of mine) {
    check('its base', baseOf(p) === base, p.options);
    check(
        'its speedup', near(p.speedup, base.result.kernel_cycles / p.result.kernel_cycles),
        `${p.options} ${p.speedup}`);
  }
  const names = text('#found-mechs tbody th');
  check(
      'a row for each value', names.length === 3 && names.every((n) => /^malekeh ccu\.entries=\d+$/.test(n)),
      names.join(' / '));
  check('one run in each', text('#found-mechs tbody td').filter((t) => t === '3').length === 0, '');
  const lone = {...mine[0], id: -1, gpu: 'nowhere'};
  check('no base is said', /has a base/.test(whyNoSpeedup([lone])), whyNoSpeedup([lone]));
  check('all are bases', /all runs shown are base runs/.test(whyNoSpeedup([base])), whyNoSpeedup([base]));
});
