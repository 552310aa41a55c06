import assert from 'node:assert/strict';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {pathToFileURL, fileURLToPath} from 'node:url';
import {expectAccessible, expectQuiet, launch, open, report, temporaryFolder, writeRun} from './browser.mjs';

// Two seeds of TMNIST under C2, trained for eight epochs by the program itself.
const realRuns = fileURLToPath(new URL('../data/runs', import.meta.url));
const realFolder = join(realRuns, 'tmnist-c2', 'learned@train.epochs=8');

let browser, real, mixed;

// Every state, names that look like markup, NaN and gaps, a torn line, a folder that is no run.
const writeMixed = () => {
  const runs = temporaryFolder();
  for (const seed of [0, 1, 2]) {
    writeRun(runs, {row: 'cnn', seed, accuracy: 0.7 + 0.01 * seed});
    writeRun(runs, {row: 'regular', seed, accuracy: 0.8 + 0.01 * seed});
  }
  writeRun(runs, {row: '"><script>alert(1)<script>', accuracy: 0.5});
  const stopped = writeRun(runs, {row: 'trivial', finished: false});
  writeFileSync(join(stopped, 'metrics.jsonl'),
                '{"step":1,"epoch":1,"split":"train","terms":{"task":1},"metrics":{}}\n' +
                '{"step":2,"epoch":2,"split":"train","terms":{"task":null},"metrics":{}}\n' +
                '{"step":3,"epoch":3,"split":"train","terms":{"task":3},"metrics":{}}\n{"step":4,"ep');
  const damaged = writeRun(runs, {experiment: 'other-one', row: 'x', finished: false});
  writeFileSync(join(damaged, 'result.json'), '{"experiment": ');
  mkdirSync(join(runs, 'empty', 'folder'), {recursive: true});
  return runs;
};

before(async () => {
  browser = await launch();
  real = pathToFileURL(report(realRuns)).href;
  mixed = pathToFileURL(report(writeMixed())).href;
});
after(() => browser.close());

for (const [name, url] of [['real runs', () => real], ['mixed runs', () => mixed]]) {
  for (const colorScheme of ['light', 'dark']) {
    test(`${name}, ${colorScheme}: quiet, accessible, in its colours`, async () => {
      const opened = await open(browser, url(), {colorScheme});
      const background = await opened.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(background, colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(20, 23, 28)');
      await expectAccessible(opened.page);
      expectQuiet(opened, url());
      await opened.context.close();
    });
  }

  test(`${name}: fits a phone`, async () => {
    const opened = await open(browser, url(), {viewport: {width: 375, height: 700}, isMobile: true, hasTouch: true});
    const width = await opened.page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 375, `the page is ${width} wide`);
    await expectAccessible(opened.page);
    expectQuiet(opened, url());
    await opened.context.close();
  });

  test(`${name}: prints light, with every table open`, async () => {
    const opened = await open(browser, url(), {colorScheme: 'dark'});
    await opened.page.emulateMedia({media: 'print'});
    const seen = await opened.page.evaluate(() => {
      dispatchEvent(new Event('beforeprint'));
      const heights = [...document.querySelectorAll('details table')].map((t) => t.getBoundingClientRect().height);
      const background = getComputedStyle(document.body).backgroundColor;
      const tools = [...document.querySelectorAll('.tools')].filter((t) => t.offsetHeight > 0).length;
      dispatchEvent(new Event('afterprint'));
      return {background, tools, hidden: heights.filter((h) => h === 0).length, tables: heights.length,
              open: document.querySelectorAll('details[open]').length};
    });
    assert.equal(seen.background, 'rgb(255, 255, 255)');
    assert.ok(seen.tables > 3);
    assert.equal(seen.hidden, 0);
    assert.equal(seen.tools, 0);
    assert.equal(seen.open, 0);
    await opened.context.close();
  });

  test(`${name}: reads without scripts`, async () => {
    const opened = await open(browser, url(), {javaScriptEnabled: false});
    assert.ok(await opened.page.locator('figure svg').count() > 2);
    assert.ok(await opened.page.locator('#runs tbody tr').count() > 1);
    assert.equal(await opened.page.locator('.tools').count(), 0);
    await opened.page.locator('figure details > summary').first().click();
    assert.ok(await opened.page.locator('figure details table').first().isVisible());
    await opened.context.close();
  });
}

