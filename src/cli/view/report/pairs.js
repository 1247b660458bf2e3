// SPDX-License-Identifier: Apache-2.0
// Pairs of programs that had a GPU together: the speed of each beside its speed alone.

const PAIR_SERIES = ['first program', 'second program'];

function pairName(c) {
  const used = (field, text) => distinct(pairs.map((p) => p[field])).length > 1 ? ' ' + text : '';
  return c.workload + used('share', c.share) + used('target', `${formatNumber(100 * c.target)}%`) +
      used('mechs', c.mechs) + used('gpu', c.gpu) + used('size', c.size);
}

function pairColumns() {
  return [
    {label: 'pair', head: true, get: pairName},
    {label: 'sharing', help: meaning('gpu.share'), get: (c) => c.share}, {
      label: 'target',
      help: 'share of its speed alone that the first was to keep',
      number: true,
      get: (c) => c.target
    },
    {
      label: 'first',
      help: 'speed of the first program over its speed alone',
      number: true,
      get: (c) => c.speed
    },
    {
      label: 'met',
      help: 'it kept its target, to within a hundredth',
      get: (c) => c.met ? 'yes' : 'no',
      css: (c) => c.met ? null : 'bad'
    },
    {
      label: 'second',
      help: 'speed of the second program over its speed alone',
      number: true,
      get: (c) => c.second_speed
    },
    {
      label: 'STP',
      help: 'system throughput: the sum of both speeds',
      number: true,
      get: (c) => c.speed + c.second_speed
    },
    {label: 'cycles', help: 'of the run', number: true, get: (c) => c.cycles},
    {label: 'parked', help: 'CTAs that were moved to memory', number: true, get: (c) => c.parked}, {
      label: 'moved (bytes)',
      help: 'of their registers and shared memory',
      number: true,
      get: (c) => c.switch_b
    }
  ];
}

function drawPairs(list) {
  const host = byId('pairs-chart'), shownIds = new Set(list.map((p) => p.id)),
        has = pairs.filter((c) => shownIds.has(c.point)), met = has.filter((c) => c.met).length;
  host.replaceChildren();
  byId('pairs-sum').textContent = has.length ?
      `The first program kept its target in ${met} of ${has.length} pairs; STP ${
          geomean(has.map((c) => c.speed + c.second_speed)).toFixed(3)} on (geometric) average.` :
      'No pair is shown.';
  if (!has.length) return byId('pairs-table').replaceChildren();
  const style = (s) => seriesStyle(PAIR_SERIES.indexOf(s)), most = shownAll.pairs ? has.length : MANY;
  const bar = (c, i, value) => ({
    value,
    style: style(PAIR_SERIES[i]),
    title: `${pairName(c)}: ${PAIR_SERIES[i]} at ${(100 * value).toFixed(1)}% of its speed alone`
  });
  host.append(legend(PAIR_SERIES, style));
  barChart(host, {
    origin: 0,
    gist: `Speeds of ${has.length} pairs of programs over those alone`,
    groups: has.slice(0, most).map(
        (c) => ({name: pairName(c), bars: [bar(c, 0, c.speed), bar(c, 1, c.second_speed)]}))
  });
  moreButton(host, 'pairs', has.length - most, () => drawPairs(list));
  finishChart(
      host, 'The speeds as a table', {caption: 'Speeds over those alone', rows: has, columns: pairColumns()});
  drawTable(
      byId('pairs-table'),
      {caption: `${has.length} pairs`, rows: has, state: tableState.pairs, columns: pairColumns()});
}
