import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { clockOff } from '../../support/clocks.js';
import { Organization, Person } from '../../support/organization.js';
import { RelyingParty } from '../../support/relying-party.js';
import { signUpOperator } from '../../support/satellite.js';
import { withApp } from '../../support/test-app.js';
import { describeWith } from '../../support/tools.js';

const ISSUER = 'http://gatehouse.test';
const AUDIENCE = 'https://orders.example.com/api';
const JAVA = '/usr/bin/java';
const GSON = '/usr/share/java/gson.jar';
type Sample = readonly [program: string, ...args: string[]];
const SAMPLES: readonly Sample[] = [
  ['node_modules/.bin/node', 'lab/apis/verify.mjs'],
  ['/usr/bin/python3', 'lab/apis/verify.py'],
  ['/usr/bin/ruby', 'lab/apis/verify.rb'],
  ['/usr/bin/php', 'lab/apis/verify.php'],
  [JAVA, '-cp', GSON, 'lab/apis/Verify.java'],
];
const SCRIPTS = SAMPLES.filter(([program]) => program !== JAVA);
const NEEDED = ['faketime', '/usr/bin/python3', '/usr/bin/ruby', '/usr/bin/php', '/usr/bin/javac', GSON];

describeWith(NEEDED, 'The samples of docs/protect-your-api.md', () => {
  let party: RelyingParty;
  let ada: Person;
  let acme: Organization;
  let globex: Organization;
  const app = withApp({ PORTAL: 'off' });
  beforeAll(async () => {
    const { token } = await signUpOperator(app);
    ada = await Person.signUp(app);
    acme = await Organization.found(app, ada);
    globex = await Organization.found(app, ada);
    party = await RelyingParty.register(app);
    for (const identifier of [AUDIENCE, 'https://other.example.com']) {
      const api = { identifier, name: 'Orders', scopes: [{ name: 'read', title: 'Read' }] };
      const { body } = await app.call('POST', '/api/v1/iam/apis', api, { token });
      const path = `/api/v1/iam/satellites/${party.clientId}/apis/${String(body['id'])}`;
      expect((await app.call('PUT', path, { scopes: ['read'] }, { token })).status).toBe(200);
    }
  });

  const tokensFor = (resource: string, by = acme.owner.token) =>
    party.signIn(by, { resource, scope: 'openid read' });
  const changed = (token: string): string => {
    const [header = '', payload = '', signature = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const other = Buffer.from(JSON.stringify({ ...claims, scope: 'admin' })).toString('base64url');
    return [header, other, signature].join('.');
  };
  const unsigned = (token: string): string => {
    const [, payload = ''] = token.split('.');
    const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url');
    return `${header}.${payload}.`;
  };

  const runSample = async ([program, ...args]: Sample, variables: object): Promise<string> => {
    const env = { ISSUER, AUDIENCE, TENANT: acme.id, GATEHOUSE: app.url, ...variables };
    const { stdout } = await promisify(execFile)(program, args, {
      env: { ...env, PATH: process.env['PATH'] },
    });
    return stdout.trim();
  };

  it.each(SAMPLES)('%s %s accepts a token of the API, and refuses others', async (program, ...args) => {
    const verify = (TOKEN: string, issuer = ISSUER) =>
      runSample([program, ...args], { TOKEN, ISSUER: issuer });
    const { access_token: token, id_token: idToken = '' } = await tokensFor(AUDIENCE);
    expect(await verify(token)).toBe(`${ada.id} read`);
    const refused = {
      'of another API': (await tokensFor('https://other.example.com')).access_token,
      'of another organization': (await tokensFor(AUDIENCE, globex.owner.token)).access_token,
      'of no organization': (await tokensFor(AUDIENCE, ada.token)).access_token,
      'of this service': ada.token,
      'an ID token': idToken,
      changed: changed(token),
      unsigned: unsigned(token),
    };
    for (const [name, text] of Object.entries(refused))
      expect([name, await verify(text)]).toEqual([name, 'refused']);
    expect(await verify(token, 'https://login.example.com')).toBe('refused');
  });

  it.each(SCRIPTS)('%s %s fails where the service is away, and does not refuse', async (program, ...args) => {
    const { access_token: TOKEN } = await tokensFor(AUDIENCE);
    const away = { TOKEN, GATEHOUSE: 'http://127.0.0.1:1' };
    const answer = await runSample([program, ...args], away).catch(String);
    expect(answer).toMatch(/error/i);
    expect(answer).not.toMatch(/^refused$/m);
  });

  // Java does not start with libfaketime.
  it.each(SCRIPTS)('%s %s accepts a token of a service whose clock is ahead', async (program, ...args) => {
    const { access_token: TOKEN } = await tokensFor(AUDIENCE);
    expect(await runSample([program, ...args], { TOKEN, ...clockOff(-20) })).toBe(`${ada.id} read`);
  });
});
