// SPDX-License-Identifier: Apache-2.0
// A lesson of six steps. A step sets the page, asks a question that is answered by changing something, and looks at the run's
// numbers: verdict(now, first) is true, or a sentence that says what is still missing. now, first: {state, r, sum}, the last a
// checksum of what the kernel wrote.

const stat = (x, name) => countOf(x.r.json, name);
const perLoad = (x) => stat(x, 'l1_reads') / (stat(x, 'loads_done') || 1);
const waits = (x) => stat(x, 'bank_conflict') / (stat(x, 'reg_reads') || 1);
const cyclesOf = (x) => x.r.json.kernel_cycles;
const sameProgram = (now, first, but = []) => ['example', 'ptx', 'kernel', 'grid', 'block', 'shared', 'regs', 'args'].every(
  (k) => but.includes(k) || JSON.stringify(now.state[k]) === JSON.stringify(first.state[k]));
const sameMachine = (now, first) => JSON.stringify(now.state.machines[0]) === JSON.stringify(first.state.machines[0]);
const machine = (gpu, mechs = [], sets = []) => [{gpu, mechs, sets}];

const LESSON = [
  {
    title: 'Latency hiding', example: 'chain', size: 0, machines: machine('volta'),
    text: ['This kernel is a chain: each multiply-add needs the result of the one before it. One warp runs, and waits after every instruction until its result is there: look at the gaps in the pipeline below.',
      'A GPU does not make a chain faster. It runs other warps in the gaps.'],
    question: 'Change the launch so that at least eight times as many threads run, in less than one and a half times the cycles.',
    hint: 'The block may have more threads: an SM of this GPU has four schedulers, each with warps of its own.',
    verdict(now, first) {
      if (!sameProgram(now, first, ['grid', 'block']) || !sameMachine(now, first)) return 'Change nothing but grid and block.';
      const work = now.r.json.thread_insts / first.r.json.thread_insts, time = cyclesOf(now) / cyclesOf(first);
      return work >= 8 && time < 1.5 || `This ran ${num(work, 1)} times the work in ${num(time, 2)} times the cycles.`;
    },
    after: 'The warps fill each other’s gaps: with two warps for each scheduler, the wait of one is the other’s turn.'
  },
  {
    title: 'Occupancy', example: 'stencil', size: 1, shared: '49152', machines: machine('volta'),
    text: ['Waiting for memory takes hundreds of cycles, so that many warps are needed to hide it. How many fit on an SM depends on what each CTA takes: warp slots, registers, shared memory.',
      'Here each CTA was given 48 KiB of shared memory that it does not use.'],
    question: 'Let at least twice as many warps fit on an SM, and the kernel be faster by a third or more.',
    hint: 'The card “Occupancy” says what the limit is. Dynamic shared memory is one of the fields of the launch.',
    verdict(now, first) {
      if (!sameProgram(now, first, ['shared', 'regs', 'block', 'grid'])) return 'Keep the program and its arguments.';
      if (!sameMachine(now, first)) return 'Keep the machine.';
      const [a, b] = [now, first].map((x) => occupancyOf(x.r.json).warps_sm), gain = cyclesOf(first) / cyclesOf(now);
      return a >= 2 * b && gain >= 1.33 || `Now ${a} warps fit where ${b} did, and the kernel is ${num(gain, 2)} times as fast.`;
    },
    after: 'More warps at a time, more loads on their way: bandwidth is used where only latency was waited for.'
  },
  {
    title: 'Coalescing', example: 'stride', size: 0, machines: machine('volta'),
    text: ['A warp’s load is served in sectors of 32 bytes. Neighbouring threads that read neighbouring words share them: 32 words of 4 bytes are 4 sectors. Here neighbours read words that lie 32 apart.'],
    question: 'Change an argument so that a load needs no more than 4 sectors.',
    hint: 'The second argument is the stride.',
    verdict(now, first) {
      if (!sameProgram(now, first, ['args']) || !sameMachine(now, first)) return 'Change nothing but the arguments.';
      if (now.r.json.thread_insts < 0.9 * first.r.json.thread_insts) return 'That is less work than before.';
      return perLoad(now) <= 4.01 || `A load needs ${num(perLoad(now), 1)} sectors.`;
    },
    after: 'The same work, an eighth of the traffic. The card “Sectors for a load” is the first to look at when a kernel waits for memory.'
  },
  {
    title: 'Bank conflicts in shared memory', example: 'transpose', size: 0, machines: machine('volta'),
    text: ['Shared memory has 32 banks, each 4 bytes wide: word i lies in bank i mod 32. A warp that reads a column of a 32 x 32 tile asks one bank for 32 words, and gets them one after the other.'],
    question: 'Change an argument so that no cycle is lost to conflicts in shared memory, with the result as before.',
    hint: 'The second argument is the pitch of the tile’s rows. The launch has shared memory for rows of 33 words.',
    verdict(now, first) {
      if (!sameProgram(now, first, ['args', 'shared']) || !sameMachine(now, first)) return 'Change nothing but the arguments (and shared memory, if the tile needs more).';
      if (now.state.args[0] !== first.state.args[0]) return 'Keep the size of the matrix.';
      if (now.sum !== first.sum) return 'The result has changed: rows of the tile overlap.';
      const n = stat(now, 'shared_conflicts');
      return n === 0 || `${num(n)} cycles are still lost.`;
    },
    after: 'With a pitch of 33 the words of a column lie in 32 different banks.'
  },
  {
    title: 'Register banks', example: 'blocked', size: 0, machines: machine('volta'),
    text: ['Registers lie in banks too. A multiply-add reads three of them; this GPU’s partitions have two banks that each read one register in a cycle. Red marks in the pipeline are operands that wait for their bank.',
      'Researchers have proposed many answers: more banks, schedulers that know the banks, caches before them.'],
    question: 'Keep program and GPU. Choose a mechanism, or set an option, so that at most half as many of the register reads wait for their bank.',
    hint: 'Try the mechanisms banks4, bow, rba or malekeh; or the option sm.banks.',
    verdict(now, first) {
      if (!sameProgram(now, first)) return 'Keep the program and its launch.';
      if (now.state.machines[0].gpu !== first.state.machines[0].gpu) return 'Keep the GPU.';
      const gone = stat(now, 'bank_conflict') / stat(first, 'bank_conflict');
      return gone <= 0.5 || `${percent(waits(now), 1)} of the reads wait (first: ${percent(waits(first), 1)}); of all waits ${percent(gone, 1)} are left.`;
    },
    after: 'Fewer waits need not mean fewer cycles: compare the two machines, and see what else the kernel waits for.'
  },
  {
    title: 'Operands of tensor cores', example: 'attention', size: 0, machines: machine('volta'),
    text: ['An mma multiplies matrices whose parts lie in the registers of all lanes: it reads ten registers and writes four, and the same accumulators come again and again. What is read again soon could stay near the unit.'],
    question: 'Keep program and GPU. Find a mechanism with which at least half of the operands that are looked up come from a register cache, not from a bank.',
    hint: 'Mechanisms with a register cache: rfc, rfh, swrfc, bow, malekeh, ltrf. The card “Operands from a register cache” appears with them.',
    verdict(now, first) {
      if (!sameProgram(now, first)) return 'Keep the program and its launch.';
      if (now.state.machines[0].gpu !== first.state.machines[0].gpu) return 'Keep the GPU.';
      const looked = stat(now, 'cache_reads'), found = stat(now, 'cache_hits');
      if (!looked) return 'This machine has no register cache.';
      return found >= looked / 2 || `${percent(found, looked)} of the operands were found there.`;
    },
    after: 'What it saves shows in the energy of the register banks; what it costs, in its own.'
  }
];
