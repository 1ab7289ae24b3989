import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../platform/config/index.js';
import { KeyDerivation, Sealer } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { selfSigned } from './saml-certificate.js';
import { connectionOf } from './saml-connection.js';

/** The service's own key, in PEM. */
export interface SamlKey {
  readonly privateKey: string;
  readonly certificate: string;
}

const RSA_BITS = 3_072;
/** An identity provider's admin imports the certificate by hand: it is to outlast the connection. */
const CERTIFICATE_YEARS = 20;

/** The RSA key that signs requests (SAML-16): made once for all replicas, when SAML is first configured, and sealed in the database. */
@Injectable()
export class SamlKeyService implements OnModuleInit {
  private readonly sealer: Sealer;
  private readonly wanted: boolean;
  private loaded: SamlKey | undefined;

  constructor(
    private readonly database: Database,
    keys: KeyDerivation,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.sealer = new Sealer(keys, 'saml-key-encryption');
    this.wanted = connectionOf(settings) !== null;
  }

  async onModuleInit(): Promise<void> {
    if (!this.wanted) return;
    if (!(await this.load())) {
      await this.insert();
      await this.load();
    }
  }

  get current(): SamlKey {
    if (!this.loaded) throw new Error('There is no SAML key.');
    return this.loaded;
  }

  /** Seals it anew under the current root secret, so that the previous one may go. */
  private async load(): Promise<boolean> {
    const row = await this.database.row<{ certificate: string; sealed: string }>(
      'SELECT certificate, sealed_private_key AS sealed FROM saml_keys',
    );
    if (!row) return false;
    const privateKey = this.sealer.open(row.sealed);
    await this.database.rows('UPDATE saml_keys SET sealed_private_key = $1', [this.sealer.seal(privateKey)]);
    this.loaded = { privateKey, certificate: row.certificate };
    return true;
  }

  /** Of replicas that start together, the first one's key stays. */
  private async insert(): Promise<void> {
    const pair = await promisify(generateKeyPair)('rsa', { modulusLength: RSA_BITS });
    const until = new Date();
    until.setUTCFullYear(until.getUTCFullYear() + CERTIFICATE_YEARS);
    const certificate = selfSigned('Gatehouse', pair, new Date(), until);
    const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    await this.database.rows(
      'INSERT INTO saml_keys (certificate, sealed_private_key) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [certificate, this.sealer.seal(pem)],
    );
  }
}
