import { generateKeyPair, generateKeyPairSync, sign, verify } from 'node:crypto';
import { promisify } from 'node:util';

/** The pairs that test/runner/rsa-keys.cjs gives to this spec file. */
describe('RSA key pairs of a spec file', () => {
  const options = { modulusLength: 2_048 };

  it('differ, however they are asked for', async () => {
    const called = new Promise<string>((resolve, reject) => {
      generateKeyPair('rsa', options, (error, publicKey) =>
        error ? reject(error) : resolve(publicKey.export({ format: 'jwk' }).n ?? ''),
      );
    });
    const pairs = [generateKeyPairSync('rsa', options), await promisify(generateKeyPair)('rsa', options)];
    const moduli = [await called, ...pairs.map(({ publicKey }) => publicKey.export({ format: 'jwk' }).n)];
    expect(new Set(moduli).size).toBe(3);
    for (const { publicKey, privateKey } of pairs) {
      expect(privateKey.asymmetricKeyDetails?.modulusLength).toBe(2_048);
      expect(
        verify('sha256', Buffer.from('a'), publicKey, sign('sha256', Buffer.from('a'), privateKey)),
      ).toBe(true);
    }
  });

  it('are refused and encoded as ever', async () => {
    await expect(promisify(generateKeyPair)('rsa', { modulusLength: -1 })).rejects.toThrow('modulusLength');
    const format = { type: 'pkcs8', format: 'pem' } as const;
    const { privateKey } = generateKeyPairSync('rsa', {
      ...options,
      privateKeyEncoding: format,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    expect(privateKey).toContain('PRIVATE KEY');
  });
});
