import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../support/built-service.js';
import { Person } from '../support/organization.js';
import { Program } from '../support/program.js';
import { RelyingParty } from '../support/relying-party.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { TestApp } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

describeWith(['dovecot'], 'Dovecot', () => {
  let app: TestApp;
  let ada: Person;
  beforeAll(async () => {
    app = await TestApp.start({ PORTAL: 'off' });
    ada = await Person.signUp(app);
  });
  afterAll(() => app?.stop());

  it('lets a person read mails by a token, which it asks about by introspection', async () => {
    const mail = await RelyingParty.register(app);
    const folder = temporaryFolder('mails');
    await mkdir(join(folder, 'mails'));
    for (const path of [folder, join(folder, 'mails')]) await chmod(path, 0o777);
    const port = await freePort();
    const asking = new URL('/oauth2/introspect', app.url);
    Object.assign(asking, { username: mail.clientId, password: mail.clientSecret });
    await writeFile(join(folder, 'oauth2.conf'), oauthConfiguration(asking.href));
    const dovecot = await Program.start('dovecot', {
      port,
      args: ['-F', '-c', 'dovecot.conf'],
      files: { 'dovecot.conf': dovecotConfiguration(port, folder) },
    });
    const signIn = (address: string, token: string) => authenticate(port, address, token);
    try {
      const { access_token: token } = await mail.signIn(ada.token, { scope: 'openid profile email' });
      expect(await signIn(ada.email, token)).toMatch(/^a OK/);
      expect(await signIn('eve@example.com', token)).toMatch(/^a NO/);
      const other = await RelyingParty.register(app);
      const { access_token: ofOther } = await other.signIn(ada.token, { scope: 'openid profile email' });
      expect(await signIn(ada.email, ofOther)).toMatch(/^a NO/);
      await mail.post('/oauth2/revoke', { token });
      expect(await signIn(ada.email, token)).toMatch(/^a NO/);
    } finally {
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
passdb {
  driver = oauth2
  mechanisms = xoauth2
  args = ${folder}/oauth2.conf
}
userdb {
  driver = static
  args = uid=33 gid=33 home=${folder}/mails/%u
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
