import { constants, createHash, generateKeyPairSync, publicEncrypt, randomBytes } from 'node:crypto';
import { decryptOaep, type OaepHash } from '../../src/external-identity/providers/saml/checks/saml-oaep.js';

/** What the sender of a padding has changed (RFC 8017 section 7.1.1). */
interface Twist {
  readonly first?: number;
  readonly label?: string;
  readonly filling?: number;
  readonly separator?: number;
}

/**
 * Keys that are wrapped with one hash for the digest and another for the mask, whose padding this
 * service removes itself.
 */
describe('A key by RSA-OAEP of two hashes', () => {
  const BYTES = 256;
  const keys = generateKeyPairSync('rsa', { modulusLength: 8 * BYTES });
  const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

  const mask = (seed: Buffer, bytes: number, hash: OaepHash): Buffer => {
    const parts = Array.from({ length: Math.ceil(bytes / 20) }, (_, n) =>
      createHash(hash)
        .update(seed)
        .update(Buffer.from([0, 0, 0, n]))
        .digest(),
    );
    return Buffer.concat(parts).subarray(0, bytes);
  };
  const xor = (one: Buffer, other: Buffer) => Buffer.from(one.map((byte, n) => byte ^ (other[n] ?? 0)));
  const wrap = (
    key: Buffer,
    digest: OaepHash,
    maskHash: OaepHash,
    { first = 0, label = '', filling = 0, separator = 1 }: Twist = {},
  ): Buffer => {
    const hash = createHash(digest).update(label).digest();
    const zeros = Buffer.alloc(BYTES - key.length - 2 * hash.length - 2, filling);
    const data = Buffer.concat([hash, zeros, Buffer.from([separator]), key]);
    const seed = randomBytes(hash.length);
    const maskedData = xor(data, mask(seed, data.length, maskHash));
    const maskedSeed = xor(seed, mask(maskedData, hash.length, maskHash));
    const block = Buffer.concat([Buffer.from([first]), maskedSeed, maskedData]);
    return publicEncrypt({ key: keys.publicKey, padding: constants.RSA_NO_PADDING }, block);
  };
  const unwrap = (wrapped: Buffer) => decryptOaep(privateKey, wrapped, 'sha256', 'sha1');

  it.each([0, 1, 16, 32, 190])('is unwrapped, of %d bytes', (bytes) => {
    const key = randomBytes(bytes);
    expect(unwrap(wrap(key, 'sha256', 'sha1'))).toEqual(key);
  });

  it.each<[OaepHash, OaepHash]>([
    ['sha1', 'sha256'],
    ['sha512', 'sha1'],
    ['sha384', 'sha512'],
  ])('is unwrapped, of %s and a mask by %s', (digest, maskHash) => {
    const key = randomBytes(32);
    expect(decryptOaep(privateKey, wrap(key, digest, maskHash), digest, maskHash)).toEqual(key);
  });

  it.each<[string, Twist]>([
    ['does not begin with zero', { first: 1 }],
    ['has a label', { label: 'label' }],
    ['is not filled with zeros', { filling: 2 }],
    ['has no separator', { separator: 0 }],
    ['has another separator', { separator: 3 }],
  ])('is refused by one error, whichever byte of its padding is wrong: it %s', (_, twist) => {
    const wrapped = wrap(Buffer.alloc(32), 'sha256', 'sha1', twist);
    expect(() => unwrap(wrapped)).toThrow('The padding is not valid.');
  });
});
