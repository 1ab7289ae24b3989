import { constants, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { hasSignature } from '../../src/external-identity/providers/provider-keys.js';

const ALGORITHMS = ['RS', 'PS', 'ES'].flatMap((family) => ['256', '384', '512'].map((bits) => family + bits));

/** A token that the library has signed, in the parts of a JWS. */
async function signedBy(alg: string) {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const token = await new SignJWT({ sub: 'ada' }).setProtectedHeader({ alg }).sign(privateKey);
  const dot = token.lastIndexOf('.');
  const key = createPublicKey({ key: (await exportJWK(publicKey)) as never, format: 'jwk' });
  return { key, content: token.slice(0, dot), signature: token.slice(dot + 1) };
}

/** Signs by a key that the library would refuse, or in a way that it does not know. */
const signatureBy = ({ privateKey }: { privateKey: KeyObject }, options: object = {}): string =>
  sign('sha256', Buffer.from('a.b'), { key: privateKey, ...options }).toString('base64url');

describe("The signature of a provider's token", () => {
  it.each([...ALGORITHMS, 'EdDSA', 'Ed25519'])('is verified by %s', async (alg) => {
    const { key, content, signature } = await signedBy(alg);
    expect(hasSignature(alg, key, content, signature)).toBe(true);
    expect(hasSignature(alg, key, `${content}x`, signature)).toBe(false);
    const broken = Buffer.from(signature, 'base64url');
    broken[broken.length - 1] = (broken.at(-1) ?? 0) ^ 1;
    expect(hasSignature(alg, key, content, broken.toString('base64url'))).toBe(false);
    expect(hasSignature(alg, (await signedBy(alg)).key, content, signature)).toBe(false);
    expect(hasSignature(alg, key, content, '')).toBe(false);
  });

  it('is not accepted by a key of RSA with less than 2,048 bits', () => {
    const [short, long] = [1_024, 2_048].map((modulusLength) =>
      generateKeyPairSync('rsa', { modulusLength }),
    );
    expect(hasSignature('RS256', short!.publicKey, 'a.b', signatureBy(short!))).toBe(false);
    expect(hasSignature('RS256', long!.publicKey, 'a.b', signatureBy(long!))).toBe(true);
  });

  it('is not accepted in another form than the algorithm has', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pss = { padding: constants.RSA_PKCS1_PSS_PADDING };
    expect(hasSignature('RS256', rsa.publicKey, 'a.b', signatureBy(rsa, pss))).toBe(false);
    expect(hasSignature('PS256', rsa.publicKey, 'a.b', signatureBy(rsa))).toBe(false);
    expect(hasSignature('PS256', rsa.publicKey, 'a.b', signatureBy(rsa, { ...pss, saltLength: 0 }))).toBe(
      false,
    );
    expect(hasSignature('ES256', ec.publicKey, 'a.b', signatureBy(ec))).toBe(false); // DER
  });
});
