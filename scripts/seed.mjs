// Fills a service of local development with organizations and people to sign in as:
// npm run seed [-- --url http://localhost:3000]. A second run adds only what is missing.
import './help.mjs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { url: { type: 'string', default: 'http://localhost:3000' } } });
const api = `${values.url}/api/v1/iam`;
const PASSWORD = 'quiet-harbour-42';
const PEOPLE = { ada: 'Ada', grace: 'Grace', alan: 'Alan' };
const ORGANIZATIONS = [
  { name: 'Lovelace Logistics', owner: 'ada', others: { grace: 'admin', alan: 'member' } },
  { name: 'Hopper Freight', owner: 'grace', others: { alan: 'admin', ada: 'member' } },
];
/** Has no account, so that the invitation stays open. */
const INVITED = 'katherine@example.com';
const MAIL_TIMEOUT_MS = 20_000;

const emailOf = (name) => `${name}@example.com`;
const tokens = {};

try {
  for (const name of Object.keys(PEOPLE)) tokens[name] = await signIn(name);
  for (const organization of ORGANIZATIONS) await createOrganization(organization);
  explain();
} catch (error) {
  process.stderr.write(`npm run seed: ${error.message}\n`);
  process.exitCode = 1;
}

/** Signs in, after registering where there is no account. Returns the access token. */
async function signIn(name) {
  const credentials = { email: emailOf(name), password: PASSWORD };
  const known = await post('/auth/login', credentials, { accept: [401] });
  if (known.accessToken) return known.accessToken;
  const token = await mailedToken('/verify-email', credentials.email, () =>
    post('/auth/register', { ...credentials, firstName: PEOPLE[name] }),
  );
  await post('/auth/verify-email', { token, password: PASSWORD });
  return (await post('/auth/login', credentials)).accessToken;
}

async function createOrganization({ name, owner, others }) {
  const own = await tenantNamed(name, owner);
  const { id } = own ?? (await post('/tenants', { name }, { bearer: tokens[owner] }));
  const { accessToken: bearer } = await post(
    '/auth/select-tenant',
    { tenantId: id },
    { bearer: tokens[owner] },
  );
  const invite = (email, role) => post(`/tenants/${id}/invitations`, { email, roles: [role] }, { bearer });
  for (const [person, role] of Object.entries(others)) {
    if (await tenantNamed(name, person)) continue;
    const token = await mailedToken('/accept-invitation', emailOf(person), () =>
      invite(emailOf(person), role),
    );
    await post('/auth/accept-invitation', { token }, { bearer: tokens[person] });
  }
  const { items } = await get(`/tenants/${id}/invitations`, bearer);
  const isInvited = ({ email, status }) => email === INVITED && ['open', 'accepted'].includes(status);
  if (!items.some(isInvited)) await invite(INVITED, 'member');
}

async function tenantNamed(name, person) {
  const { items } = await get('/me/tenants', tokens[person]);
  return items.find((tenant) => tenant.name === name);
}

/** Returns the token of the mail that `cause` sends to this address, by the page its link opens. */
async function mailedToken(page, to, cause) {
  const before = new Set((await mails()).map(({ id }) => id));
  await cause();
  const link = new RegExp(`${page}\\?token=([\\w-]{43})`);
  for (const until = Date.now() + MAIL_TIMEOUT_MS; Date.now() < until; await sleep(100)) {
    const sources = (await mails())
      .filter(({ id }) => !before.has(id))
      .map(({ source }) => source.replace(/=\r?\n/g, '').replaceAll('=3D', '='))
      .filter((source) => source.includes(`To: ${to}`));
    const [, token] = link.exec(sources.join('\n')) ?? [];
    if (token) return token;
  }
  throw new Error(`${to} got no link to ${page}. Does the account exist with another password?`);
}

/** Reads the development mailbox, as its page does. */
async function mails() {
  const headers = { 'sec-fetch-site': 'same-origin' };
  const { status, body } = await request('/auth/portal/mailbox', { headers });
  if (status === 200) return body.items;
  throw new Error('the service shows no mails. It must run for local development, as by npm run dev.');
}

async function get(path, bearer) {
  const { status, body } = await request(path, { headers: { authorization: `Bearer ${bearer}` } });
  if (status === 200) return body;
  throw new Error(`GET ${path} answered ${status}: ${body.detail}`);
}

async function post(path, content, { bearer, accept = [] } = {}) {
  const headers = {
    'content-type': 'application/json',
    ...(bearer && { authorization: `Bearer ${bearer}` }),
  };
  const { ok, status, body } = await request(path, {
    method: 'POST',
    headers,
    body: JSON.stringify(content),
  });
  if (ok || accept.includes(status)) return body;
  throw new Error(`POST ${path} answered ${status}: ${body.detail}`);
}

/** Sends a request; retries after a 503, which says that the service is busy. */
async function request(path, options, tries = 5) {
  const response = await fetch(api + path, options).catch(() => {
    throw new Error(`no service answers at ${values.url}. Start one by npm run dev.`);
  });
  const { ok, status } = response;
  const text = await response.text();
  if (status !== 503 || tries === 1) return { ok, status, body: text === '' ? {} : JSON.parse(text) };
  await sleep(Number(response.headers.get('retry-after') ?? 1) * 1_000);
  return request(path, options, tries - 1);
}

function explain() {
  const { iss } = JSON.parse(Buffer.from(tokens.ada.split('.')[1], 'base64url'));
  const rows = ORGANIZATIONS.flatMap(({ name, owner, others }) => [
    `  ${name}`,
    ...Object.entries({ [owner]: 'owner', ...others }).map(
      ([person, role]) => `    ${role.padEnd(8)} ${emailOf(person)}`,
    ),
    `    invited  ${INVITED}`,
  ]);
  process.stdout.write(
    `\nSign in at ${iss} with the password ${PASSWORD}\n\n${rows.join('\n')}\n\nMails: ${iss}/mailbox\n`,
  );
}
