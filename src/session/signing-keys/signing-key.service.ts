import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  type webcrypto,
} from 'node:crypto';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { newId } from '../../kernel/index.js';
import { KeyDerivation, Sealer } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { Metrics } from '../../platform/observability/index.js';
import { Cleanup } from '../../platform/cleanup/index.js';
import { SigningKeyRepository } from './signing-key.repository.js';

type JsonWebKey = webcrypto.JsonWebKey;

/** A key pair of ours. */
export interface SigningKey {
  readonly kid: string;
  readonly publicJwk: JsonWebKey;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  /** On the clock of this process (`performance.now()`), counted from the database's: a wall clock that is off must not choose the key. */
  readonly signsFrom: number;
}

const RELOAD_MS = 30_000;
/** A new key is published this long before it signs, so that whoever caches the key set knows it by then. */
const PUBLICATION_LEAD_SECONDS = 600;
/** Keys are kept this long after their successor began to sign: longer than any access token lives. */
const RETIREMENT_SECONDS = 86_400;

/** The ES256 keys of the access tokens: private halves sealed in the database, one signs, all verify. */
@Injectable()
export class SigningKeyService implements OnModuleInit, OnApplicationShutdown {
  private readonly sealer: Sealer;
  private keys = new Map<string, SigningKey>();
  private newestFirst: readonly SigningKey[] = [];
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
      'For how long the key that signs access tokens has been signing.',
      () => (performance.now() - this.current.signsFrom) / 1_000,
    );
  }

  async onModuleInit(): Promise<void> {
    await this.database.transaction(async () => {
      if (!(await this.stored.holdFirst())) await this.insertKey(0);
    });
    await this.reload();
    this.timer = setInterval(() => void this.reload().catch(() => undefined), RELOAD_MS);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** The newest key whose time to sign has come. */
  get current(): SigningKey {
    const now = performance.now();
    for (const key of this.newestFirst) if (key.signsFrom <= now) return key;
    throw new Error('There is no signing key.');
  }

  /** The key of this id in our own set; looks once more, at most once a second, for one that another replica has just made. */
  async find(kid: string): Promise<SigningKey | null> {
    const known = this.keys.get(kid);
    if (known) return known;
    if (Date.now() - this.loadedAt > 1_000) await this.reload();
    return this.keys.get(kid) ?? null;
  }

  /** The public halves, as RFC 7517 publishes them. */
  get jwks(): { keys: JsonWebKey[] } {
    return {
      keys: [...this.keys.values()].map(({ kid, publicJwk }) => ({
        ...publicJwk,
        kid,
        use: 'sig',
        alg: 'ES256',
      })),
    };
  }

  /** Adds a key that signs after `leadSeconds`. Answers its id. */
  async rotate(leadSeconds: number = PUBLICATION_LEAD_SECONDS): Promise<string> {
    const kid = await this.insertKey(leadSeconds);
    await this.reload();
    return kid;
  }

  /** Drops the keys whose tokens are long gone. */
  @Cleanup()
  async retire(): Promise<void> {
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
      const fresh = (): SigningKey => ({
        kid,
        publicJwk,
        publicKey: createPublicKey({ key: publicJwk, format: 'jwk' }),
        privateKey: createPrivateKey(this.sealer.open(sealedPrivateKey)),
        signsFrom,
      });
      return [kid, known ? { ...known, signsFrom } : fresh()];
    });
    this.keys = new Map(keys);
    this.newestFirst = [...this.keys.values()];
  }
}
