// SPDX-License-Identifier: Apache-2.0
/* The worker: runs commands of bankshot one after the other, each in an instance of its own, and answers with what they wrote.
 *
 *   {wasm, files}                              once: the program, and the files that are always there
 *   {id, files, steps: [{args, keep}], want}   commands; stops at the first that fails. A step with `keep` (a text that stands
 *                                              for all it depends on) is not run again if it was the last one of that text
 *   -> {id, step, share}                       how far it is; share: of the step, NaN: not known
 *   -> {id, results: [{status, out, err, ms, memory_b}], files}   the end; files: those of `want` that exist, as text */
let program = null, always = [], kept = {key: null};

function runStep(step, files, tell) {
  if (step.keep && step.keep === kept.key) {
    for (const [name, bytes] of kept.files) files.set(name, bytes);
    return kept.result;
  }
  const before = new Set(files.keys()), from = performance.now();
  const onError = text => {
    const found = /([\d.]+)%/.exec(text);
    if (found) tell(Number(found[1]) / 100);
  };
  let result;
  try {
    result = runProgram(program, step.args, files, {onError});
  } catch (e) {
    const why = e instanceof WebAssembly.RuntimeError || e instanceof RangeError ? "it ended without an answer, most likely for want of memory: a run may use 1 GiB" : e;
    result = {status: -1, out: "", err: `bankshot: error: ${why}`, memory_b: 0};
  }
  result.ms = performance.now() - from;
  if (step.keep && !result.status)
    kept = {key: step.keep, result, files: [...files].filter(([name]) => !before.has(name))};
  return result;
}

function work({id, files, steps, want}) {
  const all = new Map(always), text = new TextEncoder(), plain = new TextDecoder(), results = [];
  for (const [name, content] of files) all.set(name, text.encode(content));
  for (const [k, step] of steps.entries()) {
    postMessage({id, step: k, share: NaN});
    results.push(runStep(step, all, share => postMessage({id, step: k, share})));
    if (results[k].status) break;
  }
  const found = want.filter(name => all.has(name)).map(name => [name, plain.decode(all.get(name))]);
  postMessage({id, results, files: found});
}

onmessage = async ({data}) => {
  if (data.wasm) {
    const text = new TextEncoder();
    always = data.files.map(([name, content]) => [name, text.encode(content)]);
    program = await WebAssembly.compile(data.wasm);
    postMessage({ready: true});
  } else {
    work(data);
  }
};
