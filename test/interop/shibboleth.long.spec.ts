import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../support/built-service.js';
import { Person } from '../support/organization.js';
import { Program } from '../support/program.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { eventually } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';
import { AppOfOthers, Provider } from './harness.js';
import { isSignedIn, RegisteredApp } from './registered-app.js';

const MODULE = '/usr/lib/apache2/modules/mod_shib.so';
const BASIC = 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic';
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';

/** Names its files by whole paths: others are below /etc/shibboleth. */
const shibboleth = (folder: string, listener: number, site: string, idp: string) => `
<SPConfig xmlns="urn:mace:shibboleth:3.0:native:sp:config" clockSkew="180">
  <OutOfProcess logger="${folder}/shibd.logger"/>
  <InProcess logger="${folder}/native.logger"/>
  <TCPListener address="127.0.0.1" port="${listener}" acl="127.0.0.1"/>
  <ApplicationDefaults entityID="${site}/shibboleth" REMOTE_USER="mail" signing="true">
    <Sessions lifetime="28800" timeout="3600" relayState="ss:mem" checkAddress="false" handlerSSL="false" cookieProps="http">
      <SSO entityID="${idp}">SAML2</SSO>
      <Logout>SAML2 Local</Logout>
      <Handler type="MetadataGenerator" Location="/Metadata" signing="false"/>
    </Sessions>
    <MetadataProvider type="XML" path="${folder}/idp.xml"/>
    <AttributeExtractor type="XML" validate="true" path="${folder}/attribute-map.xml"/>
    <CredentialResolver type="File" key="${folder}/sp.key" certificate="${folder}/sp.crt"/>
  </ApplicationDefaults>
  <SecurityPolicyProvider type="XML" validate="true" path="/etc/shibboleth/security-policy.xml"/>
  <ProtocolProvider type="XML" validate="true" reloadChanges="false" path="/etc/shibboleth/protocols.xml"/>
</SPConfig>`;
const ATTRIBUTES = `
<Attributes xmlns="urn:mace:shibboleth:2.0:attribute-map" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <Attribute name="email" nameFormat="${BASIC}" id="mail"/>
  <Attribute name="${PERSISTENT}" id="persistent-id">
    <AttributeDecoder xsi:type="NameIDAttributeDecoder" formatter="$Name"/>
  </Attribute>
</Attributes>`;
const LOGGER = `
log4j.rootCategory=WARN, console
log4j.appender.console=org.apache.log4j.ConsoleAppender
log4j.appender.console.layout=org.apache.log4j.BasicLayout
`;
const apacheOf = (port: number, site: string, folder: string) => `
Listen 127.0.0.1:${port}
ServerName ${site}
UseCanonicalName On
PidFile httpd.pid
ErrorLog error.log
LogLevel warn
User www-data
Group www-data
${['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'headers']
  .map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
  .join('\n')}
LoadModule mod_shib ${MODULE}
DocumentRoot "."
ShibConfig ${folder}/shibboleth2.xml
<Location />
  Require all granted
</Location>
<Location /private/>
  AuthType shibboleth
  ShibRequestSetting requireSession true
  Require valid-user
  Header always set X-Visitor "expr=%{REMOTE_USER}"
</Location>
`;

describeWith(['apache2', 'shibd', MODULE], 'Shibboleth, as an app by SAML', () => {
  let provider: Provider;
  let daemon: Program;
  let apache: Program;
  let site: AppOfOthers;
  let body: Record<string, unknown>;
  beforeAll(async () => {
    provider = await Provider.start({ WEBHOOK_TRUSTED_HOSTS: 'localhost' });
    const [port, listener] = [await freePort(), await freePort()];
    const address = `http://localhost:${port}`;
    const consumer = `${address}/Shibboleth.sso/SAML2/POST`;
    const app = await RegisteredApp.register(provider, `${address}/shibboleth`, consumer);
    const idp = `${provider.issuer}/api/iam/saml/${app.clientId}/metadata`;
    const folder = temporaryFolder('shibboleth');
    await chmod(folder, 0o755); // Apache's children, which read the settings too, give up root
    for (const [name, content] of Object.entries({
      'shibboleth2.xml': shibboleth(folder, listener, address, idp),
      'attribute-map.xml': ATTRIBUTES,
      'shibd.logger': LOGGER,
      'native.logger': LOGGER,
      'sp.key': app.privateKey,
      'sp.crt': app.key.certificate,
      'idp.xml': app.metadata,
    }))
      await writeFile(join(folder, name), content);
    const settings = join(folder, 'shibboleth2.xml');
    const args = ['-F', '-f', '-c', settings, '-p', join(folder, 'shibd.pid')];
    daemon = await Program.start('shibd', { port: listener, args });
    apache = await Program.start('apache2', {
      port,
      args: ['-d', '.', '-f', 'httpd.conf', '-DFOREGROUND'],
      files: { 'httpd.conf': apacheOf(port, address, folder) },
    });
    site = new AppOfOthers(provider, apache, address);
    const metadata = await fetch(`${address}/Shibboleth.sso/Metadata`);
    body = await app.update({ metadata: await metadata.text() });
  });
  afterAll(async () => {
    await apache?.stop();
    await daemon?.stop();
    await provider?.stop();
  });

  const visitor = async () => (await site.open('/private/orders.txt')).headers.get('x-visitor');

  it('is registered by its metadata', () => {
    expect(body).toMatchObject({
      consumers: expect.arrayContaining([
        { url: `${site.site}/Shibboleth.sso/SAML2/POST`, index: expect.any(Number) },
      ]),
      certificates: [expect.stringContaining('BEGIN CERTIFICATE')],
      logoutUrl: expect.stringContaining('/Shibboleth.sso/SLO/'),
      backchannelLogoutUrl: `${site.site}/Shibboleth.sso/SLO/SOAP`,
    });
  });

  it('signs a person in, with the address as the user', async () => {
    expect(await visitor()).toBe(provider.ada.email);
  });

  it('signs out at both by a logout of the site, and returns', async () => {
    const end = await site.open(
      `/Shibboleth.sso/Logout?return=${encodeURIComponent(`${site.site}/bye.txt`)}`,
    );
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
