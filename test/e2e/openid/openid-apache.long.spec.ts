import { request } from 'undici';
import { ClientService } from '../../../src/client/index.js';
import { freePort } from '../../support/built-service.js';
import { CookieJar } from '../../support/cookie-jar.js';
import { expectGuarded } from '../../support/guarded-request.js';
import { Person } from '../../support/organization.js';
import { Program } from '../../support/program.js';
import { eventually, TestApp } from '../../support/test-app.js';
import { describeWith } from '../../support/tools.js';

const MODULE = '/usr/lib/apache2/modules/mod_auth_openidc.so';
const DEEP = '/private/orders.txt?page=2';

/** The configuration of docs/apps/apache.md, for a server that runs without an installation. */
const configuration = (port: number, issuer: string, secret: string) => `
Listen 127.0.0.1:${port}
ServerName 127.0.0.1
PidFile httpd.pid
ErrorLog error.log
LogLevel warn
User www-data
Group www-data
${['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'headers', 'auth_openidc']
  .map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
  .join('\n')}
DocumentRoot "."
OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration
OIDCClientID apache
OIDCClientSecret ${secret}
OIDCRedirectURI http://127.0.0.1:${port}/oidc/callback
OIDCCryptoPassphrase a-passphrase-of-this-test
OIDCPKCEMethod S256
OIDCScope "openid email profile"
OIDCRemoteUserClaim email
OIDCRedirectURLsAllowed ^http://127\\.0\\.0\\.1:${port}/
OIDCStateMaxNumberOfCookies 7 true
<Location />
  Require all granted
</Location>
<Location /oidc/>
  AuthType openid-connect
  Require valid-user
</Location>
<Location /private/>
  AuthType openid-connect
  Require valid-user
  Header always set X-Visitor "expr=%{REMOTE_USER}"
</Location>
`;

describeWith(['apache2', MODULE], 'Apache with mod_auth_openidc', () => {
  let app: TestApp;
  let apache: Program;
  let site: string;
  let person: Person;
  let jar: CookieJar;
  beforeAll(async () => {
    const [port, applicationPort] = [await freePort(), await freePort()];
    const issuer = `http://127.0.0.1:${applicationPort}`;
    site = `http://127.0.0.1:${port}`;
    app = await TestApp.start({
      PORT: String(applicationPort),
      PUBLIC_URL: issuer,
      WEBHOOK_TRUSTED_HOSTS: '127.0.0.1',
    });
    const { clientSecret = '' } = await app.app.get(ClientService, { strict: false }).register(null, {
      clientId: 'apache',
      name: 'Orders',
      redirectUris: [`${site}/oidc/callback`],
      postLogoutRedirectUris: [`${site}/bye.txt`],
      backchannelLogoutUri: `${site}/oidc/callback?logout=backchannel`,
      firstParty: true,
    });
    apache = await Program.start('apache2', {
      port,
      // ServerRoot, to which the other paths are relative, is the folder of the program.
      args: ['-d', '.', '-f', 'httpd.conf', '-DFOREGROUND'],
      files: { 'httpd.conf': configuration(port, issuer, clientSecret) },
    });
  });
  beforeEach(async () => {
    jar = new CookieJar();
    person = await Person.signUp(app);
  });
  afterAll(async () => {
    await apache?.stop();
    await app.stop();
  });

  /** Opens an address of Apache, or of Gatehouse, as a browser does. */
  const open = async (url: string) => {
    // As a navigation: the module answers 401 to requests of scripts, which fetch marks as such.
    const headers = { cookie: jar.header, accept: 'text/html', 'sec-fetch-mode': 'navigate' };
    const { statusCode: status, headers: received, body } = await request(url, { headers });
    await body.dump();
    const answer = new Response(null, { headers: flat(received) });
    if (url.startsWith(site)) jar.keep(answer);
    return {
      status,
      location: answer.headers.get('location') ?? '',
      visitor: answer.headers.get('x-visitor'),
    };
  };

  /** Signs in, from the address of a page. @returns the address at which the sign-in ends */
  const signIn = async (path: string): Promise<string> => {
    const { location: authorize } = await open(site + path);
    expectGuarded(authorize);
    const { location: page } = await open(authorize);
    const id = new URL(page).searchParams.get('request');
    const approved = await app.call(
      'POST',
      `/api/v1/iam/auth/authorizations/${id}/approve`,
      {},
      {
        token: person.token,
      },
    );
    return (await open(String(approved.body['redirectTo']))).location;
  };

  it('signs a person in and returns to the page that was asked for', async () => {
    expect(await signIn(DEEP)).toBe(site + DEEP);
    expect((await open(site + DEEP)).visitor).toBe(person.email);
  });

  it('refuses a sign-in that another browser began', async () => {
    const { location: authorize } = await open(site + DEEP);
    const { location: page } = await open(authorize);
    const id = new URL(page).searchParams.get('request');
    const approved = await app.call(
      'POST',
      `/api/v1/iam/auth/authorizations/${id}/approve`,
      {},
      {
        token: person.token,
      },
    );
    jar = new CookieJar();
    await open(String(approved.body['redirectTo']));
    expect((await open(site + DEEP)).status).toBe(302);
  });

  it('signs out at both by a logout of the site, and returns', async () => {
    await signIn(DEEP);
    const bye = encodeURIComponent(`${site}/bye.txt`);
    const { location: logout } = await open(`${site}/oidc/callback?logout=${bye}`);
    expect(logout).toContain('/oauth2/logout?id_token_hint=');
    expect((await open(logout)).location).toBe(`${site}/bye.txt`);
    expect((await app.get('/api/v1/iam/me', person.token)).status).toBe(401);
    expect((await open(site + DEEP)).status).toBe(302);
  });

  it('ends its session when the person signs out anywhere else', async () => {
    await signIn(DEEP);
    expect((await open(site + DEEP)).visitor).toBe(person.email);
    await app.post('logout', undefined, { token: person.token });
    await eventually('the site asks again', async () => (await open(site + DEEP)).status === 302);
  });
});

/** Headers in the form of fetch, each value of a repeated one apart. */
const flat = (headers: Readonly<Record<string, string | string[] | undefined>>): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
