// What the tests share: a browser, pages of made-up runs, and what must hold on every page.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {chromium} from 'playwright-core';

export const program = process.env.ALGPRIOR_PROGRAM;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const launch = () => chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});

export const temporaryFolder = () => mkdtempSync(join(tmpdir(), 'algprior-browser-'));

export const metricsLines = (epochs, accuracy) => {
  const lines = [];
  for (let epoch = 1; epoch <= epochs; ++epoch) {
    lines.push({step: 10 * epoch, epoch, split: 'train', terms: {task: 1 / epoch}, metrics: {}});
    lines.push({step: 10 * epoch, epoch, split: 'validation', terms: {}, metrics: {accuracy: accuracy * epoch / epochs}});
  }
  return lines.map((line) => JSON.stringify(line) + '\n').join('');
};

export const writeRun = (runs, {experiment = 'ddmnist-d4', row, seed = 0, epochs = 6, accuracy = 0.8, finished = true}) => {
  const folder = join(runs, experiment, row.replaceAll('/', '_'), String(seed));
  mkdirSync(folder, {recursive: true});
  const [family, ...variant] = experiment.split('-');
  writeFileSync(join(folder, 'config.toml'),
                `[experiment]\nfamily = "${family}"\nvariant = "${variant.join('-')}"\nseed = ${seed}\n[data]\ngroup = "D4"\n[train]\nepochs = ${epochs}\n`);
  writeFileSync(join(folder, 'metrics.jsonl'), metricsLines(epochs, accuracy));
  if (finished) {
    writeFileSync(join(folder, 'result.json'), JSON.stringify({
      experiment, row, seed, reference: [], epochs, parameters: 10,
      metrics: {augmented_test_accuracy: accuracy, equivariance_error: 0.4, latent_spread: 0.2},
      seconds: 3, threads: 1, kernels: 'auto', commit: 'abc', machine: {cpu: 'a CPU'}, config_hash: row + seed,
    }));
  }
  return folder;
};

export const report = (runs) => {
  const file = join(temporaryFolder(), 'report.html');
  execFileSync(program, ['report', runs, '-o', file]);
  return file;
};

// A page that notes what it asks for and what it complains about.
export const open = async (browser, url, options = {}) => {
  const context = await browser.newContext({viewport: {width: 1000, height: 800}, ...options});
  const page = await context.newPage();
  const complaints = [], requests = [];
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) complaints.push(message.text()); });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => { complaints.push('dialog ' + dialog.message()); dialog.dismiss(); });
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(url);
  return {page, context, complaints, requests};
};

export const expectQuiet = ({complaints, requests}, url) => {
  assert.deepEqual(complaints, []);
  assert.deepEqual(requests.filter((r) => r !== url && !r.startsWith('data:')), []);
};

export const expectAccessible = async (page) => {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const result = await window.axe.run(document, {resultTypes: ['violations']});
    return result.violations.map((v) => v.id + ': ' + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120)).join(' | '));
  });
  assert.deepEqual(found, []);
};
