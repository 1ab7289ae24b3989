import { createHash } from 'node:crypto';
import { Secret } from '../../src/platform/config/secret.js';
import {
  codeChallengeOf,
  createOneTimeToken,
  fitsChallenge,
  hashOneTimeToken,
  isSameText,
  keyedHash,
  keyedHashes,
  KeyDerivation,
  Sealer,
} from '../../src/platform/crypto/index.js';
import { Mac } from '../../src/platform/crypto/key-derivation.js';

const OLD = new Secret(Buffer.alloc(32, 1));
const NEW = new Secret(Buffer.alloc(32, 2));
const before = new KeyDerivation(OLD);
const after = new KeyDerivation(NEW, OLD);

describe('Subkeys', () => {
  it('differ by purpose and by root secret, and are derived once', () => {
    const [seal] = before.subkeys('external-state-seal');
    const [sign] = before.subkeys('external-state');
    expect(before.subkeys('external-state')).toHaveLength(1);
    expect(before.subkeys('external-state')).toBe(before.subkeys('external-state'));
    expect(seal.key).toHaveLength(32);
    expect(seal.key.equals(sign.key)).toBe(false);
    expect(seal.id).not.toBe(sign.id);
    expect(seal.id).toBe(createHash('sha256').update(seal.key).digest('hex').slice(0, 8));
  });

  it('of the previous root secret follow the current one', () => {
    const [current, previous] = after.subkeys('external-state');
    expect(previous).toEqual(before.subkeys('external-state')[0]);
    expect(current.key.equals(previous?.key ?? current.key)).toBe(false);
  });
});

describe('A sealed value', () => {
  const sealed = new Sealer(before, 'external-state-seal').seal('né à Brest');

  it('opens under the root secret, also once it is the previous one', () => {
    expect(new Sealer(before, 'external-state-seal').open(sealed)).toBe('né à Brest');
    expect(new Sealer(after, 'external-state-seal').open(sealed)).toBe('né à Brest');
  });

  it('opens under each of several other root secrets, earlier ones and the next one', () => {
    const next = new Secret(Buffer.alloc(32, 9));
    const withNext = new KeyDerivation(OLD, NEW, next);
    const sealedWithNext = new Sealer(new KeyDerivation(next), 'external-state-seal').seal('soon');
    expect(new Sealer(withNext, 'external-state-seal').open(sealedWithNext)).toBe('soon');
    expect(new Sealer(withNext, 'external-state-seal').open(sealed)).toBe('né à Brest');
  });

  it('is different each time, even for the same text', () => {
    expect(new Sealer(before, 'external-state-seal').seal('né à Brest')).not.toBe(sealed);
  });

  it('does not open under another purpose or root secret', () => {
    const refusal = /cannot be decrypted with ROOT_SECRET/;
    expect(() => new Sealer(before, 'external-state').open(sealed)).toThrow(refusal);
    expect(() => new Sealer(new KeyDerivation(NEW), 'external-state-seal').open(sealed)).toThrow(refusal);
  });

  it('does not open after any of its bytes was changed', () => {
    const bytes = Buffer.from(sealed, 'base64');
    for (const n of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(n) ^ 1, n);
      expect(() => new Sealer(before, 'external-state-seal').open(changed.toString('base64'))).toThrow();
    }
  });
});

describe('A MAC', () => {
  it.each([
    [Buffer.alloc(20, 0x0b), 'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
    [
      Buffer.from('Jefe'),
      'what do ya want for nothing?',
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    ],
  ])('is that of RFC 4231 section 4 (%#)', (key, text, expected) => {
    expect(new Mac(key).of(text).toString('hex')).toBe(expected);
  });
});

describe('A keyed hash', () => {
  it('has 16 bytes, and depends on the value, the purpose and the root secret', () => {
    const hash = keyedHash(before, 'external-state', 'a@example.com');
    expect(hash).toHaveLength(16);
    expect(keyedHash(before, 'external-state', 'a@example.com').equals(hash)).toBe(true);
    expect(keyedHash(before, 'external-state', 'b@example.com').equals(hash)).toBe(false);
    expect(keyedHash(before, 'external-state-seal', 'a@example.com').equals(hash)).toBe(false);
    expect(keyedHash(after, 'external-state', 'a@example.com').equals(hash)).toBe(false);
  });

  it('is also given under the previous root secret, after the current one', () => {
    const [current, ...previous] = keyedHashes(after, 'external-state', 'a@example.com');
    expect(current).toEqual(keyedHash(after, 'external-state', 'a@example.com'));
    expect(previous).toEqual([keyedHash(before, 'external-state', 'a@example.com')]);
    expect(keyedHashes(before, 'external-state', 'a@example.com')).toHaveLength(1);
  });
});

it('A one-time token has 256 random bits, and is stored as its hash', () => {
  const one = createOneTimeToken();
  expect(one.plainToken).toMatch(/^[\w-]{43}$/);
  expect(one.plainToken).not.toBe(createOneTimeToken().plainToken);
  expect(one.tokenHash).toEqual(hashOneTimeToken(one.plainToken));
  expect(one.tokenHash).toEqual(createHash('sha256').update(one.plainToken).digest());
});

it('A PKCE verifier fits its own challenge alone (RFC 7636 appendix B)', () => {
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
  expect(codeChallengeOf(verifier)).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
  expect(fitsChallenge(verifier, 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')).toBe(true);
  expect(fitsChallenge(verifier, 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cN')).toBe(false);
  expect(fitsChallenge(verifier, verifier)).toBe(false);
});

it.each([
  ['secret', 'secret', true],
  ['', '', true],
  ['secret', 'secre', false],
  ['', 'secret', false],
  ['secres', 'secret', false],
  ['c2VjcmV0', 'c2VjcmV0=', false],
  ['secret\u0000', 'secret', false],
])('Texts %j and %j are the same: %s', (presented, expected, same) => {
  expect(isSameText(presented, expected)).toBe(same);
});