test('marks are as many as the data', async () => {
  const opened = await open(browser, real);
  const {page} = opened;
  const lines = readFileSync(join(realFolder, '0', 'metrics.jsonl'), 'utf8').trim().split('\n').map((l) => JSON.parse(l));
  const epochs = lines.filter((l) => l.split === 'validation').length;
  const loss = page.locator('#fig-tmnist-c2-curve-validation-loss');
  assert.equal(await loss.locator('tbody tr').count(), epochs);
  assert.equal(await loss.locator('path.st').count(), 2);  // two seeds
  assert.equal(await loss.locator('path.b0').count(), 1);
  const curves = new Set(lines.flatMap((l) => [...Object.keys(l.terms), ...Object.keys(l.metrics)].map((k) => l.split + '/' + k)));
  assert.equal(await page.locator('figure[id*="-curve-"]').count(), curves.size);
  const csv = readFileSync(join(realFolder, '0', 'eigenvalues.csv'), 'utf8').trim().split('\n').slice(1).map((l) => l.split(','));
  const last = csv.filter((row) => row[0] === csv.at(-1)[0]).length;
  const steps = await page.locator('#fig-tmnist-c2-eigenvalues tbody td:nth-child(2)').allTextContents();
  assert.equal(await page.locator('#fig-tmnist-c2-eigenvalues circle.ev').count(), last * new Set(steps).size);
  assert.equal(await page.locator('#runs tbody').first().locator('tr').count(), 2);
  await opened.context.close();
});

test('every state is shown, nothing breaks out', async () => {
  const opened = await open(browser, mixed);
  const {page} = opened;
  const states = await page.locator('#runs .state').allTextContents();
  assert.equal(states.length, 9);
  for (const [word, count] of [['finished', 7], ['stopped before the end', 1], ['damaged', 1]]) {
    assert.equal(states.filter((s) => s.includes(word)).length, count, word);
  }
  assert.equal(await page.locator('script').count(), 1);
  assert.ok(await page.getByText('"><script>alert(1)<script>').count() > 0);
  assert.ok(await page.locator('#problems li').count() >= 2);
  expectQuiet(opened, mixed);
  await opened.context.close();
});

test('switch, cursor, keys, toggles, zoom', async () => {
  const opened = await open(browser, mixed);
  const {page} = opened;
  await page.getByRole('button', {name: 'Dark colours'}).click();
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(20, 23, 28)');
  await expectAccessible(page);
  await page.getByRole('button', {name: 'Light colours'}).click();
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');

  const figure = page.locator('#fig-ddmnist-d4-curve-validation-accuracy');
  const slider = figure.getByRole('slider');
  await slider.focus();
  await page.keyboard.press('Home');
  const output = figure.locator('output');
  assert.match(await output.textContent(), /^epoch 1: /);
  await page.keyboard.press('ArrowRight');
  assert.match(await output.textContent(), /^epoch 2: .*cnn 0\.2367 ± 0\.0033/);
  const first = await figure.locator('.cursor').getAttribute('x1');
  await page.keyboard.press('ArrowRight');
  assert.notEqual(await figure.locator('.cursor').getAttribute('x1'), first);

  const box = await figure.locator('svg.data').boundingBox();
  await page.mouse.move(box.x + box.width - 2, box.y + 20);
  assert.match(await output.textContent(), /^epoch 6: /);

  const toggle = figure.getByRole('button', {name: 'cnn', exact: true});
  await toggle.click();
  assert.equal(await toggle.getAttribute('aria-pressed'), 'false');
  assert.equal(await figure.locator('[data-name="cnn"]').isVisible(), false);
  await toggle.click();
  assert.equal(await figure.locator('[data-name="cnn"]').isVisible(), true);

  const before = await figure.locator('svg.data').getAttribute('viewBox');
  await figure.getByRole('button', {name: /^Zoom in/}).click();
  const inside = (await figure.locator('svg.data').getAttribute('viewBox')).split(' ').map(Number);
  assert.ok(Math.abs(inside[2] - Number(before.split(' ')[2]) / 2) < 0.5);
  await figure.getByRole('button', {name: /^Show the whole/}).click();
  const whole = (await figure.locator('svg.data').getAttribute('viewBox')).split(' ').map(Number);
  assert.ok(Math.abs(whole[0]) < 0.1 && Math.abs(whole[2] - Number(before.split(' ')[2])) < 0.5);
  expectQuiet(opened, mixed);
  await opened.context.close();
});
