import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  type webcrypto,
} from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { newId } from '../../kernel/index.js';
import { KeyDerivation, type PublishedKey, Sealer } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { describeCause } from '../../platform/errors/index.js';
import { Metrics } from '../../platform/observability/index.js';
import { Cleanup } from '../../platform/cleanup/index.js';
import { SigningKeyRepository } from './key-pair.repository.js';

type JsonWebKey = webcrypto.JsonWebKey;

/** A key pair of this service. */
export interface SigningKey {
  readonly kid: string;
  readonly publicJwk: JsonWebKey;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  /**
   * Time from which the key signs, in milliseconds of `performance.now()`, computed from the
   * database's clock: a wrong wall clock must not select the key.
   */
  readonly signsFrom: number;
}

/** A key as operators see it. */
interface SigningKeyStatus {
  readonly kid: string;
  /** `published` does not sign yet; `retired` verifies earlier tokens alone. */
  readonly status: 'published' | 'signing' | 'retired';
  readonly createdAt: Date;
  readonly signsFrom: Date;
}

const RELOAD_INTERVAL_MS = 30_000;
/**
 * Seconds between publication and first use of a new key, so that services that cache the key set
 * know it by then.
 */
const PUBLICATION_LEAD_SECONDS = 600;
/**
 * Seconds for which a key is kept after its successor began to sign. Longer than the lifetime of
 * any access token.
 */
const RETIREMENT_SECONDS = 86_400;

/**
 * Manages the ES256 keys of access tokens. Private keys are sealed in the database; the newest due
 * key signs, all keys verify.
 */
@Injectable()
export class SigningKeyService implements OnModuleInit, OnApplicationShutdown {
  private readonly sealer: Sealer;
  private keys = new Map<string, SigningKey>();
  private newestFirst: readonly SigningKey[] = [];
  private readonly logger = new Logger('SigningKeys');
  private timer: NodeJS.Timeout | undefined;
  private loadedAt = 0;

  constructor(
    private readonly database: Database,
    private readonly stored: SigningKeyRepository,
    keys: KeyDerivation,
    metrics: Metrics,
  ) {
    this.sealer = new Sealer(keys, 'signing-key-encryption');
    metrics.gauge(
      'gatehouse_signing_key_age_seconds',
      'Seconds since the current signing key of access tokens began to sign.',
      () => (performance.now() - this.current.signsFrom) / 1_000,
    );
  }

  async onModuleInit(): Promise<void> {
    await this.database.transaction(async () => {
      if (!(await this.stored.lockFirstForUpdate())) await this.insertKey(0);
    });
    await this.reload();
    this.timer = setInterval(() => {
      this.reload().catch((error: unknown) => {
        this.logger.warn({ cause: describeCause(error) }, 'The signing keys were not read again.');
      });
    }, RELOAD_INTERVAL_MS);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /**
   * The newest key that is due to sign.
   * @throws if there is none
   */
  get current(): SigningKey {
    const now = performance.now();
    for (const key of this.newestFirst) if (key.signsFrom <= now) return key;
    throw new Error('There is no signing key.');
  }

  /**
   * Finds a key of the set by id. Reloads an unknown one at most once per second, for a key that
   * another replica has just created.
   */
  async find(kid: string): Promise<SigningKey | null> {
    const known = this.keys.get(kid);
    if (known) return known;
    if (Date.now() - this.loadedAt > 1_000) await this.reload();
    return this.keys.get(kid) ?? null;
  }

  /** The public keys in the format of RFC 7517. */
  get jwks(): { readonly keys: PublishedKey[] } {
    return {
      keys: [...this.keys.values()].map(({ kid, publicJwk: { kty = '', crv = '', x = '', y = '' } }) => {
        return { kty, crv, x, y, kid, use: 'sig', alg: 'ES256' };
      }),
    };
  }

  /**
   * Adds a key that begins to sign after `leadSeconds`.
   * @returns the id of the key
   */
  async rotate(leadSeconds: number = PUBLICATION_LEAD_SECONDS): Promise<string> {
    const kid = await this.insertKey(leadSeconds);
    await this.reload();
    return kid;
  }

  /** Lists the keys, the newest first. */
  async list(): Promise<SigningKeyStatus[]> {
    const keys = await this.stored.list();
    const current = keys.find(({ due }) => due)?.kid;
    return keys.map(({ kid, due, createdAt, signsFrom }) => ({
      kid,
      status: kid === current ? 'signing' : due ? 'retired' : 'published',
      createdAt,
      signsFrom,
    }));
  }

  /** Deletes keys whose tokens have all expired. */
  @Cleanup()
  async deleteRetiredKeys(): Promise<void> {
    await this.stored.deleteSucceeded(RETIREMENT_SECONDS);
  }

  private async insertKey(leadSeconds: number): Promise<string> {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const kid = newId();
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    await this.stored.insert({
      kid,
      publicJwk: publicKey.export({ format: 'jwk' }),
      sealedPrivateKey: this.sealer.seal(pem),
      dueIn: leadSeconds,
    });
    return kid;
  }

  private async reload(): Promise<void> {
    this.loadedAt = Date.now();
    const stored = await this.stored.findAll();
    const now = performance.now();
    const keys = stored.map(({ kid, publicJwk, sealedPrivateKey, dueIn }): [string, SigningKey] => {
      const known = this.keys.get(kid);
      const signsFrom = now + dueIn * 1_000;
      const decrypt = (): SigningKey => ({
        kid,
        publicJwk,
        publicKey: createPublicKey({ key: publicJwk, format: 'jwk' }),
        privateKey: createPrivateKey(this.sealer.open(sealedPrivateKey)),
        signsFrom,
      });
      return [kid, known ? { ...known, signsFrom } : decrypt()];
    });
    this.keys = new Map(keys);
    this.newestFirst = [...this.keys.values()];
  }
}
