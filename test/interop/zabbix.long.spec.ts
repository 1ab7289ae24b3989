import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { query } from '../../src/testing/query.js';
import { freePort } from '../support/built-service.js';
import { DEBIAN_POSTGRES, DebianPostgres } from '../support/debian-postgres.js';
import { Program } from '../support/program.js';
import { describeWith } from '../support/tools.js';
import { AppOfOthers, Provider } from './harness.js';
import { isSignedIn, RegisteredApp } from './registered-app.js';

const ZABBIX = '/usr/share/zabbix';
const SCHEMA = '/usr/share/zabbix-server-pgsql/schema.sql.gz';

describeWith(['php', ZABBIX, SCHEMA, ...DEBIAN_POSTGRES], 'Zabbix, as an app by SAML', () => {
  let provider: Provider;
  let postgres: DebianPostgres;
  let zabbix: AppOfOthers;
  beforeAll(async () => {
    provider = await Provider.start();
    const port = await freePort();
    const site = `http://localhost:${port}`;
    const app = await RegisteredApp.register(provider, `${site}/zabbix`, `${site}/index_sso.php?acs`);
    await app.update({
      certificates: [app.key.certificate],
      requireSignedRequests: true,
      logoutUrl: `${site}/index_sso.php?sls`,
      logoutBinding: 'redirect',
    });
    postgres = await DebianPostgres.start();
    await postgres.create('zabbix');
    const schema = gunzipSync(await readFile(SCHEMA)).toString();
    const administrator = rows(provider.ada.email, provider.issuer, app.clientId, site);
    for (const sql of [schema, administrator]) await query(postgres.url('zabbix'), sql);
    const folder = join(provider.folder, 'zabbix');
    const settings = join(folder, 'zabbix.conf.php');
    await mkdir(folder);
    await cp(ZABBIX, join(folder, 'site'), { recursive: true, filter: (path) => !path.includes('/locale/') });
    // Debian's package has its settings below /etc.
    const file = join(folder, 'site/include/classes/core/CConfigFile.php');
    const source = await readFile(file, 'utf8');
    const [, certificate = ''] = /X509Certificate>([^<]+)</.exec(app.metadata) ?? [];
    for (const [path, text] of [
      [file, source.replace('/etc/zabbix/zabbix.conf.php', settings)],
      [settings, configuration(folder, postgres.port)],
      [join(folder, 'sp.key'), app.privateKey],
      [join(folder, 'sp.crt'), app.key.certificate],
      [join(folder, 'idp.crt'), certificate],
    ] as const)
      await writeFile(path, text);
    const args = ['-S', `localhost:${port}`, '-t', join(folder, 'site')];
    zabbix = new AppOfOthers(provider, await Program.start('php', { port, args }), site);
  });
  afterAll(async () => {
    await zabbix?.stop();
    await postgres?.stop();
    await provider.stop();
  });

  it('signs a person in, and out at both', async () => {
    const { text } = await zabbix.open('/index_sso.php?request=zabbix.php%3Faction%3Duserprofile.edit');
    expect(text).toContain(`User profile: ${provider.ada.email}`);
    const out = await zabbix.open('/index_sso.php?slo');
    expect(out.url).toMatch(`${zabbix.site}/index.php`);
    expect(out.text).toContain('Sign in with Single Sign-On (SAML)');
    expect(await isSignedIn(provider)).toBe(false);
  });
});

/** One administrator, and what the pages want to find in the database. */
const rows = (email: string, issuer: string, clientId: string, site: string) => `
INSERT INTO role (roleid, name, type) VALUES (3, 'Super admin role', 3), (4, 'Guest role', 1);
INSERT INTO role_rule (role_ruleid, roleid, name, value_int) VALUES (1, 3, 'ui.default_access', 1);
INSERT INTO users (userid, username, roleid) VALUES (1, '${email}', 3), (2, 'guest', 4);
INSERT INTO usrgrp (usrgrpid, name) VALUES (7, 'Administrators');
INSERT INTO users_groups (id, usrgrpid, userid) VALUES (1, 7, 1), (2, 7, 2);
INSERT INTO hstgrp (groupid, name) VALUES (5, 'Discovered hosts');
INSERT INTO config (
  configid, alert_usrgrpid, discovery_groupid, session_key, saml_auth_enabled,
  saml_idp_entityid, saml_sso_url, saml_slo_url, saml_sp_entityid, saml_username_attribute, saml_nameid_format,
  saml_sign_messages, saml_sign_assertions, saml_sign_authn_requests, saml_sign_logout_requests
) VALUES (
  1, 7, 5, md5('of-this-test'), 1, '${issuer}/api/iam/saml/${clientId}/metadata',
  '${issuer}/api/iam/saml/${clientId}/sso', '${issuer}/api/iam/saml/${clientId}/slo', '${site}/zabbix',
  'email', 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent', 1, 1, 1, 1
);`;

const configuration = (folder: string, port: number) => `<?php
$DB = [
  'TYPE' => 'POSTGRESQL', 'SERVER' => '127.0.0.1', 'PORT' => '${port}', 'DATABASE' => 'zabbix',
  'USER' => 'gatehouse', 'PASSWORD' => 'any', 'SCHEMA' => '', 'ENCRYPTION' => false, 'VAULT_URL' => '',
  'VAULT_DB_PATH' => '', 'VAULT_TOKEN' => '', 'DOUBLE_IEEE754' => true,
];
$ZBX_SERVER_NAME = '';
$IMAGE_FORMAT_DEFAULT = IMAGE_FORMAT_PNG;
$SSO = ['SP_KEY' => '${folder}/sp.key', 'SP_CERT' => '${folder}/sp.crt', 'IDP_CERT' => '${folder}/idp.crt'];
`;
