// SPDX-License-Identifier: Apache-2.0
// What the page is set to, as one object, in its fields and in its address. An address may come from anybody: what does
// not fit is refused as a whole, with a sentence.
//
//   {v: 1, example: 'saxpy' or null, ptx: text or null, kernel, grid, block, shared, regs, args: [],
//    machines: [{gpu, mechs: [], sets: []}], from: first cycle of the pipeline, step: 1 to 6 or 0}

const LIMITS = {link: 200000, ptx: 400000, args: 64, sets: 64};

class Refused extends Error {}
const refuse = (why) => {
  throw new Refused(why);
};

const isText = (v, most, form) => typeof v === 'string' && v.length <= most && (!form || form.test(v));
const isList = (v, most, each) => Array.isArray(v) && v.length <= most && v.every(each);
const DIM = /^[1-9]\d{0,9}(,[1-9]\d{0,9}){0,2}$/;
const NUMBER = /^\d{0,7}$/;
const ARG = /^[a-z0-9]+:[\w:=.+-]{1,500}$/;
const SET = /^[a-z0-9_]+\.[a-z0-9_]+=[\w.+-]{1,60}$/;

const checks = [
  ['example', (v, known) => v === null || known.examples.has(v), (v) => `there is no example ‘${v}’ here`],
  ['ptx', (v) => v === null || isText(v, LIMITS.ptx), () => 'its PTX is no text, or too long'],
  ['kernel', (v) => isText(v, 200, /^[\w$.]*$/), () => 'its kernel’s name is none'],
  ['grid', (v) => isText(v, 32, DIM), () => 'its grid is not X, X,Y or X,Y,Z'],
  ['block', (v) => isText(v, 32, DIM), () => 'its block is not X, X,Y or X,Y,Z'],
  ['shared', (v) => isText(v, 7, NUMBER), () => 'its shared memory is no number of bytes'],
  ['regs', (v) => isText(v, 3, NUMBER), () => 'its limit of registers is no number'],
  ['args', (v) => isList(v, LIMITS.args, (a) => isText(a, 600, ARG)), () => 'its arguments are not of the form TYPE:VALUE'],
  ['machines', (v) => Array.isArray(v) && v.length >= 1 && v.length <= 2, () => 'it has not one machine or two'],
  ['from', (v) => isText(v, 12, /^\d*$/), () => 'the pipeline’s first cycle is no number'],
  ['step', (v) => Number.isInteger(v) && v >= 0 && v <= 6, () => 'the lesson has no such step'],
];

function checkMachine(m, known) {
  if (typeof m !== 'object' || m === null) refuse('a machine in it is none');
  if (!known.gpus.has(m.gpu)) refuse(`there is no GPU ‘${String(m.gpu).slice(0, 40)}’ here`);
  if (!isList(m.mechs, 16, (x) => typeof x === 'string')) refuse('its mechanisms are no list of names');
  for (const x of m.mechs)
    if (!known.mechs.has(x)) refuse(`there is no mechanism ‘${x.slice(0, 40)}’ here`);
  if (!isList(m.sets, LIMITS.sets, (s) => isText(s, 160, SET))) refuse('its options are not of the form section.option=value');
}

// The state with nothing in it that the page does not know. known: {examples, gpus, mechs}, each with has().
function checkState(s, known) {
  if (typeof s !== 'object' || s === null || Array.isArray(s)) refuse('it holds no settings');
  if (s.v !== 1) refuse('it was made by another version of this page');
  for (const [name, fits, why] of checks)
    if (!fits(s[name], known)) refuse(why(String(s[name]).slice(0, 40)));
  if (s.example === null && s.ptx === null) refuse('it names no program');
  for (const m of s.machines) checkMachine(m, known);
  const clean = {v: 1};
  for (const [name] of checks) clean[name] = s[name];
  clean.machines = s.machines.map(({gpu, mechs, sets}) => ({gpu, mechs, sets}));
  return clean;
}

// ---- in the address: JSON, compressed, in base64 for addresses ----

async function through(stream, bytes, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(), parts = [];
  for (let n = 0;;) {
    const {done, value} = await reader.read();
    if (done) break;
    n += value.length;
    if (n > most) {
      reader.cancel().catch(() => {});
      refuse('it holds more than a page’s settings');
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

async function encodeState(s) {
  const bytes = await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(JSON.stringify(s)), Infinity);
  let text = '';
  for (const b of bytes) text += String.fromCharCode(b);
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

async function decodeState(text, known) {
  let s;
  if (text.length > LIMITS.link) refuse('it is too long');
  try {
    const bytes = Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
    s = JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(
        await through(new DecompressionStream('deflate-raw'), bytes, 2 * LIMITS.ptx)));
  } catch (e) {
    if (e instanceof Refused) throw e;
    refuse('it was cut or changed on its way');
  }
  return checkState(s, known);
}
