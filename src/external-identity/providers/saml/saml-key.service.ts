import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { KeyDerivation, Sealer } from '../../../platform/crypto/index.js';
import { selfSigned } from './saml-certificate.js';
import { connectionOf } from './saml-connection.js';
import { SamlKeyRepository } from './saml-key.repository.js';

/** The service's own key, in PEM. */
export interface SamlKey {
  readonly privateKey: string;
  readonly certificate: string;
}

const RSA_BITS = 3_072;
/** Long, because administrators of identity providers import the certificate by hand. */
const CERTIFICATE_YEARS = 20;

/**
 * Provides the RSA key that signs requests (SAML-16). It is generated once for all replicas, when
 * SAML is first configured, and stored sealed in the database.
 */
@Injectable()
export class SamlKeyService implements OnModuleInit {
  private readonly sealer: Sealer;
  private readonly wanted: boolean;
  private loaded: SamlKey | undefined;

  constructor(
    private readonly stored: SamlKeyRepository,
    keys: KeyDerivation,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.sealer = new Sealer(keys, 'saml-key-encryption');
    this.wanted = connectionOf(settings) !== null;
  }

  async onModuleInit(): Promise<void> {
    if (this.wanted) await this.getKey();
  }

  /** Returns the key. Generates it if no replica has, for the first connection by SAML. */
  async getKey(): Promise<SamlKey> {
    const key = this.loaded ?? (await this.load());
    if (key) return key;
    await this.insert();
    const inserted = await this.load();
    if (!inserted) throw new Error('There is no SAML key.');
    return inserted;
  }

  /** Seals the key again with the current root secret, so that the previous one can be removed. */
  private async load(): Promise<SamlKey | null> {
    const stored = await this.stored.find();
    if (!stored) return null;
    const privateKey = this.sealer.open(stored.sealedPrivateKey);
    await this.stored.reseal(this.sealer.seal(privateKey));
    this.loaded = { privateKey, certificate: stored.certificate };
    return this.loaded;
  }

  private async insert(): Promise<void> {
    const pair = await promisify(generateKeyPair)('rsa', { modulusLength: RSA_BITS });
    const until = new Date();
    until.setUTCFullYear(until.getUTCFullYear() + CERTIFICATE_YEARS);
    const certificate = selfSigned('Gatehouse', pair, new Date(), until);
    const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    await this.stored.insert({ certificate, sealedPrivateKey: this.sealer.seal(pem) });
  }
}
