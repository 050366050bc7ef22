// Opens the labelling page in headless Chromium from a file, labels by keys and buttons, and looks at what is kept. Usage:
// node page-browser.js INDEX.HTML DOWNLOADS [SHOT.PNG]; prints what it saw as JSON. Talks to the browser through a pipe, so nothing listens.
'use strict';
const {spawn} = require('child_process');
const fs = require('fs');
const path = require('path');
const [page, downloads, shot] = process.argv.slice(2);
const profile = fs.mkdtempSync('/tmp/audit-browser-');
const browser = spawn('chromium', ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run', '--disable-dev-shm-usage',
  '--user-data-dir=' + profile, '--window-size=1300,900', '--remote-debugging-pipe'], {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
const waiting = new Map();
const errors = [];
let number = 0;
let session;
let buffer = '';
browser.stdio[4].on('data', bytes => {
  buffer += bytes;
  for (let end; (end = buffer.indexOf('\0')) >= 0; buffer = buffer.slice(end + 1)) {
    const message = JSON.parse(buffer.slice(0, end));
    if (message.method === 'Runtime.exceptionThrown') {
      errors.push(message.params.exceptionDetails.text);
    } else if (message.method === 'Log.entryAdded') {
      errors.push(message.params.entry.text);
    }
    if (waiting.has(message.id)) {
      waiting.get(message.id)(message);
      waiting.delete(message.id);
    }
  }
});
function send(method, params = {}) {
  return new Promise((resolve, reject) => {
    waiting.set(++number, message => message.error ? reject(new Error(method + ': ' + message.error.message)) : resolve(message.result));
    browser.stdio[3].write(JSON.stringify({id: number, method, params, sessionId: session}) + '\0');
  });
}
const wait = ms => new Promise(resolve => setTimeout(resolve, ms));
async function see(expression) {
  return (await send('Runtime.evaluate', {expression, returnByValue: true})).result.value;
}
async function key(text, name = text) {
  await send('Input.dispatchKeyEvent', {type: 'keyDown', key: name, text});
  await send('Input.dispatchKeyEvent', {type: 'keyUp', key: name});
}
async function open() {
  await send('Page.navigate', {url: 'file://' + path.resolve(page)});
  for (let i = 0; i < 100 && !await see('document.readyState === "complete" && Boolean(document.getElementById("data"))'); i++) {
    await wait(100);
  }
}
(async () => {
  const target = await send('Target.createTarget', {url: 'about:blank'});
  session = (await send('Target.attachToTarget', {targetId: target.targetId, flatten: true})).sessionId;
  for (const domain of ['Page', 'Runtime', 'Log']) {
    await send(domain + '.enable');
  }
  const browserWide = session;
  session = undefined;
  await send('Browser.setDownloadBehavior', {behavior: 'allow', downloadPath: path.resolve(downloads)});
  session = browserWide;
  await open();
  const seen = {};
  seen.asks = await see('!document.getElementById("ask").hidden && document.getElementById("work").hidden');
  await send('Input.insertText', {text: 'Ada'});
  await key('\r', 'Enter');
  seen.place = await see('document.getElementById("place").textContent');
  seen.sections = await see('document.querySelectorAll("section:not([hidden])").length');
  if (shot) {
    fs.writeFileSync(shot, Buffer.from((await send('Page.captureScreenshot')).data, 'base64'));
  }
  await key('1');
  await key('2');
  await see('document.querySelectorAll("#answers button")[0].click()');
  seen.afterThree = await see('document.getElementById("count").textContent');
  await key('u');
  seen.afterUndo = await see('document.getElementById("count").textContent');
  await key('p');
  seen.back = await see('document.getElementById("place").textContent + " " + document.querySelector("#answers [aria-pressed=true] b").textContent');
  await key('/');
  await send('Input.insertText', {text: 'n1 is a note'});
  await key('\r', 'Enter');
  seen.note = await see('document.getElementById("note").value');
  await open();
  seen.reopened = await see('document.getElementById("who").textContent + ", " + document.getElementById("count").textContent');
  await see('document.getElementById("download").click()');
  // The browser takes the name by an empty file before it writes.
  const written = name => name.endsWith('.csv') && fs.statSync(path.join(downloads, name)).size > 0;
  for (let i = 0; i < 100 && !fs.readdirSync(downloads).some(written); i++) {
    await wait(100);
  }
  const file = fs.readdirSync(downloads).find(name => name.endsWith('.csv'));
  seen.file = file || '';
  seen.csv = file ? fs.readFileSync(path.join(downloads, file), 'utf8') : '';
  seen.injected = await see('typeof window.owned');
  seen.errors = errors;
  console.log(JSON.stringify(seen, null, 1));
  browser.kill();
  browser.on('exit', () => {
    fs.rmSync(profile, {recursive: true, force: true, maxRetries: 5});
    process.exit(0);
  });
})().catch(problem => {
  console.error(problem);
  browser.kill();
  process.exit(1);
});
