import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import '../../src/app.module.js';
import { listMailTexts, readMailTexts } from '../../src/platform/mail/mail-texts.js';
import { formatMessage, replaceTexts, textsOf } from '../../src/platform/messages/index.js';
import { LOCALES, type Locale } from '../../src/platform/messages/locales.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder('mail-texts');

/** Reads a folder that has these files alone. */
function read(files: Readonly<Record<string, unknown>>) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files))
    writeFileSync(
      join(folder, name),
      typeof content === 'string' || content instanceof Buffer ? content : JSON.stringify(content),
    );
  return readMailTexts(folder);
}

/** Reads one text of an English mail. */
const readOne = (kind: string, part: string, text: unknown) =>
  read({ [`${kind}.en.json`]: { [part]: text } });

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('Texts of mails in a folder', () => {
  it('replace single texts of a language, and are read by kind and language', () => {
    const texts = read({
      'verification.en.json': { subject: 'Welcome to Acme: one more step' },
      'verification.de.json': { registered: '{name} hat sich am {registeredAt} angemeldet.' },
      'common.fr.json': { 'go-to-app': 'Vers Acme' },
    });
    expect(
      Object.fromEntries([...texts].map(([locale, byId]) => [locale, Object.fromEntries(byId)])),
    ).toEqual({
      en: { 'mail.verification.subject': 'Welcome to Acme: one more step' },
      de: { 'mail.verification.registered': '{name} hat sich am {registeredAt} angemeldet.' },
      fr: { 'mail.go-to-app': 'Vers Acme' },
    });
  });

  it('can be those of the service, in each language', () => {
    const files = (Object.keys(LOCALES) as Locale[]).flatMap((locale) =>
      [...listMailTexts()].flatMap(([kind, parts]) => {
        const texts = [...parts].map(([part, id]) => [part, textsOf(locale).get(id)]);
        const translated = texts.filter(([, text]) => text !== undefined); // a release requires all
        return translated.length === 0 ? [] : [[`${kind}.${locale}.json`, Object.fromEntries(translated)]];
      }),
    );
    expect(files.length).toBeGreaterThan(100);
    expect(() => read(Object.fromEntries(files) as Record<string, unknown>)).not.toThrow();
  });

  it('are read from a folder as Kubernetes mounts it', () => {
    read({ 'common.en.json': { 'go-to-app': 'To Acme' } });
    mkdirSync(join(folder, '..data'));
    writeFileSync(join(folder, '..data', 'password-reset.en.json'), '{ "subject": "Acme: new password" }');
    symlinkSync(join('..data', 'password-reset.en.json'), join(folder, 'password-reset.en.json'));
    expect(readMailTexts(folder).get('en')?.get('mail.password-reset.subject')).toBe('Acme: new password');
  });

  it.each([
    ['README.md', '', 'is not named kind.language.json'],
    ['subject.json', {}, 'is not named kind.language.json'],
    ['welcome.en.json', {}, 'there is no kind of mail "welcome"'],
    ['go-to-app.en.json', {}, 'there is no kind of mail "go-to-app"'],
    ['verification.sv.json', {}, 'there is no language "sv", but en, de, es, fr, nl'],
    ['verification.constructor.json', {}, 'there is no language "constructor"'],
    ['verification.en.json', '{ "subject": ', 'is not JSON'],
    ['verification.en.json', Buffer.from([0x22, 0xff, 0x22]), 'is no file in UTF-8'],
    ['verification.en.json', ['subject'], 'is not an object of texts'],
    ['verification.en.json', 'null', 'is not an object of texts'],
    ['verification.en.json', '7', 'is not an object of texts'],
    ['verification.en.json', {}, 'has no text'],
  ])('stop the start if a file %s holds %j', (name, content, problem) => {
    expect(() => read({ [name]: content })).toThrow(`  MAIL_TEMPLATES: ${name}: ${problem}`);
  });

  it('stop the start if the folder has no file, or cannot be read', () => {
    expect(() => read({})).toThrow(`MAIL_TEMPLATES: the folder ${folder} has no file`);
    expect(() => readMailTexts(join(folder, 'missing'))).toThrow('cannot be read');
    mkdirSync(join(folder, 'verification.en.json'));
    expect(() => readMailTexts(folder)).toThrow('verification.en.json: is no file in UTF-8');
  });

  it('are accepted to the last character', () => {
    for (const [part, length] of [
      ['subject', 150],
      ['was-you', 1_000],
    ] as const) {
      const text = 'a'.repeat(length);
      const texts = read({ 'password-reset.en.json': { [part]: text } });
      expect(texts.get('en')?.get(`mail.password-reset.${part}`)).toBe(text);
    }
  });

  const SIGN_IN_CODE = ['sign-in-code', 'code'] as const;
  const LEFT = ['recovery-code-used', 'text'] as const;

  it.each([
    ['password-reset', 'title', 'Hello', 'is not a text of this mail, which has subject, was-you'],
    ['password-reset', '__proto__', 'Hello', 'is not a text of this mail'],
    ['password-reset', 'subject', 7, 'is not a text'],
    ['password-reset', 'subject', '  ', 'is empty'],
    ['password-reset', 'subject', 'a'.repeat(151), 'has more than 150 characters'],
    ['password-reset', 'was-you', 'a'.repeat(1_001), 'has more than 1000 characters'],
    ['password-reset', 'subject', 'Hello\r\nBcc: eve@example.com', 'has a line break or a control character'],
    ['password-reset', 'subject', 'Hello\nthere', 'has a line break or a control character'],
    ['password-reset', 'subject', 'Hello\u2028there', 'has a line break or a control character'],
    ['password-reset', 'subject', 'Hello\u0000', 'has a line break or a control character'],
    ['password-reset', 'subject', 'Hello \ud800', 'has a line break or a control character'],
    ['password-reset', 'was-you', 'Click <a href="https://x">here</a>', 'has HTML, but must be plain text'],
    ['password-reset', 'was-you', 'Hello<!-- -->', 'has HTML, but must be plain text'],
    ['password-reset', 'was-you', 'Fish &amp; chips', 'has HTML, but must be plain text'],
    ['password-reset', 'was-you', 'Fish &#38; chips', 'has HTML, but must be plain text'],
    ['password-reset', 'subject', 'For {name}', 'has the unknown placeholder {name}'],
    ['password-reset', 'subject', 'Hello {', 'is not ICU MessageFormat ('],
    [...SIGN_IN_CODE, 'Sign in now', 'must show {code} in every case'],
    [...SIGN_IN_CODE, 'Code: {code, select, 1 {one} other {{code}}}', 'must use {code} as the service does'],
    [...SIGN_IN_CODE, 'Code: {code, number}', 'must use {code} as the service does'],
    [...SIGN_IN_CODE, 'Code: {code, date, short}', 'must use {code} as the service does'],
    [...LEFT, 'A code was used.', 'must show {left} in every case'],
    [...LEFT, '{left, plural, one {One left.}}', 'is not ICU MessageFormat ('],
    [...LEFT, '{left, plural, one {One of {all}.} other {# left.}}', 'has the unknown placeholder {all}'],
  ])('stop the start if a text of %s, %s, is %j', (kind, part, text, problem) => {
    const content = `{ ${JSON.stringify(part)}: ${JSON.stringify(text)} }`;
    expect(() => read({ [`${kind}.en.json`]: content })).toThrow(
      `  MAIL_TEMPLATES: ${kind}.en.json: "${part}" ${problem}`,
    );
  });

  it.each([
    ['a plural in place of another', LEFT, '{left, plural, =0 {None.} one {One.} few {Few.} other {#.}}'],
    ['the number alone', LEFT, 'Codes left: {left}.'],
    ['a placeholder twice, and quoted braces', SIGN_IN_CODE, "{code} is it: {code}, not '{name}'"],
    ['letters of any language, and signs', ['password-reset', 'subject'], 'Acme™: 密码 < 5 & > 3 – "ok" 🙂'],
  ] as const)('can have %s', (_what, [kind, part], text) => {
    expect(() => readOne(kind, part, text)).not.toThrow();
  });

  it('list everything that is wrong in one message', () => {
    const problem = () =>
      read({
        'invitation.en.json': { subject: '', accept: 'Join' },
        'welcome.en.json': {},
        'sign-in-code.de.json': { subject: '<b>', code: 'Code' },
      });
    expect(problem).toThrow(
      new Error(
        [
          'The settings are not valid:',
          '  MAIL_TEMPLATES: invitation.en.json: "subject" is empty',
          '  MAIL_TEMPLATES: sign-in-code.de.json: "subject" has HTML, but must be plain text',
          '  MAIL_TEMPLATES: sign-in-code.de.json: "code" must show {code} in every case',
          '  MAIL_TEMPLATES: welcome.en.json: there is no kind of mail "welcome" (docs/mail-texts.md)',
        ].join('\n'),
      ),
    );
  });
});

describe('Replaced texts', () => {
  afterEach(() => replaceTexts(new Map()));
  const subject = (locale: Locale) => formatMessage({ id: 'mail.password-reset.subject' }, locale);

  it('are used in their language alone, until they are withdrawn', () => {
    const [english, german] = [subject('en'), subject('de')];
    replaceTexts(readOne('password-reset', 'subject', 'Acme: a new password'));
    expect([subject('en'), subject('de')]).toEqual(['Acme: a new password', german]);
    replaceTexts(new Map());
    expect([subject('en'), subject('de')]).toEqual([english, german]);
  });
});
