import { readFileSync } from 'node:fs';
import { FIRST_PAGE_TEXTS, type FirstPageParts } from '../../src/portal/first-page-texts.js';
import { type PortalConfiguration, writeFirstPage } from '../../src/portal/first-page.js';

const english = JSON.parse(readFileSync('portal/src/messages/en.json', 'utf8')) as Record<string, string>;
const PARTS: FirstPageParts = {
  texts: Object.fromEntries(FIRST_PAGE_TEXTS.map((id) => [id, english[id] ?? ''])) as FirstPageParts['texts'],
  file: '/assets/en_first.js',
};
const CONFIGURATION: PortalConfiguration = {
  providers: [],
  sessionCookie: 'session',
  mailbox: false,
  emailSignIn: false,
  passwordBlocklist: 'off',
};

describe('The sign-in page that the server writes', () => {
  it('escapes the names of providers', () => {
    const providers = [
      { kind: 'oidc', name: '"><script>alert(1)</script>&' },
      { kind: 'a"<b>_c', name: null },
    ];
    const html = writeFirstPage('en', PARTS, { ...CONFIGURATION, providers });
    expect(html).toContain('Continue with &#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62;&#38;</span>');
    expect(html).toContain('Continue with a&#34;&#60;b&#62; c</span>');
    expect(html).not.toMatch(/<script|<b>/);
  });

  it('has what the deployment offers, and nothing else', () => {
    const plain = writeFirstPage('en', PARTS, CONFIGURATION);
    expect(plain).not.toMatch(/email-code|mailbox|Continue with|class="or"/);
    const kinds = ['saml', 'oidc'] as const;
    const providers = kinds.map((kind) => ({ kind, name: null }));
    const full = writeFirstPage('en', PARTS, {
      ...CONFIGURATION,
      providers,
      mailbox: true,
      emailSignIn: true,
    });
    for (const part of ['href="/email-code?next=%2F"', 'href="/mailbox"', 'class="or"'])
      expect(full).toContain(part);
    for (const kind of kinds) expect(full).toContain(`Continue with ${english[`provider.${kind}`]}<`);
  });

  it('has no button that can be pressed, and no name by which a field could be sent', () => {
    const html = writeFirstPage('en', PARTS, CONFIGURATION);
    const buttons = html.match(/<button[^>]*>/g) ?? [];
    expect(buttons.length).toBeGreaterThan(4);
    expect(buttons.filter((tag) => !/type="button".* disabled/.test(tag))).toEqual([]);
    expect(html).not.toMatch(/ name="/);
  });
});
