// Lists the texts that translations lack: npm run texts. They appear in English until a release,
// which requires them: then it ends with 1.
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const built = (path) => import(pathToFileURL(resolve('dist/src', path)).href);
for (const file of globSync('**/*.messages.js', { cwd: 'dist/src' })) await built(file);
await built('locales/index.js');
const { LOCALES, textsOf } = await built('platform/messages/index.js');
const PORTAL = 'portal/src/messages';
const read = (locale) => Object.keys(JSON.parse(readFileSync(`${PORTAL}/${locale}.json`, 'utf8')));

const lacking = Object.keys(LOCALES)
  .filter((locale) => locale !== 'en')
  .flatMap((locale) => [
    ...missing([...textsOf('en').keys()], [...textsOf(locale).keys()]).map(
      (id) => `src/locales/${locale}.json: ${id}`,
    ),
    ...missing(read('en'), read(locale)).map((id) => `${PORTAL}/${locale}.json: ${id}`),
  ]);
for (const line of lacking) process.stdout.write(`${line}\n`);
process.stdout.write(
  lacking.length === 0 ? 'All texts are translated.\n' : `${lacking.length} are missing.\n`,
);
process.exitCode = lacking.length === 0 ? 0 : 1;

function missing(english, translated) {
  const known = new Set(translated);
  return english.filter((id) => !known.has(id));
}
