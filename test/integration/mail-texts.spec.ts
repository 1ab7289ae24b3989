/** @service separate */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BuiltService } from '../support/built-service.js';
import { MailServer, type ReceivedMail } from '../support/mail-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { eventually, TestApp } from '../support/test-app.js';

const person = { password: 'quiet-harbour-42', firstName: 'Ada' };

describe('A service with texts of its own for mails', () => {
  let folder: string;
  beforeEach(async () => {
    folder = temporaryFolder('mail-texts');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const write = (name: string, texts: Record<string, string>) =>
    writeFile(join(folder, name), JSON.stringify(texts));
  const subjectOf = (mail: ReceivedMail) => mail.headers.find(([name]) => name === 'subject')?.[1];

  it('sends them in their language, with its links, and other mails as they are', async () => {
    await write('verification.de.json', {
      subject: 'Willkommen bei Acme',
      registered: 'Hallo {name} & Team: 1 < 2 ({registeredAt})',
      verify: 'Bei Acme "loslegen"',
    });
    await write('common.de.json', { 'copy-address': 'Adresse bei Acme:' });
    const server = await MailServer.start();
    const app = await TestApp.start({ SMTP_URL: server.url, MAIL_TEMPLATES: folder });
    const mailTo = async (email: string, language: string) => {
      const headers = { 'accept-language': language };
      expect((await app.post('register', { ...person, email }, { headers })).status).toBe(202);
      await eventually('the mail has arrived', () => server.to(email).length === 1);
      const [mail] = server.to(email);
      if (!mail) throw new Error('There is no mail.');
      const { 'text/plain': text = '', 'text/html': html = '' } = mail.parts;
      return { subject: subjectOf(mail), text: text.replaceAll('\r\n', '\n'), html };
    };
    try {
      const german = await mailTo('ada@example.com', 'de');
      expect(german.subject).toBe('Willkommen bei Acme');
      expect(german.text).toMatch(/^Hallo \u201cAda\u201d & Team: 1 < 2 \(\d{4}-\d\d-\d\d \d\d:\d\d UTC\)\n/);
      expect(german.html).toMatch(/>Hallo \u201cAda\u201d &#38; Team: 1 &#60; 2 \(/);
      expect(german.html).toContain('>Bei Acme &#34;loslegen&#34;</a>');
      expect(german.html).toContain('>Adresse bei Acme: http://gatehouse.test/verify-email?token=');
      expect(german.text).toContain('Bei Acme "loslegen":\nhttp://gatehouse.test/verify-email?token=');
      expect(german.text).toContain('Das war ich nicht:\nhttp://gatehouse.test/refuse-registration?token=');
      const english = await mailTo('grace@example.com', 'en');
      expect(english.subject).toBe('Verify your email address');
      expect(english.html).not.toContain('Acme');
    } finally {
      await app.stop();
      await server.close();
    }
  });

  it('does not start with one that it cannot use, and says which', async () => {
    await write('sign-in-code.de.json', { code: 'Ihr Code' });
    const service = await BuiltService.launch({ MAIL_TEMPLATES: folder });
    expect(await service.ended).toBe(1);
    expect(service.output).toContain(
      'The settings are not valid:\n  MAIL_TEMPLATES: sign-in-code.de.json: "code" must show {code} in every case\n',
    );
    await service.stop();
  });
});
