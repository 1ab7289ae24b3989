import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../support/built-service.js';
import { Person } from '../support/organization.js';
import { Program } from '../support/program.js';
import { eventually } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';
import { AppOfOthers, Provider } from './harness.js';
import { isSignedIn, RegisteredApp } from './registered-app.js';

const MELLON = '/usr/lib/apache2/modules/mod_auth_mellon.so';
const DJANGO_SAML2 = '/usr/lib/python3/dist-packages/djangosaml2';
const PYSAML2 = '/usr/lib/python3/dist-packages/saml2';
const PYTHON_SAML = '/usr/lib/python3/dist-packages/onelogin/saml2';
const OMNIAUTH_SAML = '/usr/share/rubygems-integration/all/specifications/omniauth-saml-2.1.0.gemspec';
const RUBY_SAML = '/usr/share/rubygems-integration/all/specifications/ruby-saml-1.13.0.gemspec';

describeWith(['apache2', MELLON], 'Apache with mod_auth_mellon, as an app by SAML', () => {
  const configuration = (port: number, site: string) => `
Listen 127.0.0.1:${port}
ServerName ${site}
PidFile httpd.pid
ErrorLog error.log
LogLevel warn
User www-data
Group www-data
${['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'headers', 'auth_mellon']
  .map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
  .join('\n')}
DocumentRoot "."
<Location />
  Require all granted
  MellonEndpointPath /mellon
  MellonSPentityId ${site}/mellon/metadata
  MellonSPPrivateKeyFile sp.key
  MellonSPCertFile sp.crt
  MellonIdPMetadataFile idp.xml
  MellonSignatureMethod rsa-sha256
</Location>
<Location /private/>
  AuthType Mellon
  MellonEnable auth
  Require valid-user
  MellonUser email
  Header always set X-Visitor "expr=%{REMOTE_USER}"
  Header always set X-Session "%{MELLON_NAME_ID}e"
</Location>
`;
  let provider: Provider;
  let apache: Program;
  let site: AppOfOthers;
  let body: Record<string, unknown>;
  beforeAll(async () => {
    provider = await Provider.start({ WEBHOOK_TRUSTED_HOSTS: 'localhost' });
    const port = await freePort();
    const address = `http://localhost:${port}`;
    const app = await RegisteredApp.register(
      provider,
      `${address}/mellon/metadata`,
      `${address}/mellon/postResponse`,
    );
    apache = await Program.start('apache2', {
      port,
      args: ['-d', '.', '-f', 'httpd.conf', '-DFOREGROUND'],
      files: {
        'httpd.conf': configuration(port, address),
        'sp.key': app.privateKey,
        'sp.crt': app.key.certificate,
        'idp.xml': app.metadata,
      },
    });
    site = new AppOfOthers(provider, apache, address);
    const metadata = await fetch(`${address}/mellon/metadata`);
    body = await app.update({ metadata: await metadata.text() });
  });
  afterAll(async () => {
    await apache?.stop();
    await provider.stop();
  });

  const visitor = async () => {
    const { headers } = await site.open('/private/orders.txt');
    return headers.get('x-visitor');
  };

  it('is registered by its metadata', () => {
    expect(body).toMatchObject({
      requireSignedRequests: true,
      logoutBinding: expect.stringMatching(/redirect|post/),
      backchannelLogoutUrl: expect.stringContaining('/mellon/logout'),
    });
  });

  it('signs a person in, with the address as the user', async () => {
    expect(await visitor()).toBe(provider.ada.email);
  });

  it('signs out at both by a logout of the site, and returns', async () => {
    const end = await site.open(`/mellon/logout?ReturnTo=${encodeURIComponent(`${site.site}/bye.txt`)}`);
    expect(end.url).toBe(`${site.site}/bye.txt`);
    expect(await isSignedIn(provider)).toBe(false);
  });

  it('is told by SOAP of a logout at the portal', async () => {
    provider.ada = await Person.again(provider.ada);
    expect(await visitor()).toBe(provider.ada.email);
    await provider.app.post('logout', {}, { token: provider.ada.token });
    await eventually('the site asks for a sign-in', () =>
      visitor().then(
        () => false,
        (error: unknown) => String(error).includes('It answered 401 to approve'),
      ),
    );
  });
});

const SIMPLESAMLPHP = '/usr/share/simplesamlphp/www';

