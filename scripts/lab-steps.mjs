import { PROVIDERS, startProvider } from '../lab/debian.mjs';
import { TwoOrganizations, wordsOf } from '../lab/organizations.mjs';
import { appPages } from '../test/lab/site/app-pages.ts';
import { PageServer } from '../test/lab/site/server.ts';
import { StandIns } from '../test/lab/stand-ins.ts';
import { OwnService } from './own-service.mjs';
import { UntilInterrupted } from './until-interrupted.mjs';

const names = process.argv.slice(2);
const isOfOrganizations = names.join() === 'two-organizations';
if (!isOfOrganizations && !names.every((name) => PROVIDERS.includes(name))) {
  process.stderr.write(`Usage: npm run lab -- [two-organizations | ${PROVIDERS.join(' ')}]\n`);
  process.exit(2);
}
const lab = new UntilInterrupted();

await lab.run(
  async () => {
    print('\nStarting the providers, the service and the app ...');
    const site = lab.keep(await new PageServer().listen());
    if (isOfOrganizations) print(wordsOf(lab.keep(await TwoOrganizations.open(site))));
    else await openProviders(site);
  },
  () => print('\nEnding all of them ...'),
);

/** Starts providers of the deployment, by their names, and an app to sign in to. */
async function openProviders(site) {
  if (names.length === 0) lab.keep(await StandIns.open(site));
  for (const name of names) lab.keep(await startProvider(name));
  const providers = lab.running.filter(({ ways }) => ways);
  const settings = Object.assign({}, ...providers.map((provider) => provider.settings));
  const service = lab.keep(
    await OwnService.start({ APP_URL: site.url, LOG_LEVEL: 'warn', ...settings }, { shows: 'both' }),
  );
  for (const provider of providers) await provider.register?.(service.base);
  site.add(
    appPages(
      service.base,
      providers.flatMap(({ ways }) => ways),
    ),
  );
  explain(site.url, service.base, providers);
}

function explain(app, gatehouse, providers) {
  const links = providers.flatMap(({ ways, person }) => [
    ...ways.map(({ kind, title }) => `  ${title.padEnd(34)} ${app}/?kind=${kind}`),
    ...(person ? [`    as ${person.username} with password ${person.password}`] : []),
  ]);
  print(`
  The app          ${app}
  Gatehouse        ${gatehouse}

Sign in by
${links.join('\n')}

  The app asks for a code; append &form=tokens for tokens in the fragment.
  Ctrl-C ends everything, and nothing is left behind.`);
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
