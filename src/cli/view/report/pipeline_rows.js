// SPDX-License-Identifier: Apache-2.0
// What the pipeline's picture shows: rows over cycles. `data` is what `bankshot run --pipeline FILE.json`
// writes (docs/json.md).

const STAGES = {
  fetch: 'its line of code is fetched',
  buffer: 'decoded, waits to issue',
  issue: 'issues',
  latch: 'waits for a collector',
  operands: 'operands are read',
  wait: 'has its operands, waits for its unit',
  execute: 'executes',
  memory: 'in the memory system',
  write: 'result is written'
};
const SOURCES = {
  bank: ['B', 'a register bank'],
  cache: ['C', 'a register cache'],
  reuse: ['R', 'the reuse cache'],
  collector: ['K', 'kept in its collector'],
  bypass: ['Y', 'bypassed from a result'],
  ahead: ['A', 'read before it issued'],
  staging: ['S', 'the staging unit']
};

const startOf = (i) => i.stages[0].from;
const endOf = (i) => i.stages[i.stages.length - 1].to;
const issueOf = (i) => (i.stages.find((s) => s.stage === 'issue') || i.stages[0]).from;
const waitedOf = (i) => [...i.reads, ...i.writes].reduce((sum, r) => sum + r.waited, 0);
const warpName = (w) => `CTA ${w.cta} warp ${w.warp}`;

// Instructions of one warp beside each other where they overlap in time. Returns lists without overlap.
function lanesOf(insns) {
  const lanes = [];
  for (const i of insns) {
    const free = lanes.find((lane) => endOf(lane[lane.length - 1]) <= startOf(i));
    if (free)
      free.push(i);
    else
      lanes.push([i]);
  }
  return lanes;
}

// One row for each warp, by partition: {name, title, group, height, lanes: [[insn]]}.
function warpRows(data, only) {
  const byWarp = data.warps.map(() => []);
  for (const i of data.insns) byWarp[i.warp].push(i);
  const rows = data.warps.map((w, at) => {
    const lanes = lanesOf(byWarp[at].sort((a, b) => startOf(a) - startOf(b)));
    return {
      at,
      name: warpName(w),
      group: w.partition,
      lane: 8,
      height: Math.max(1, lanes.length) * 8 + 6,
      lanes
    };
  });
  return rows.filter((r) => only < 0 || r.at === only)
      .sort((a, b) => a.group - b.group || data.warps[a.at].slot - data.warps[b.at].slot || a.at - b.at);
}

// One row for each instruction, as they issue; before it CTA and warp.
function insnRows(data, only) {
  return data.insns.filter((i) => only < 0 || i.warp === only).map((i) => ({
    at: i.warp,
    name: `${data.warps[i.warp].cta}.${data.warps[i.warp].warp}  ${data.code[i.code].text}`,
    group: 0,
    lane: 14,
    height: 17,
    lanes: [[i]]
  }));
}

// Rows with their places: y, from top to bottom.
function placed(rows) {
  let y = 0;
  for (const [k, r] of rows.entries()) {
    if (k && rows[k - 1].group !== r.group) y += 8;
    r.y = y;
    y += r.height;
  }
  return {rows, height: y};
}
