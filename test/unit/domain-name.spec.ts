import { checkDomain } from '../../src/connection/domains/domain-name.js';

describe('A domain to verify', () => {
  it.each([
    ['Example.COM', 'example.com'],
    ['mail.example.co.uk.', 'mail.example.co.uk'],
    ['bücher.example.de', 'xn--bcher-kva.example.de'],
    ['acme.github.io', 'acme.github.io'],
  ])('is stored as A-labels in lower case: %s', async (text, domain) => {
    expect(await checkDomain(text)).toEqual({ domain });
  });

  it.each([
    ['com', 'such as'],
    ['co.uk', 'a suffix'],
    ['github.io', 'a suffix'],
    ['192.0.2.1', 'an address'],
    ['0x7f.1', 'an address'],
    ['[2001:db8::1]', 'such as'],
    ['gmail.com', 'free mail'],
    ['Mail.GMX.de', 'free mail'],
    ['-a.example.com', 'such as'],
    ['a_b.example.com', 'such as'],
    ['example.com/path', 'such as'],
    ['user@example.com', 'such as'],
    [`${'a'.repeat(64)}.com`, 'such as'],
    [`${'a.'.repeat(120)}example.com`, 'such as'],
    ['', 'such as'],
  ])('is refused: %s', async (text, words) => {
    expect(await checkDomain(text)).toEqual({ fault: expect.stringContaining(words) });
  });
});
