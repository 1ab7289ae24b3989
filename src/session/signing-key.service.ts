import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  type webcrypto,
} from 'node:crypto';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { newId } from '../platform/http/index.js';
import { KeyDerivation, Sealer } from '../platform/crypto/index.js';
import { Database } from '../platform/database/index.js';
import { Metrics } from '../platform/observability/index.js';
import { Tidies } from '../platform/housekeeping/index.js';

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

/** Any fixed number: replicas that make the first key together agree on it. */
const FIRST_KEY_LOCK = 7_164_201_194;
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
      await this.database.rows('SELECT pg_advisory_xact_lock($1)', [FIRST_KEY_LOCK]);
      if (!(await this.database.row('SELECT 1 FROM signing_keys'))) await this.insertKey(0);
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
  @Tidies()
  async retire(): Promise<void> {
    await this.database.rows(
      `DELETE FROM signing_keys k WHERE EXISTS (
         SELECT 1 FROM signing_keys later WHERE later.signs_from > k.signs_from AND later.signs_from < now() - make_interval(secs => $1))`,
      [RETIREMENT_SECONDS],
    );
  }

  private async insertKey(leadSeconds: number): Promise<string> {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const kid = newId();
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    await this.database.rows(
      `INSERT INTO signing_keys (kid, public_jwk, sealed_private_key, signs_from) VALUES ($1, $2, $3, now() + make_interval(secs => $4))`,
      [kid, JSON.stringify(publicKey.export({ format: 'jwk' })), this.sealer.seal(pem), leadSeconds],
    );
    return kid;
  }

  private async reload(): Promise<void> {
    this.loadedAt = Date.now();
    const rows = await this.database.rows<{
      kid: string;
      public_jwk: JsonWebKey;
      sealed_private_key: string;
      due_in: number;
    }>(
      `SELECT kid, public_jwk, sealed_private_key, extract(epoch FROM signs_from - now())::float8 AS due_in
       FROM signing_keys ORDER BY signing_keys.signs_from DESC`,
    );
    const now = performance.now();
    const keys = rows.map((row): [string, SigningKey] => {
      const known = this.keys.get(row.kid);
      const fresh = (): SigningKey => ({
        kid: row.kid,
        publicJwk: row.public_jwk,
        publicKey: createPublicKey({ key: row.public_jwk, format: 'jwk' }),
        privateKey: createPrivateKey(this.sealer.open(row.sealed_private_key)),
        signsFrom: now + row.due_in * 1_000,
      });
      return [row.kid, known ? { ...known, signsFrom: now + row.due_in * 1_000 } : fresh()];
    });
    this.keys = new Map(keys);
    this.newestFirst = [...this.keys.values()];
  }
}
