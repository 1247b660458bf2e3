// SPDX-License-Identifier: Apache-2.0
// A Chromium without a window, driven through its DevTools protocol over a pipe: messages are JSON, each ended by a zero byte, on
// file descriptors 3 (to it) and 4 (from it). No library is needed for that.
'use strict';
const {spawn} = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const FLAGS = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage', '--remote-debugging-pipe', '--mute-audio'
];

class Browser {
  constructor(program) {
    this.profile = fs.mkdtempSync(path.join(os.tmpdir(), 'bankshot-web-'));
    this.child = spawn(program, [...FLAGS, `--user-data-dir=${this.profile}`, 'about:blank'], {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
    this.last = 0;
    this.waiting = new Map();
    this.heard = [];
    let rest = '';
    this.child.stdio[4].setEncoding('utf8').on('data', (part) => {
      const all = (rest + part).split('\0');
      rest = all.pop();
      for (const one of all) this.hear(JSON.parse(one));
    });
    this.child.stdio[3].on('error', () => {});
    this.ended = new Promise((done) => this.child.on('exit', done));
  }
  hear(m) {
    if (!m.id) return this.heard.forEach((f) => f(m));
    const w = this.waiting.get(m.id);
    this.waiting.delete(m.id);
    if (m.error) w.failed(new Error(`${w.method}: ${m.error.message}`));
    else w.done(m.result);
  }
  send(method, params = {}, sessionId) {
    const id = ++this.last;
    return new Promise((done, failed) => {
      this.waiting.set(id, {done, failed, method});
      this.child.stdio[3].write(JSON.stringify({id, method, params, sessionId}) + '\0');
    });
  }
  async page() {
    const {targetId} = await this.send('Target.createTarget', {url: 'about:blank'});
    const {sessionId} = await this.send('Target.attachToTarget', {targetId, flatten: true});
    const p = new Page(this, sessionId, targetId);
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await p.send(`${domain}.enable`);
    return p;
  }
  async close() {
    await Promise.race([this.send('Browser.close').catch(() => {}), new Promise((done) => setTimeout(done, 3000))]);
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 5000);
    await this.ended;
    clearTimeout(timer);
    fs.rmSync(this.profile, {recursive: true, force: true, maxRetries: 5, retryDelay: 200});
  }
}

class Page {
  constructor(browser, session, target) {
    Object.assign(this, {browser, session, target, errors: [], asked: []});
    browser.heard.push((m) => {
      if (m.sessionId !== session) return;
      const p = m.params;
      if (m.method === 'Runtime.exceptionThrown') this.errors.push(p.exceptionDetails.exception?.description || p.exceptionDetails.text);
      if (m.method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(p.type)) this.errors.push(p.args.map((a) => a.value || a.description).join(' '));
      if (m.method === 'Log.entryAdded' && p.entry.level === 'error') this.errors.push(p.entry.text);
      if (m.method === 'Network.requestWillBeSent') this.asked.push(p.request.url);
    });
  }
  send(method, params) { return this.browser.send(method, params, this.session); }
  async open(url) { await this.send('Page.navigate', {url}); }
  // The value of an expression; a promise is waited for.
  async value(expression) {
    const r = await this.send('Runtime.evaluate', {expression, awaitPromise: true, returnByValue: true});
    if (r.exceptionDetails) throw new Error(r.exceptionDetails.exception?.description || r.exceptionDetails.text);
    return r.result.value;
  }
  // Waits until an expression is true.
  async until(expression, seconds = 120) {
    for (const end = Date.now() + 1000 * seconds; Date.now() < end;) {
      if (await this.value(`(() => { try { return Boolean(${expression}); } catch (e) { return false; } })()`)) return;
      await new Promise((done) => setTimeout(done, 25));
    }
    throw new Error(`after ${seconds} s not true: ${expression}`);
  }
  size(width, height) { return this.send('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: 1, mobile: false}); }
  dark(on) { return this.send('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value: on ? 'dark' : 'light'}]}); }
  async key(key, text) {
    const code = {Tab: 9, Enter: 13, ' ': 32, ArrowRight: 39, ArrowLeft: 37, ArrowDown: 40, ArrowUp: 38, Home: 36, End: 35, Escape: 27}[key];
    const of = {key, windowsVirtualKeyCode: code, text: text ?? (key === 'Enter' ? '\r' : key.length === 1 ? key : undefined)};
    await this.send('Input.dispatchKeyEvent', {type: 'keyDown', ...of});
    await this.send('Input.dispatchKeyEvent', {type: 'keyUp', ...of});
  }
  type(text) { return this.send('Input.insertText', {text}); }
  async picture(file, whole = true) {
    const {data} = await this.send('Page.captureScreenshot', {captureBeyondViewport: whole, ...(whole ? {clip: await this.clip()} : {})});
    fs.writeFileSync(file, Buffer.from(data, 'base64'));
  }
  async clip() {
    const {cssContentSize: s} = await this.send('Page.getLayoutMetrics');
    return {x: 0, y: 0, width: s.width, height: s.height, scale: 1};
  }
  async close() { await this.browser.send('Target.closeTarget', {targetId: this.target}); }
}

module.exports = {Browser};
