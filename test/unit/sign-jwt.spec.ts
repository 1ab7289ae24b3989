import { generateKeyPairSync, verify } from 'node:crypto';
import { signJwt } from '../../src/session/tokens/token-signer.js';

const keyOf = (kid: string) => ({ kid, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) });
const headerOf = (token: string): unknown =>
  JSON.parse(Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString());

it('A signed JWT names its own key and type, also after others were signed', () => {
  const [first, second] = [keyOf('first'), keyOf('second')];
  for (const key of [first, second, first])
    for (const typ of ['at+jwt', 'JWT', 'at+jwt']) {
      const token = signJwt(key, typ, { sub: 'ada' });
      const [header, claims, signature = ''] = token.split('.');
      expect(headerOf(token)).toEqual({ alg: 'ES256', typ, kid: key.kid });
      const signed = Buffer.from(`${header}.${claims}`);
      const { publicKey } = key;
      const how = { key: publicKey, dsaEncoding: 'ieee-p1363' as const };
      expect(verify('sha256', signed, how, Buffer.from(signature, 'base64url'))).toBe(true);
    }
});
