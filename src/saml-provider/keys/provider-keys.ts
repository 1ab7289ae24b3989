import { Injectable } from '@nestjs/common';
import { generateCertifiedKey } from '../../external-identity/index.js';
import { newId } from '../../kernel/index.js';
import { KeyDerivation, Sealer } from '../../platform/crypto/index.js';
import { AppError } from '../../platform/errors/index.js';
import { ProviderKeyRepository, type StoredKey } from './provider-key.repository.js';

/** Days between publication and first use of a new key, in which they can do so. */
const PUBLICATION_LEAD_DAYS = 30;

/** A key that signs. */
export interface ProviderKey {
  /** In PEM. */
  readonly privateKey: string;
  /** In PEM. */
  readonly certificate: string;
}

/** A key without its private half. */
export type ListedKey = Pick<StoredKey, 'certificate' | 'signsFrom'>;

/** A key that was made and is not stored yet. */
export type NewKey = Omit<StoredKey, 'signsFrom'>;

/**
 * RSA keys by which this service signs for apps, one for each app: libraries exist that compare no
 * Issuer, and would take an assertion for an app of another organization by the same key.
 */
@Injectable()
export class ProviderKeys {
  private readonly sealer: Sealer;
  /** Keys that this process has sealed again with the current root secret. */
  private readonly resealed = new Set<string>();

  constructor(
    private readonly keys: ProviderKeyRepository,
    derivation: KeyDerivation,
  ) {
    this.sealer = new Sealer(derivation, 'saml-provider-key-encryption');
  }

  /** Lists the key that signs, and the one that will sign next. */
  list(clientId: string): Promise<readonly ListedKey[]> {
    return this.keys.list(clientId);
  }

  /** Returns the key that signs for a client. */
  async getCurrent(clientId: string): Promise<ProviderKey> {
    const [current] = await this.keys.list(clientId);
    if (!current) throw new Error('There is no key of the client.');
    const { kid, certificate, sealedPrivateKey } = current;
    const privateKey = this.sealer.open(sealedPrivateKey);
    // So that the previous root secret can be removed.
    if (!this.resealed.has(kid)) await this.keys.reseal(kid, this.sealer.seal(privateKey));
    this.resealed.add(kid);
    return { privateKey, certificate };
  }

  /** Makes a key; outside of a transaction, as it takes long. */
  async generate(): Promise<NewKey> {
    const { privateKey, certificate } = await generateCertifiedKey();
    return { kid: newId(), certificate, sealedPrivateKey: this.sealer.seal(privateKey) };
  }

  /** Stores the first key of a client. */
  async insert(clientId: string, key: NewKey): Promise<void> {
    await this.keys.insert(clientId, key, 0);
  }

  /**
   * Stores the next key of a client, which signs later. The caller holds the lock of the
   * client.
   * @throws {AppError} conflict if one waits already
   */
  async add(clientId: string, key: NewKey): Promise<void> {
    if (!(await this.keys.insert(clientId, key, PUBLICATION_LEAD_DAYS)))
      throw new AppError('conflict', { detail: 'The next key waits already. Rotate again once it signs.' });
  }
}
