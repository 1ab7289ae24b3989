// A laboratory of sign-in elsewhere, started from nothing: providers, a service that knows them and an app, until Ctrl-C.
//   npm run lab                                stand-ins for all five kinds, with switches for what can go wrong
//   npm run lab -- simplesamlphp glewlwyd      real ones, from Debian
import { startProvider } from '../lab/debian.mjs';
import { PERSON } from '../lab/provider.mjs';
import { appPages } from '../test/lab/site/app-pages.ts';
import { PageServer } from '../test/lab/site/server.ts';
import { StandIns } from '../test/lab/stand-ins.ts';
import { OwnService } from './own-service.mjs';

// Ctrl-C reaches the service as well; this one stays until all have ended.
let interrupted = false;
const told = new Promise((resolve) => {
  const tell = () => resolve((interrupted = true));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, tell);
});
const running = [];

try {
  print('\nStarting the providers, the service and the app ...');
  const site = keep(await new PageServer().listen());
  const names = process.argv.slice(2);
  if (names.length === 0) keep(await StandIns.open(site));
  for (const name of names) keep(await startProvider(name));
  const providers = running.filter(({ ways }) => ways);
  const settings = Object.assign({}, ...providers.map((provider) => provider.settings));
  const service = keep(
    await OwnService.start({ APP_URL: site.url, LOG_LEVEL: 'warn', ...settings }, { shows: 'both' }),
  );
  for (const provider of providers) await provider.register?.(service.base);
  const ways = providers.flatMap((provider) => provider.ways);
  site.add(appPages(service.base, ways));
  explain({ app: site.url, gatehouse: service.base, ways, isReal: names.length > 0 });
  await told;
  print('\nEnding all of them ...');
} catch (error) {
  if (!interrupted) throw error; // else it is the interruption of a start
} finally {
  for (const one of running.reverse()) await one.stop();
}

function keep(one) {
  running.push(one);
  return one;
}

function explain({ app, gatehouse, ways, isReal }) {
  const links = ways.map(({ kind, title }) => `  ${title.padEnd(16)} ${app}/?kind=${kind}`);
  const who = isReal
    ? `\n  as               ${PERSON.username}\n  with password    ${PERSON.password}\n`
    : '';
  print(`
  The app          ${app}
  Gatehouse        ${gatehouse}

Sign in by
${links.join('\n')}
${who}
  The app asks for a code; append &form=tokens for tokens in the fragment.
  Ctrl-C ends everything, and nothing is left behind.`);
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
