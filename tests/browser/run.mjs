// Runs the tests of the page in a real browser:  ALGPRIOR_PROGRAM=build/release/algprior node run.mjs
// Ends with 77, which ctest shows as skipped, when Chromium or the packages of package.json are missing.
import {existsSync} from 'node:fs';
import {fileURLToPath} from 'node:url';

const skip = (reason) => {
  console.log('skipped: ' + reason + ' (scripts/setup.sh browser installs it)');
  process.exit(77);
};
const browser = process.env.CHROMIUM || '/usr/bin/chromium';
if (!existsSync(browser)) skip('there is no Chromium at ' + browser);
for (const name of ['playwright-core', 'axe-core']) {
  if (!existsSync(fileURLToPath(new URL('node_modules/' + name, import.meta.url)))) skip('the package ' + name + ' is missing');
}
if (!existsSync(process.env.ALGPRIOR_PROGRAM || '')) {
  console.error('ALGPRIOR_PROGRAM must name the program');
  process.exit(2);
}
await import('./page.test.mjs');
await import('./watch.test.mjs');
