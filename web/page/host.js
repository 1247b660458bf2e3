// SPDX-License-Identifier: Apache-2.0
/* What a program of WebAssembly finds when it asks its host: arguments, a clock, standard output, and files, which are in memory.
 * WASI's first preview, as far as wasi-libc calls it for bankshot. A program is run once, from its start to its exit.
 *
 *   const files = new Map([["conf/gpus/volta.ini", bytes]]);       names without a slash before them
 *   const {status, out, err} = runProgram(module, ["bankshot", "list", "gpus"], files, {onError: text => ...});
 */
"use strict";

const WASI = {ok: 0, badf: 8, exist: 20, inval: 28, isdir: 31, noent: 44, nospc: 51, nosys: 52, notdir: 54, spipe: 70};
const FILES_MAX_B = 768 * 1024 * 1024; /* of all files of a run */

/* Bytes that grow. */
class Bytes {
  constructor(start) {
    this.at = start || new Uint8Array(0);
    this.n = this.at.length;
  }
  write(from, offset) {
    const end = offset + from.length;
    if (end > this.at.length) {
      const more = new Uint8Array(Math.max(end, 2 * this.at.length, 4096));
      more.set(this.at.subarray(0, this.n));
      this.at = more;
    }
    this.at.set(from, offset);
    this.n = Math.max(this.n, end);
  }
  view() {
    return this.at.subarray(0, this.n);
  }
}

class Exit extends Error {
  constructor(status) {
    super("exit");
    this.status = status;
  }
}

