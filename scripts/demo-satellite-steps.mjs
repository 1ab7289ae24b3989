import { parseArgs } from 'node:util';
import { OwnProcess } from './own-process.mjs';
import { freePort, OwnService } from './own-service.mjs';
import { UntilInterrupted } from './until-interrupted.mjs';

const person = { email: 'ada@example.com', password: 'quiet-harbour-42' };
// Two hosts, so that the browser treats them as separate sites, like shop.example and help.example.
const shop = parseArgs({ options: { app: { type: 'boolean' } } }).values.app
  ? { name: 'Quayside', url: `http://localhost:${await freePort()}` }
  : null;
const helpCentre = {
  name: 'Quayside Help',
  url: `http://${shop ? '127.0.0.1' : 'localhost'}:${await freePort()}`,
};

const demo = new UntilInterrupted();

await demo.run(
  async () => {
    print(`\nStarting the service${shop ? ', the shop' : ''} and the help centre ...`);
    const service = demo.keep(await OwnService.start(shop ? { APP_URL: shop.url } : {}));
    await openAccount(service);
    const client = await registerSatellite(service);
    if (shop) demo.keep(await startShop(service, client));
    demo.keep(await startHelpCentre(service, client));
    explain(service);
  },
  () => print('\nEnding all of them ...'),
);

async function openAccount(service) {
  await post(service, 'register', { ...person, firstName: 'Ada' });
  const { token } = await service.nextMail(person.email);
  await post(service, 'verify-email', { token });
}

async function post(service, path, body) {
  const { ok, status } = await fetch(`${service.base}/api/v1/iam/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!ok) throw new Error(`${path} answered ${status}.`);
}

/** Registers the satellite as an operator does: npm run cli -- satellite:register ... */
function registerSatellite(service) {
  const options = {
    'client-id': 'help-centre',
    name: helpCentre.name,
    'redirect-uri': `${helpCentre.url}/callback`,
  };
  const words = Object.entries(options).flatMap(([option, value]) => [`--${option}`, value]);
  return service.command('satellite:register', ...words);
}

function startShop(service, { clientId }) {
  return startSite('shop', {
    GATEHOUSE_URL: service.base,
    OWN_URL: shop.url,
    SITE_NAME: shop.name,
    HELP_CENTRE_URL: helpCentre.url,
    HELP_CENTRE_CLIENT_ID: clientId,
  });
}

function startHelpCentre(service, { clientId, clientSecret }) {
  return startSite('help-centre', {
    GATEHOUSE_URL: service.base,
    OWN_URL: helpCentre.url,
    SITE_NAME: helpCentre.name,
    APP_NAME: shop?.name ?? 'Quayside',
    APP_URL: shop?.url ?? service.base,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
  });
}

/** Starts a site that knows only its settings. */
function startSite(name, settings) {
  return OwnProcess.start(
    [process.execPath, `examples/help-centre/${name}.ts`],
    settings,
    `${settings.OWN_URL}/style.css`,
  );
}

function explain({ base }) {
  const steps = shop
    ? [
        'Open the help centre: it does not know you.',
        `Press "Sign in with ${shop.name}" and sign in at the shop: you are back, and greeted by name.`,
        'Log out at the shop and load the help centre again: it does not know you any more.',
        'Do it once more, then sign in at the portal: under "Sessions", end the one at the help centre from there.',
      ]
    : [
        'Open the help centre: it does not know you.',
        'Press "Sign in with Quayside", sign in at the portal and press "Continue": you are back, and greeted by name.',
        'Open the portal: under "Sessions", your session names the help centre.',
        'Sign out at the portal and load the help centre again: it does not know you any more.',
      ];
  print(`
  The help centre  ${helpCentre.url}
  The portal       ${base}${shop ? `\n  The shop         ${shop.url}` : ''}
  Sign in as       ${person.email}
  with password    ${person.password}

${steps.map((step, n) => `  ${n + 1}. ${step}`).join('\n')}

  Ctrl-C ends everything, and nothing is left behind.`);
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
