// SPDX-License-Identifier: Apache-2.0
'use strict';
// Lists and numbers, for everything that is drawn. Nothing here knows what it is of.

// Not Math.min(...list): arguments are limited.
const lowest = (list) => list.reduce((a, b) => Math.min(a, b), Infinity);
const highest = (list) => list.reduce((a, b) => Math.max(a, b), -Infinity);

const distinct = (list) => [...new Set(list)];
const natural = new Intl.Collator('en', {numeric: true}).compare;

// Where an axis ends so that a few values far from the others do not set it: one in thirty at each end, if it
// is farther away than three quarters of what the others take.
function usualRange(values) {
  const sorted = [...values].sort((a, b) => a - b), n = sorted.length;
  if (n < 8) return [sorted[0], sorted[n - 1]];
  const k = Math.max(1, Math.floor(n / 30)), lo = sorted[k], hi = sorted[n - 1 - k], far = 0.75 * (hi - lo);
  return [sorted[0] < lo - far ? lo : sorted[0], sorted[n - 1] > hi + far ? hi : sorted[n - 1]];
}
