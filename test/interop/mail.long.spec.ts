import { chmod, cp, mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { freePort } from '../support/built-service.js';
import { Person } from '../support/organization.js';
import { Program } from '../support/program.js';
import { RelyingParty } from '../support/relying-party.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { eventually } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';
import { AppOfOthers, Provider } from './harness.js';

const ROUNDCUBE = '/usr/share/roundcube';
const NO_MAILS = 'Connection to storage server failed.';

describeWith(['dovecot', 'php', ROUNDCUBE], 'Mail programs', () => {
  let provider: Provider;
  let folder: string;
  beforeAll(async () => {
    provider = await Provider.start({ ACCESS_TOKEN_TTL: '10' });
  });
  beforeEach(async () => {
    folder = temporaryFolder('mails');
    await mkdir(join(folder, 'mails'));
    for (const path of [folder, join(folder, 'mails')]) await chmod(path, 0o777);
  });
  afterAll(() => provider?.stop());

  const startDovecot = async (client: { clientId: string; clientSecret: string }): Promise<Program> => {
    const asking = new URL('/oauth2/introspect', provider.app.url);
    Object.assign(asking, { username: client.clientId, password: client.clientSecret });
    await writeFile(join(folder, 'oauth2.conf'), oauthConfiguration(asking.href));
    const port = await freePort();
    const files = { 'dovecot.conf': dovecotConfiguration(port, folder) };
    return Program.start('dovecot', { port, args: ['-F', '-c', 'dovecot.conf'], files });
  };

  it('Dovecot lets a person read mails by a token, which it asks about by introspection', async () => {
    const { app, ada } = provider;
    const mail = await RelyingParty.register(app);
    const dovecot = await startDovecot(mail);
    const signIn = (address: string, token: string) => authenticate(dovecot.port, address, token);
    try {
      const { access_token: token } = await mail.signIn(ada.token, { scope: 'openid profile email' });
      expect(await signIn(ada.email, token)).toMatch(/^a OK/);
      expect(await signIn('eve@example.com', token)).toMatch(/^a NO/);
      const other = await RelyingParty.register(app);
      const { access_token: ofOther } = await other.signIn(ada.token, { scope: 'openid profile email' });
      expect(await signIn(ada.email, ofOther)).toMatch(/^a NO/);
      await mail.post('/oauth2/revoke', { token });
      // By userinfo in place of introspection, it would be UNAVAILABLE: programs do not renew then.
      expect(await signIn(ada.email, token)).toMatch(/^a NO \[AUTHENTICATIONFAILED\]/);
    } finally {
      await dovecot.stop();
    }
  });

  it('Roundcube opens the mails of a person, renews its token, and ends with the session', async () => {
    const port = await freePort();
    const site = `http://127.0.0.1:${port}`;
    const redirectUris = ['/index.php/login/oauth'];
    const client = await provider.register(site, { redirectUris, requirePkce: false });
    const dovecot = await startDovecot(client);
    await cp('/etc/roundcube/defaults.inc.php', join(folder, 'defaults.inc.php'));
    await cp('/etc/roundcube/mimetypes.php', join(folder, 'mimetypes.php'));
    const settings = roundcubeConfiguration(provider, client, dovecot.port, folder);
    await writeFile(join(folder, 'config.inc.php'), settings);
    const roundcube = await Program.start('php', {
      port,
      args: ['-S', `127.0.0.1:${port}`, '-t', ROUNDCUBE],
      env: { ROUNDCUBE_CONFIG_DIR: folder },
    });
    const browser = new AppOfOthers(provider, roundcube, site);
    const { now } = Date;
    const clock = jest.spyOn(Date, 'now');
    try {
      const { text } = await browser.open('/?_task=login&_action=oauth');
      expect(text).toContain('Roundcube Webmail :: Inbox');
      expect(text).toContain(provider.ada.email);
      expect(text).not.toContain(NO_MAILS);
      // The token has ended. Roundcube renews one of ten seconds after a second.
      clock.mockImplementation(() => now() + 11_000);
      const showsMails = async () => {
        const page = (await browser.open('/?_task=mail')).text;
        return page.includes('Roundcube Webmail :: Inbox') && !page.includes(NO_MAILS);
      };
      await eventually('Roundcube renews its token', showsMails);
      const { sid } = decodeJwt(provider.ada.token);
      const { token } = await Person.again(provider.ada);
      const { status } = await provider.app.call('DELETE', `/api/v1/iam/me/sessions/${sid}`, undefined, {
        token,
      });
      expect(status).toBe(204);
      await provider.signInAgain();
      await eventually('the mails are closed', async () => !(await showsMails()));
    } finally {
      clock.mockRestore();
      await roundcube.stop();
      await dovecot.stop();
    }
  });
});

/** Signs in to IMAP by XOAUTH2. @returns the answer to the command */
async function authenticate(port: number, address: string, token: string): Promise<string> {
  const response = Buffer.from(`user=${address}\u0001auth=Bearer ${token}\u0001\u0001`).toString('base64');
  const socket = connect(port, '127.0.0.1');
  let said = '';
  socket.setEncoding('utf8');
  socket.write(`a AUTHENTICATE XOAUTH2 ${response}\r\n`);
  for await (const chunk of socket) {
    said += String(chunk);
    if (/^\+ /m.test(said)) socket.write('\r\n'); // the reason of a refusal, which is answered by nothing
    const [answer] = /^a (?:OK|NO|BAD).*$/m.exec(said) ?? [];
    if (answer !== undefined) return answer;
  }
  throw new Error(`The connection has ended: ${said}`);
}

const oauthConfiguration = (url: string) => `
introspection_mode = post
introspection_url = ${url}
username_attribute = username
active_attribute = active
active_value = true
`;

const dovecotConfiguration = (port: number, folder: string) => `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = /dev/stderr
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
mail_location = maildir:${folder}/mails/%u
auth_mechanisms = xoauth2
auth_failure_delay = 0
first_valid_uid = 33
passdb {
  driver = oauth2
  mechanisms = xoauth2
  args = ${folder}/oauth2.conf
}
userdb {
  driver = static
  args = uid=33 gid=33 home=${folder}/mails/%u
}
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service imap-login {
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
`;

const roundcubeConfiguration = (
  { issuer, certificate }: Provider,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  imap: number,
  folder: string,
) => `<?php
$config['db_dsnw'] = 'sqlite:///${folder}/roundcube.db?mode=0640';
$config['imap_host'] = '127.0.0.1:${imap}';
$config['des_key'] = 'twenty-four-characters!!';
$config['temp_dir'] = $config['log_dir'] = '${folder}';
$config['language'] = 'en_US';
$config['oauth_provider'] = 'generic';
$config['oauth_provider_name'] = 'Gatehouse';
$config['oauth_client_id'] = '${clientId}';
$config['oauth_client_secret'] = '${clientSecret}';
$config['oauth_auth_uri'] = '${issuer}/oauth2/authorize';
$config['oauth_token_uri'] = '${issuer}/oauth2/token';
$config['oauth_identity_uri'] = '${issuer}/oauth2/userinfo';
$config['oauth_scope'] = 'openid profile email';
$config['oauth_auth_parameters'] = ['nonce' => bin2hex(random_bytes(16))];
$config['oauth_verify_peer'] = '${certificate}';
`;
