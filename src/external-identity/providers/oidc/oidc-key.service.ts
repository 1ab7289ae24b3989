import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { newId } from '../../../kernel/index.js';
import { KeyDerivation, type PublishedKey, Sealer } from '../../../platform/crypto/index.js';
import { OidcKeyRepository } from './oidc-key.repository.js';

const RSA_BITS = 3_072;

/** The service's own key, and its id in the JWK Set. */
export interface OidcKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

/**
 * Provides the RSA key by which this service authenticates at providers of organizations (OpenID
 * Connect Core section 9, `private_key_jwt`). It is generated once for all replicas, when the first
 * connection needs it, and stored sealed. It signs nothing else.
 */
@Injectable()
export class OidcKeyService {
  private readonly sealer: Sealer;
  private loaded: OidcKey | undefined;

  constructor(
    private readonly stored: OidcKeyRepository,
    keys: KeyDerivation,
  ) {
    this.sealer = new Sealer(keys, 'oidc-key-encryption');
  }

  /** Returns the key. Generates it if no replica has. */
  async getKey(): Promise<OidcKey> {
    const key = this.loaded ?? (await this.load());
    if (key) return key;
    const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: RSA_BITS });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    await this.stored.insert({ kid: newId(), sealedPrivateKey: this.sealer.seal(pem) });
    const inserted = await this.load();
    if (!inserted) throw new Error('There is no key of the OpenID Connect client.');
    return inserted;
  }

  /** Returns the public key for the JWK Set that providers read. */
  async publish(): Promise<PublishedKey> {
    const { kid, privateKey } = await this.getKey();
    const { kty = '', n = '', e = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
    return { kty, n, e, kid, use: 'sig', alg: 'RS256' };
  }

  /** Seals the key again with the current root secret, so that the previous one can be removed. */
  private async load(): Promise<OidcKey | null> {
    const stored = await this.stored.find();
    if (!stored) return null;
    const pem = this.sealer.open(stored.sealedPrivateKey);
    await this.stored.reseal(this.sealer.seal(pem));
    this.loaded = { kid: stored.kid, privateKey: createPrivateKey(pem) };
    return this.loaded;
  }
}
