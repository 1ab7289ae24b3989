import { type KeyObject, sign } from 'node:crypto';

/** Private key, and the id by which its public key is published. */
interface JwtKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

/** What is signed, and the `typ` of its header, which tells kinds of tokens apart. */
interface JwtContent {
  readonly typ: string;
  readonly claims: object;
}

/**
 * Signs claims as a JWT by ES256 (RFC 7515 section 7.1, RFC 7518 section 3.4). Does so at once: it
 * takes 0.05 ms, and a thread takes longer to be told.
 */
export function signByEs256(key: JwtKey, content: JwtContent): string {
  const input = inputOf('ES256', key, content);
  const options = { key: key.privateKey, dsaEncoding: 'ieee-p1363' } as const;
  return `${input}.${sign('sha256', Buffer.from(input), options).toString('base64url')}`;
}

/**
 * Signs claims as a JWT by RS256 (RFC 7518 section 3.3). Does so in another thread: 2 ms with a
 * key of 3,072 bits.
 */
export function signByRs256(key: JwtKey, content: JwtContent): Promise<string> {
  const input = inputOf('RS256', key, content);
  return new Promise((resolve, reject) => {
    sign('sha256', Buffer.from(input), key.privateKey, (error, signature) => {
      if (error) reject(error);
      else resolve(`${input}.${signature.toString('base64url')}`);
    });
  });
}

/** Returns what is signed: the header and the claims (RFC 7515 section 5.1). */
function inputOf(alg: string, { kid }: JwtKey, { typ, claims }: JwtContent): string {
  return `${encoded({ alg, typ, kid })}.${encoded(claims)}`;
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
