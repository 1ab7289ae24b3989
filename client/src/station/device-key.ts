import { base64url } from '../pkce.js';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const;
const PROOF_TYPE = 'station-proof+jwt';

/** A request that a station proves its key for. */
interface ProvenRequest {
  readonly url: string;
  readonly nonce: string;
  /** Refresh token whose hash the proof has. */
  readonly refreshToken?: string;
}

/** Creates a key pair whose private key cannot be read, not even by this page. */
export const createDeviceKey = (): Promise<CryptoKeyPair> =>
  crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);

/** Returns the public key as the service registers it. */
export async function publicJwkOf({ publicKey }: CryptoKeyPair): Promise<{
  kty: 'EC';
  crv: 'P-256';
  x: string;
  y: string;
}> {
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', publicKey);
  return { kty: 'EC', crv: 'P-256', x, y };
}

/** Signs the proof of a `POST`: a JWT in the form of RFC 9449. */
export async function signProof(
  privateKey: CryptoKey,
  stationId: string,
  { url, nonce, refreshToken }: ProvenRequest,
): Promise<string> {
  const header = { typ: PROOF_TYPE, alg: 'ES256', kid: stationId };
  const payload = {
    htm: 'POST',
    htu: url,
    iat: Math.floor(Date.now() / 1_000),
    jti: crypto.randomUUID(),
    nonce,
    ...(refreshToken !== undefined && { ath: await hashOf(refreshToken) }),
  };
  const content = [header, payload].map((part) => base64url(bytesOf(JSON.stringify(part)))).join('.');
  const signature = await crypto.subtle.sign(SIGNATURE, privateKey, bytesOf(content));
  return `${content}.${base64url(new Uint8Array(signature))}`;
}

const hashOf = async (text: string): Promise<string> =>
  base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', bytesOf(text))));

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
