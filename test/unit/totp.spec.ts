import { normalizeTypedCode } from '../../src/authenticator/typed-code.js';
import {
  codeOf,
  createTotpSecret,
  findStep,
  stepAt,
  totpUri,
} from '../../src/authenticator/totp/totp-code.js';
import {
  createRecoveryCodes,
  normalizeRecoveryCode,
} from '../../src/authenticator/recovery-codes/recovery-code.js';

/** Base32 of the secret of the vectors, `12345678901234567890`. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

/** What authenticator apps refuse, after public reports: see docs/interop. */
describe('The URI of an authenticator app', () => {
  const parsed = (issuer: string, account: string, secret = createTotpSecret()) => {
    const { protocol, host, pathname, searchParams } = new URL(totpUri(secret, issuer, account));
    expect([protocol, host]).toEqual(['otpauth:', 'totp']);
    return {
      label: pathname.slice(1),
      issuer: searchParams.get('issuer'),
      secret: searchParams.get('secret'),
    };
  };

  it.each([
    ['https://auth.example.com', 'https //auth.example.com'],
    ['Acme: Logistics', 'Acme Logistics'],
    ['Acme :', 'Acme'],
  ])(
    'has one colon, though the issuer is %s (FusionAuth/fusionauth-issues#3011, keepassxreboot/keepassxc#11731, beemdevelopment/Aegis#1701)',
    (name, shown) => {
      const { label, issuer } = parsed(name, 'ada:x@example.com');
      expect(label.split(':')).toHaveLength(2);
      expect(label).not.toMatch(/%3a/i);
      expect(decodeURIComponent(label)).toBe(`${shown}:ada x@example.com`);
      expect(issuer).toBe(shown);
    },
  );

  it('has a secret without padding, in capitals (dullage/flatnotes#237, magespecialist/m2-MSP_TwoFactorAuth#6, andOTP/andOTP#600)', () => {
    expect(parsed('Acme', 'ada@example.com').secret).toMatch(/^[A-Z2-7]{32}$/);
  });

  it('has a blank of the issuer as %20, not as a plus (pyauth/pyotp#174)', () => {
    const uri = totpUri(createTotpSecret(), 'Acme & Sons', 'ada@example.com');
    expect(uri).toContain('otpauth://totp/Acme%20%26%20Sons:ada%40example.com?');
    expect(uri).toContain('&issuer=Acme%20%26%20Sons&');
  });
});

describe('A code of an authenticator app', () => {
  // RFC 4226, appendix D.
  it.each(
    '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489'
      .split(' ')
      .map((code, count) => [count, code] as const),
  )('is that of RFC 4226 for the count %i', (count, code) => {
    expect(codeOf(SECRET, count)).toBe(code);
  });

  // RFC 6238, appendix B, of which our codes are the last six digits.
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('is that of RFC 6238 at %i seconds', (seconds, code) => {
    expect(codeOf(SECRET, stepAt(seconds * 1_000))).toBe(code);
  });

  it('is found one step early and late, and no further', () => {
    const now = stepAt(599_000);
    const found = [-2, -1, 0, 1, 2].map((by) => findStep(SECRET, codeOf(SECRET, now + by), 599_000));
    expect(found).toEqual([null, now - 1, now, now + 1, null]);
  });

  it('has a random secret of 160 bits in base32', () => {
    const secrets = Array.from({ length: 50 }, createTotpSecret);
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new Set(secrets).size).toBe(50);
    expect(new Set(secrets.join('')).size).toBe(32);
  });

  it('has a URI that no name can break', () => {
    const uri = new URL(totpUri(SECRET, 'A & B/ ?', 'ada+x@example.com'));
    expect(decodeURIComponent(uri.pathname)).toBe('/A & B/ ?:ada+x@example.com');
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      secret: SECRET,
      issuer: 'A & B/ ?',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});

describe('A typed code', () => {
  it('has the digits of every script of Unicode', () => {
    const digits = Array.from({ length: 0x11_0000 }, (_, point) => point)
      .filter((point) => point < 0xd800 || point > 0xdfff)
      .map((point) => String.fromCodePoint(point))
      .filter((character) => /\p{Nd}/u.test(character));
    const values = digits.map((digit) => normalizeTypedCode(digit));
    expect(values.join('')).toBe('0123456789'.repeat(digits.length / 10));
  });
});

describe('Recovery codes', () => {
  it('are ten of fifty bits', () => {
    const codes = createRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
  });

  it('are the same however they are typed', () => {
    for (const typed of ['7GX2M-9KQ01', '7gx2m 9kqo1', ' 7GX2M9KQOi', '7gx-2m-9kq0l'])
      expect(normalizeRecoveryCode(typed)).toBe('7GX2M9KQ01');
  });
});
