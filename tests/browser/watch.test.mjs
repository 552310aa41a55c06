import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {appendFileSync, writeFileSync} from 'node:fs';
import {request} from 'node:http';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {expectAccessible, launch, metricsLines, open, program, temporaryFolder, writeRun} from './browser.mjs';

let browser, server, url, folder;

before(async () => {
  browser = await launch();
  const runs = temporaryFolder();
  writeRun(runs, {row: 'cnn', epochs: 4});
  folder = writeRun(runs, {row: 'regular', epochs: 3, finished: false});
  server = spawn(program, ['watch', runs, '--json'], {stdio: ['ignore', 'pipe', 'inherit']});
  let text = '';
  for await (const piece of server.stdout) {
    text += piece;
    if (text.includes('}')) break;
  }
  url = JSON.parse(text).url;
});
after(async () => {
  await browser.close();
  server.kill('SIGKILL');
});

const ask = (options) => new Promise((resolve, reject) => {
  const {port} = new URL(url);
  const sent = request({host: '127.0.0.1', port, path: '/', ...options}, (answer) => {
    let body = '';
    answer.on('data', (piece) => { body += piece; });
    answer.on('end', () => resolve({status: answer.statusCode, body}));
  });
  sent.on('error', reject);
  sent.end();
});

// Asked from outside: the page's policy lets no test evaluate text inside it.
const waitFor = async (locator, count) => {
  const end = Date.now() + 60000;
  while (await locator.count() !== count) {
    assert.ok(Date.now() < end, `${await locator.count()} instead of ${count}`);
    await new Promise((resolve) => { setTimeout(resolve, 100); });
  }
};

test('the page follows a run that goes on, then ends', async () => {
  const opened = await open(browser, url);
  const {page} = opened;
  await expectAccessible(page);
  const rows = page.locator('#fig-ddmnist-d4-curve-validation-accuracy tbody tr');
  assert.equal(await rows.count(), 4);
  await page.locator('#fig-ddmnist-d4-curve-validation-accuracy details > summary').click();
  const more = metricsLines(7, 0.9).split('\n').slice(6).join('\n');
  appendFileSync(join(folder, 'metrics.jsonl'), more);
  await waitFor(rows, 7);
  // What the reader opened stays open, and the new chart has its tools again.
  assert.ok(await page.locator('#fig-ddmnist-d4-curve-validation-accuracy details').getAttribute('open') !== null);
  assert.equal(await page.locator('#fig-ddmnist-d4-curve-validation-accuracy input[type=range]').count(), 1);
  assert.equal(await page.locator('.state-stopped').count(), 1);
  writeFileSync(join(folder, 'result.json'), JSON.stringify({
    experiment: 'ddmnist-d4', row: 'regular', seed: 0, reference: [], epochs: 7, parameters: 1, metrics: {}, seconds: 1,
    threads: 1, kernels: 'auto', commit: '', machine: {}, config_hash: ''}));
  await waitFor(page.locator('.state-stopped'), 0);
  assert.deepEqual(opened.complaints, []);
  assert.deepEqual(opened.requests.filter((r) => new URL(r).origin !== new URL(url).origin && !r.startsWith('data:')), []);
  await opened.context.close();
});

test('answers its own machine alone, and only to readers', async () => {
  assert.equal((await ask({})).status, 200);
  assert.equal((await ask({headers: {Host: 'evil.example'}})).status, 403);
  assert.equal((await ask({headers: {Host: 'localhost:' + new URL(url).port}})).status, 200);
  assert.equal((await ask({method: 'POST'})).status, 405);
  assert.equal((await ask({method: 'DELETE'})).status, 405);
  assert.equal((await ask({path: '/../../etc/passwd'})).status, 404);
  assert.equal((await ask({path: '/changes?from=x'})).status, 400);
  assert.equal((await ask({path: '/changes?from=99999999999'})).status, 410);
  assert.equal((await ask({path: '/changes?from=0'})).status, 200);
});

test('Ctrl-C ends it', async () => {
  const ended = new Promise((resolve) => server.on('exit', (code) => resolve(code)));
  server.kill('SIGINT');
  assert.equal(await ended, 130);
});