describeWith(['php', SIMPLESAMLPHP], 'SimpleSAMLphp, as an app by SAML', () => {
  const config = (address: string, folder: string) => `<?php
$config = [
  'baseurlpath' => '${address}/', 'certdir' => '${folder}', 'datadir' => '${folder}', 'tempdir' => '${folder}',
  'loggingdir' => '${folder}', 'logging.handler' => 'file', 'metadatadir' => '${folder}',
  'secretsalt' => 'of-this-test', 'auth.adminpassword' => 'of-this-test',
  'module.enable' => ['core' => true, 'saml' => true],
  'metadata.sources' => [['type' => 'xml', 'file' => '${folder}/idp.xml']],
  'store.type' => 'phpsession', 'session.phpsession.savepath' => '${folder}',
  'session.cookie.secure' => false, 'session.cookie.samesite' => null,
];`;
  const authsources = (entityId: string, idp: string) => `<?php
$config = ['gatehouse' => [
  'saml:SP', 'entityID' => '${entityId}', 'idp' => '${idp}', 'privatekey' => 'sp.key', 'certificate' => 'sp.crt',
  'sign.authnrequest' => true, 'sign.logout' => true, 'validate.logout' => true,
  'signature.algorithm' => 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'NameIDPolicy' => ['Format' => 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent', 'AllowCreate' => true],
]];`;
  let provider: Provider;
  let software: AppOfOthers;
  beforeAll(async () => {
    provider = await Provider.start();
    const port = await freePort();
    const address = `http://localhost:${port}`;
    const entityId = `${address}/module.php/saml/sp/metadata.php/gatehouse`;
    const consumer = `${address}/module.php/saml/sp/saml2-acs.php/gatehouse`;
    const app = await RegisteredApp.register(provider, entityId, consumer);
    const folder = join(provider.folder, 'simplesamlphp');
    await mkdir(folder);
    const idp = `${provider.issuer}/api/iam/saml/${app.clientId}/metadata`;
    for (const [name, content] of Object.entries({
      'config.php': config(address, folder),
      'authsources.php': authsources(entityId, idp),
      'idp.xml': app.metadata,
      'sp.key': app.privateKey,
      'sp.crt': app.key.certificate,
    }))
      await writeFile(join(folder, name), content);
    const program = await Program.start('php', {
      port,
      args: ['-S', `localhost:${port}`, '-t', SIMPLESAMLPHP],
      env: provider.environment({ SIMPLESAMLPHP_CONFIG_DIR: folder }),
    });
    software = new AppOfOthers(provider, program, address);
    const metadata = await fetch(entityId);
    await app.update({ metadata: await metadata.text() });
  });
  afterAll(async () => {
    await software?.stop();
    await provider.stop();
  });

  it('signs a person in, and out at both', async () => {
    const path = '/module.php/core/authenticate.php?as=gatehouse';
    const { text, url } = await software.open(path);
    expect([url, text]).toEqual([software.site + path, expect.stringContaining(provider.ada.email)]);
    const out = await software.open(`${path}&logout`);
    expect(out.url).toContain(software.site);
    expect(await isSignedIn(provider)).toBe(false);
  });
});

interface Script {
  readonly name: string;
  readonly file: string;
  readonly tools: readonly string[];
  /** Where it takes responses: by default /acs. */
  readonly consumer?: string;
  /** Attributes as the library returns them. */
  readonly email: (attributes: Record<string, unknown>) => unknown;
}
const SCRIPTS: readonly Script[] = [
  {
    name: 'ruby-saml',
    file: 'ruby-saml.rb',
    tools: ['ruby', RUBY_SAML],
    email: ({ email }) => (email as string[])[0],
  },
  {
    name: 'pysaml2',
    file: 'pysaml2.py',
    tools: ['python3', PYSAML2, 'xmlsec1'],
    email: ({ email }) => (email as string[])[0],
  },
  {
    name: 'python3-saml',
    file: 'python3-saml.py',
    tools: ['python3', PYTHON_SAML],
    email: ({ email }) => (email as string[])[0],
  },
  {
    name: 'omniauth-saml',
    file: 'omniauth-saml.rb',
    tools: ['ruby', OMNIAUTH_SAML],
    email: ({ email }) => (email as string[])[0],
  },
  { name: 'passport-saml', file: 'passport-saml.mjs', tools: [], email: ({ email }) => email },
  {
    name: 'djangosaml2',
    file: 'django-saml2.py',
    tools: ['python3', DJANGO_SAML2, 'xmlsec1'],
    consumer: '/saml/acs/',
    email: ({ email }) => email,
  },
  { name: 'saml-jackson', file: 'saml-jackson.mjs', tools: [], email: ({ email }) => email },
  { name: 'samlify', file: 'samlify.mjs', tools: [], email: ({ email }) => email },
  {
    name: 'saml2-js',
    file: 'saml2-js.mjs',
    tools: [],
    email: ({ email }) => (email as string[])[0],
  },
];

for (const { name, file, tools, consumer = '/acs', email } of SCRIPTS)
  describeWith(tools, `${name}, as an app by SAML`, () => {
    let provider: Provider;
    let software: AppOfOthers;
    beforeAll(async () => {
      provider = await Provider.start();
      const port = await freePort();
      const address = `http://localhost:${port}`;
      const app = await RegisteredApp.register(provider, `${address}/saml`, address + consumer);
      software = await provider.startScript(file, port, {
        METADATA: app.metadata,
        KEY: app.privateKey,
        CERTIFICATE: app.key.certificate,
      });
      const metadata = await fetch(`${address}/metadata`);
      await app.update({ metadata: await metadata.text() });
    });
    afterAll(async () => {
      await software?.stop();
      await provider.stop();
    });

    it('signs a person in, and out at both', async () => {
      const user = await software.read('/login');
      expect(user).toMatchObject({ name_id: expect.stringMatching(/^[\w-]{43}$/), relay_state: 'orders' });
      expect(email(user['attributes'] as Record<string, unknown>)).toBe(provider.ada.email);
      expect(await software.read('/logout')).toEqual({ signed_out: true });
      expect(await isSignedIn(provider)).toBe(false);
    });
  });
