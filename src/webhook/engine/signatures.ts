import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  hash,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { KeyDerivation, type PublishedKey, PublishesKeys, Sealer } from '../../platform/crypto/index.js';
import type { EndpointEntity as Endpoint } from '../endpoints/endpoint.entity.js';

const SECRET_BYTES = 32;
const PREFIX = 'whsec_';
/** Secrets that are kept opened, and for how long. */
const MAX_OPENED = 1_000;
const OPENED_MS = 60_000;
/** PKCS #8 of an Ed25519 key, up to its seed (RFC 8410 section 7). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: PublishedKey;
}

type Secrets = Pick<Endpoint, 'signing' | 'sealedSecret' | 'sealedPrevious' | 'previousUntil'>;

/** Signs deliveries by Standard Webhooks 1.0. */
@Injectable()
export class Signatures {
  private readonly sealer: Sealer;
  private keys: readonly SigningKey[] | undefined;
  /** Keys of sealed secrets: to open one takes longer than to sign. */
  private readonly opened = new Map<string, KeyObject>();
  private openedSince = 0;

  constructor(private readonly derivation: KeyDerivation) {
    this.sealer = new Sealer(derivation, 'webhook-secret');
  }

  /** Creates a secret. @returns the secret, which cannot be read again, and its sealed form */
  createSecret(): { readonly secret: string; readonly sealed: string } {
    const secret = PREFIX + randomBytes(SECRET_BYTES).toString('base64');
    return { secret, sealed: this.sealer.seal(secret) };
  }

  /** Public keys of Ed25519 signatures, the current one first. */
  @PublishesKeys()
  publicKeys(): PublishedKey[] {
    return this.signingKeys().map(({ publicKey }) => publicKey);
  }

  /**
   * Returns the header `webhook-signature`: one signature for each valid secret, or by the key of
   * the service.
   * @param seconds time of the attempt, since 1970
   */
  sign(secrets: Secrets, id: string, seconds: number, body: string): string {
    const content = `${id}.${seconds}.${body}`;
    if (secrets.signing === 'ed25519') return this.signByKey(content);
    const { sealedSecret, sealedPrevious, previousUntil } = secrets;
    const isPreviousValid = previousUntil !== null && previousUntil.getTime() > Date.now();
    const sealed = [sealedSecret, ...(sealedPrevious !== null && isPreviousValid ? [sealedPrevious] : [])];
    return sealed.map((text) => signBySecret(this.keyOf(text), content)).join(' ');
  }

  /** Returns the header for a secret that is not stored, or by the key of the service for null. */
  signPlain(secret: string | null, id: string, seconds: number, body: string): string {
    const content = `${id}.${seconds}.${body}`;
    return secret === null ? this.signByKey(content) : signBySecret(macKeyOf(secret), content);
  }

  /** Opens a sealed secret, or returns its key from the last minute. */
  private keyOf(sealed: string): KeyObject {
    const known = this.opened.get(sealed);
    const isOver = performance.now() - this.openedSince > OPENED_MS;
    if (known && !isOver) return known;
    if (isOver || this.opened.size >= MAX_OPENED) {
      this.opened.clear();
      this.openedSince = performance.now();
    }
    const key = macKeyOf(this.sealer.open(sealed));
    this.opened.set(sealed, key);
    return key;
  }

  private signByKey(content: string): string {
    const [key] = this.signingKeys();
    if (!key) throw new Error('There is no signing key.');
    return `v1a,${sign(null, Buffer.from(content), key.privateKey).toString('base64')}`;
  }

  private signingKeys(): readonly SigningKey[] {
    this.keys ??= this.derivation.subkeys('webhook-signing').map(({ key }) => {
      const privateKey = createPrivateKey({
        key: Buffer.concat([PKCS8, key]),
        format: 'der',
        type: 'pkcs8',
      });
      const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
      return { privateKey, publicKey: publishedKeyOf(x) };
    });
    return this.keys;
  }
}

const macKeyOf = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(secret.slice(PREFIX.length), 'base64'));

const signBySecret = (key: KeyObject, content: string): string =>
  `v1,${createHmac('sha256', key).update(content).digest('base64')}`;

/** Returns an Ed25519 key as JWK (RFC 8037 section 2), with its thumbprint as `kid` (RFC 7638). */
function publishedKeyOf(x: string): PublishedKey {
  const canonical = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x });
  const kid = hash('sha256', canonical, 'base64url');
  return { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' };
}
