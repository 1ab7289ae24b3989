// A laboratory of sign-in elsewhere, started from nothing: providers, a service that knows them and an app, until Ctrl-C.
//   npm run lab                                stand-ins for all five kinds, with switches for what can go wrong
//   npm run lab -- simplesamlphp glewlwyd      real ones, from Debian
import { appPages } from '../test/lab/site/app-pages.ts';
import { PageServer } from '../test/lab/site/server.ts';
import { StandIns } from '../test/lab/stand-ins.ts';
import { freePort, OwnService } from './own-service.mjs';

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
  const PORT = String(await freePort());
  const provider = keep(await StandIns.open(site));
  const service = keep(
    await OwnService.start({ APP_URL: site.url, PORT, LOG_LEVEL: 'warn', ...provider.settings }),
  );
  site.add(appPages(service.base, provider.ways));
  explain(site, service, provider);
  await told;
  print('\nEnding all of them ...');
} catch (error) {
  if (!interrupted) throw error; // else it is the interruption of a start
} finally {
  for (const one of running.reverse()) await (one.stop?.() ?? one.close());
}

function keep(one) {
  running.push(one);
  return one;
}

function explain(site, service, { ways }) {
  const links = ways.map(({ kind, title }) => `  ${title.padEnd(16)} ${site.url}/?kind=${kind}`);
  print(`
  The app          ${site.url}
  Gatehouse        ${service.base}

Sign in by
${links.join('\n')}

  The app asks for a code; append &form=tokens for tokens in the fragment.
  Ctrl-C ends everything, and nothing is left behind.`);
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