/* files: Map of name to Uint8Array, changed by the program. seen.onError(text): what it writes to standard error, as it comes. */
function runProgram(module, args, files, seen = {}) {
  const store = new Map();
  for (const [name, bytes] of files) store.set(name, new Bytes(bytes));
  let stored = 0;
  for (const b of store.values()) stored += b.n;
  const out = new Bytes(), err = new Bytes(), text = new TextEncoder(), plain = new TextDecoder();
  const strings = {args, environ: ["BANKSHOT_HOME=/"]};
  const fds = [null, {bytes: out, stream: true}, {bytes: err, stream: true}, {folder: ""}];
  let memory;

  const view = () => new DataView(memory.buffer);
  const at = (from, n) => new Uint8Array(memory.buffer, from, n);
  const pathAt = (from, n) => {
    const parts = [];
    for (const part of plain.decode(at(from, n)).split("/")) {
      if (part === "..") parts.pop();
      else if (part && part !== ".") parts.push(part);
    }
    return parts.join("/");
  };
  const isFolder = path => {
    if (!path) return true;
    for (const name of store.keys()) if (name.startsWith(path + "/")) return true;
    return false;
  };
  /* Names directly in a folder, and whether each is a folder. */
  const entries = path => {
    const found = new Map(), head = path ? path + "/" : "";
    for (const name of store.keys()) {
      if (!name.startsWith(head)) continue;
      const rest = name.slice(head.length), slash = rest.indexOf("/");
      found.set(slash < 0 ? rest : rest.slice(0, slash), slash >= 0);
    }
    return [...found].sort((a, b) => (a[0] < b[0] ? -1 : 1));
  };
  const putStat = (to, folder, size, stream) => {
    const v = view();
    at(to, 64).fill(0);
    v.setUint8(to + 16, stream ? 2 : folder ? 3 : 4);
    v.setBigUint64(to + 24, 1n, true);
    v.setBigUint64(to + 32, BigInt(size), true);
    return WASI.ok;
  };
  const vectors = function* (from, n) {
    for (let i = 0; i < n; i++) {
      const v = view();
      yield at(v.getUint32(from + 8 * i, true), v.getUint32(from + 8 * i + 4, true));
    }
  };
  const put32 = (to, n) => (view().setUint32(to, n, true), WASI.ok);
  const put64 = (to, n) => (view().setBigUint64(to, BigInt(n), true), WASI.ok);

  const read = (f, from, n, offset, done) => {
    let got = 0;
    for (const to of vectors(from, n)) {
      const part = f.bytes.view().subarray(offset, offset + to.length);
      to.set(part);
      offset += part.length;
      got += part.length;
      if (part.length < to.length) break;
    }
    put32(done, got);
    return got;
  };
  const write = (f, from, n, offset, done) => {
    let put = 0;
    for (const part of vectors(from, n)) {
      const grows = Math.max(0, offset + part.length - f.bytes.n);
      if (stored + grows > FILES_MAX_B) return -1;
      stored += grows;
      f.bytes.write(part, offset);
      if (f.bytes === err && seen.onError) seen.onError(plain.decode(part.slice()));
      offset += part.length;
      put += part.length;
    }
    put32(done, put);
    return put;
  };
  const list = (table, buffer, of) => {
    for (const s of strings[of]) {
      const bytes = text.encode(s + "\0");
      put32(table, buffer);
      at(buffer, bytes.length).set(bytes);
      table += 4;
      buffer += bytes.length;
    }
    return WASI.ok;
  };
  const sizes = (count, bytes, of) => {
    put32(count, strings[of].length);
    return put32(bytes, strings[of].reduce((n, s) => n + text.encode(s).length + 1, 0));
  };
  const open = fd => fds[fd] || null;

  const wasi = {
    args_get: (table, buffer) => list(table, buffer, "args"),
    args_sizes_get: (count, bytes) => sizes(count, bytes, "args"),
    environ_get: (table, buffer) => list(table, buffer, "environ"),
    environ_sizes_get: (count, bytes) => sizes(count, bytes, "environ"),
    clock_time_get: (id, precision, to) => put64(to, Math.round((id ? performance.now() : Date.now()) * 1e6)),
    proc_exit: status => {
      throw new Exit(status);
    },
    fd_close: fd => {
      if (!open(fd)) return WASI.badf;
      fds[fd] = null;
      return WASI.ok;
    },
    fd_fdstat_get: (fd, to) => {
      const f = open(fd);
      if (!f) return WASI.badf;
      at(to, 24).fill(0);
      view().setUint8(to, f.stream ? 2 : f.bytes ? 4 : 3);
      view().setUint16(to + 2, f.append ? 1 : 0, true);
      /* All rights, but none to seek in a stream: so wasi-libc knows a terminal. */
      put64(to + 8, f.stream ? 0x1fffffffn & ~0x24n : 0x1fffffffn);
      return put64(to + 16, 0x1fffffffn);
    },
    fd_fdstat_set_flags: fd => (open(fd) ? WASI.ok : WASI.badf),
    fd_filestat_get: (fd, to) => {
      const f = open(fd);
      return f ? putStat(to, !f.bytes, f.bytes ? f.bytes.n : 0, f.stream) : WASI.badf;
    },
    fd_prestat_get: (fd, to) => {
      if (fd !== 3) return WASI.badf;
      view().setUint8(to, 0);
      return put32(to + 4, 1);
    },
    fd_prestat_dir_name: (fd, to) => (at(to, 1).set([47]), WASI.ok),
    fd_read: (fd, from, n, done) => {
      const f = open(fd);
      if (!f || !f.bytes || f.stream) return f && !f.bytes ? WASI.isdir : WASI.badf;
      f.offset += read(f, from, n, f.offset, done);
      return WASI.ok;
    },
    fd_pread: (fd, from, n, offset, done) => {
      const f = open(fd);
      if (!f || !f.bytes || f.stream) return WASI.badf;
      read(f, from, n, Number(offset), done);
      return WASI.ok;
    },
    fd_write: (fd, from, n, done) => {
      const f = open(fd);
      if (!f || !f.bytes) return WASI.badf;
      const put = write(f, from, n, f.stream || f.append ? f.bytes.n : f.offset, done);
      if (put < 0) return WASI.nospc;
      f.offset = f.append ? f.bytes.n : f.offset + put;
      return WASI.ok;
    },
    fd_pwrite: (fd, from, n, offset, done) => {
      const f = open(fd);
      if (!f || !f.bytes || f.stream) return WASI.badf;
      return write(f, from, n, Number(offset), done) < 0 ? WASI.nospc : WASI.ok;
    },
    fd_seek: (fd, by, whence, to) => {
      const f = open(fd);
      if (!f || !f.bytes) return WASI.badf;
      if (f.stream) return WASI.spipe;
      const next = Number(by) + (whence === 0 ? 0 : whence === 1 ? f.offset : f.bytes.n);
      if (next < 0) return WASI.inval;
      f.offset = next;
      return put64(to, next);
    },
    fd_tell: (fd, to) => {
      const f = open(fd);
      return !f || !f.bytes ? WASI.badf : f.stream ? WASI.spipe : put64(to, f.offset);
    },
    fd_readdir: (fd, to, room, cookie, done) => {
      const f = open(fd);
      if (!f || f.bytes) return WASI.notdir;
      let used = 0;
      const all = entries(f.folder);
      for (let i = Number(cookie); i < all.length && used < room; i++) {
        const name = text.encode(all[i][0]), row = new Uint8Array(24 + name.length), v = new DataView(row.buffer);
        v.setBigUint64(0, BigInt(i + 1), true);
        v.setUint32(16, name.length, true);
        v.setUint8(20, all[i][1] ? 3 : 4);
        row.set(name, 24);
        const part = row.subarray(0, Math.min(row.length, room - used));
        at(to + used, part.length).set(part);
        used += part.length;
      }
      return put32(done, used);
    },
    path_filestat_get: (fd, flags, from, n, to) => {
      const path = pathAt(from, n), file = store.get(path);
      if (file) return putStat(to, false, file.n, false);
      return isFolder(path) ? putStat(to, true, 0, false) : WASI.noent;
    },
    path_open: (fd, flags, from, n, how, rights, more, fdflags, to) => {
      const path = pathAt(from, n), [create, folder, only, empty] = [1, 2, 4, 8].map(bit => how & bit);
      let file = store.get(path);
      if (!file && isFolder(path)) {
        if (create || empty) return WASI.isdir;
        return put32(to, fds.push({folder: path}) - 1);
      }
      if (folder) return file ? WASI.notdir : WASI.noent;
      if (file && create && only) return WASI.exist;
      if (!file && !create) return WASI.noent;
      if (!file) store.set(path, (file = new Bytes()));
      if (empty) {
        stored -= file.n;
        file.at = new Uint8Array(0);
        file.n = 0;
      }
      return put32(to, fds.push({bytes: file, offset: 0, append: Boolean(fdflags & 1)}) - 1);
    },
    path_readlink: () => WASI.inval,
    path_rename: (fd, from, n, to, toPath, toN) => {
      const path = pathAt(from, n), next = pathAt(toPath, toN), file = store.get(path);
      if (!file) return WASI.noent;
      if (isFolder(next)) return WASI.isdir;
      if (next === path) return WASI.ok;
      if (store.has(next)) stored -= store.get(next).n;
      store.delete(path);
      store.set(next, file);
      return WASI.ok;
    },
    fd_sync: fd => (open(fd) ? WASI.ok : WASI.badf),
    path_unlink_file: (fd, from, n) => {
      const path = pathAt(from, n), file = store.get(path);
      if (!file) return WASI.noent;
      stored -= file.n;
      store.delete(path);
      return WASI.ok;
    },
  };

  /* What is asked for beyond these does not exist here: the program hears so, if it ever calls it. */
  for (const i of WebAssembly.Module.imports(module)) if (!wasi[i.name]) wasi[i.name] = () => WASI.nosys;
  const instance = new WebAssembly.Instance(module, {wasi_snapshot_preview1: wasi});
  memory = instance.exports.memory;
  let status = 0;
  try {
    instance.exports._start();
  } catch (e) {
    if (!(e instanceof Exit)) throw e;
    status = e.status;
  }
  files.clear();
  for (const [name, bytes] of store) files.set(name, bytes.view());
  return {status, out: plain.decode(out.view()), err: plain.decode(err.view()), memory_b: memory.buffer.byteLength};
}

if (typeof module !== "undefined") module.exports = {runProgram};
