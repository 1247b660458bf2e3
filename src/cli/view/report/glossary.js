// SPDX-License-Identifier: Apache-2.0
// What the causes of waiting mean, and what to try about each. The meanings are those of the counters; the next steps are ours.

const NEXT_STEPS = {
  stall_launch: 'fewer and larger launches, or a graph: nothing ran between two kernels',
  stall_no_warp: 'more CTAs, or smaller ones, so that every SM has some (bankshot occupancy)',
  stall_fetch: 'less unrolling; code that does not leave the instruction cache',
  stall_branch: 'branches that whole warps take together',
  stall_constant: 'the same constant for all lanes at a time',
  stall_prefetch: 'the mechanism fetches registers too late: another size, or code in longer regions',
  stall_capacity: 'fewer registers live at a time, or a larger staging memory',
  stall_alu: 'more warps, or more independent work in each (several results at a time)',
  stall_sfu: 'fewer divisions, roots and transcendental functions, or faster forms of them',
  stall_fp64: 'single precision where it will do',
  stall_tensor: 'more independent products in flight',
  stall_misc: 'fewer shuffles, votes and reads of special registers in a row',
  stall_shared: 'more warps; fewer conflicts of shared-memory banks (profile: shared conflicts)',
  stall_memory: 'more loads in flight (warps, unrolling, cp.async), neighbours in one line, data kept near',
  stall_order: 'fewer stores to what is read right after',
  stall_read: 'nothing in the program; collectors free their registers late: --mech cu4, malekeh',
  stall_barrier: 'fewer barriers, or less difference of work between warps before them',
  stall_collector: 'more collectors or register-file ports (--mech cu4, steal)',
  stall_bank: 'operands in different banks: --mech rba, malekeh, or more banks',
  stall_unit: 'another mix of instructions: one unit is full',
  stall_lsu: 'fewer or wider accesses: the load-store unit is full',
  stall_policy: 'another scheduler, or more active warps of this one (sm.wsched)',
  stall_tenant: 'the share of the other program is what it costs',
  stall_drained: 'CTAs whose warps end together'
};

// The meaning of a cause by itself: those of the table that go on from the row before begin with dots.
function causeMeaning(cause) {
  const text = meaning('sm.' + cause) || '';
  return text.replace(/^\.\.\. /, 'every warp that could waited ');
}

// A cause by its name, with its meaning for who points at it or asks for it.
const causeTerm = (cause, ...more) => element(
    'span', {class: 'term', title: causeMeaning(cause)}, causeName(cause), ...more);

function drawGlossary(host, list) {
  const used = causes.filter((c) => c !== 'issued' && list.some((p) => {
    const shares = p.ok && sharesOf(p);
    return shares && shares[causes.indexOf(c)] > 0.0005;
  }));
  host.replaceChildren(element(
      'details', {class: 'glossary'}, element('summary', {}, 'What the causes mean, and what to try'),
      element('dl', {}, ...used.flatMap((c) => [
        element(
            'dt', {}, element('span', {class: 'swatch', style: `background:${background(causeStyle(c))}`}),
            causeName(c)),
        element(
            'dd', {}, causeMeaning(c) + '.',
            ...(NEXT_STEPS[c] ? [element('span', {class: 'next'}, ` Try: ${NEXT_STEPS[c]}.`)] : []))
      ]))));
}
