// SPDX-License-Identifier: Apache-2.0
// How near runs came to what the parts of their machines can do, and how many warps their kernels keep on an
// SM.

const lightUnits = data.light.units.map(([name, what]) => ({name, what}));
const lights = new Map(data.light.rows.map((row) => [row[0], {
                                             seconds: row[1],
                                             shares: row.slice(2, 2 + lightUnits.length),
                                             dram: row[2 + lightUnits.length],
                                             roofs: row[3 + lightUnits.length],
                                             kernels: row[4 + lightUnits.length].map(
                                                 ([kernel, ctas, ctasSm, warps, slots, by, waves, idle]) =>
                                                     ({kernel, ctas, ctasSm, warps, slots, by, waves, idle}))
                                           }]));
const lightOf = (p) => lights.get(p.run);

// Runs of one workload whose kernels are alike on their machines have one row for each kernel.
function occupancyRows(list, name) {
  const rows = new Map();
  for (const p of list)
    for (const k of lightOf(p).kernels) {
      const row = {...k, workload: name(p), name: kernelName(p, k.kernel)}, key = JSON.stringify(row);
      if (!rows.has(key)) rows.set(key, row);
    }
  return [...rows.values()];
}

function drawLight(list) {
  const has = list.filter((p) => p.ok && lightOf(p)), name = namer(has);
  // Operations are not counted in runs of a database: units of execution have no share.
  const used =
      lightUnits.map((u, i) => ({...u, i})).filter((u) => has.some((p) => lightOf(p).shares[u.i] > 0.00005));
  drawTable(byId('light-table'), {
    caption: `Percent of the most that is possible, ${has.length} runs`,
    rows: has,
    state: tableState.light,
    columns: [
      {label: 'workload', get: name, head: true}, {label: 'mechanisms', get: (p) => p.mechs}, {
        label: 'µs',
        help: 'kernel cycles at the core clock',
        number: true,
        get: (p) => lightOf(p).seconds * 1e6
      },
      ...used.map((u) => ({
                    label: u.name + ' %',
                    help: u.what,
                    number: true,
                    get: (p) => lightOf(p).shares[u.i] === null ? null : 100 * lightOf(p).shares[u.i],
                    css: (p) => lightOf(p).shares[u.i] >= 0.6 ? 'most' : null
                  })),
      {label: 'DRAM GB/s', number: true, get: (p) => lightOf(p).dram === null ? null : lightOf(p).dram / 1e9}
    ]
  });
  drawTable(byId('occupancy-table'), {
    caption: 'CTAs and warps that an SM holds',
    rows: occupancyRows(has, name),
    state: tableState.occupancy,
    columns: [
      {label: 'workload', get: (k) => k.workload, head: true}, {label: 'kernel', get: (k) => k.name},
      {label: 'warps an SM', number: true, get: (k) => k.warps},
      {label: 'of', help: 'warps that an SM could hold', number: true, get: (k) => k.slots},
      {label: 'limited by', get: (k) => k.by || '–'},
      {label: 'CTAs an SM', number: true, get: (k) => k.ctasSm},
      {label: 'CTAs', help: 'of the grid', number: true, get: (k) => k.ctas},
      {label: 'waves', help: 'how often the grid fills all SMs', number: true, get: (k) => k.waves},
      {label: 'idle SMs', help: 'SMs for which there is no CTA', number: true, get: (k) => k.idle}
    ]
  });
}
