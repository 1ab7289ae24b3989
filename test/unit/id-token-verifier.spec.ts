import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { IdTokenVerifier } from '../../src/external-identity/providers/id-token.verifier.js';
import type { OutboundHttp } from '../../src/platform/outbound/index.js';

const ISSUER = 'https://idp.example.com';
const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

describe('The verifier of a provider', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' };
  const http = {
    shared: (work: () => Promise<unknown>) => work(),
    fetch: async () => Response.json({ keys: [jwk] }),
  } as unknown as OutboundHttp;

  const tokenWith = (header: object, key: KeyObject = privateKey): string => {
    const now = Math.floor(Date.now() / 1_000);
    const claims = { iss: ISSUER, aud: 'client', sub: 'ada', nonce: 'n', iat: now, exp: now + 60 };
    const content = `${encode({ alg: 'ES256', kid: 'one', ...header })}.${encode(claims)}`;
    const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
    return `${content}.${signature.toString('base64url')}`;
  };
  const read = (token: string, algorithms = ['ES256', 'RS256']) =>
    new IdTokenVerifier(http, `${ISSUER}/jwks`, algorithms).verify(token, {
      issuers: [ISSUER],
      audience: 'client',
      nonce: 'n',
    });
  const refused = { reason: 'invalid_response' };

  it('reads a token that its key has signed', async () => {
    await expect(read(tokenWith({}))).resolves.toMatchObject({ sub: 'ada' });
  });

  it('refuses an algorithm that is not accepted, though a key of the provider fits', async () => {
    await expect(read(tokenWith({}), ['RS256'])).rejects.toMatchObject(refused);
  });

  it('refuses extensions that it does not know (RFC 7515 section 4.1.11)', async () => {
    await expect(read(tokenWith({ crit: ['x'], x: 1 }))).rejects.toMatchObject(refused);
    await expect(read(tokenWith({ crit: ['b64'], b64: false }))).rejects.toMatchObject(refused);
  });

  it('refuses what is no compact JWS, and the signature of another key', async () => {
    const token = tokenWith({});
    for (const broken of [`${token}.`, `${token}=`, ` ${token}`, token.slice(0, token.lastIndexOf('.') + 1)])
      await expect(read(broken)).rejects.toMatchObject(refused);
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    await expect(read(tokenWith({}, other))).rejects.toMatchObject(refused);
  });
});
