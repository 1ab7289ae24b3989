import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { type LifecycleEvents, newId } from '../../kernel/index.js';
import { Cleanup } from '../../platform/cleanup/index.js';
import { KeyDerivation, type PublishedKey, PublishesKeys, Sealer } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { ClientService } from '../../client/index.js';
import { IdTokenKeyRepository, type StoredIdTokenKey } from './id-token-key.repository.js';

/** Bits. NIST SP 800-57: sufficient beyond 2030. */
const MODULUS_LENGTH = 3_072;
/** Milliseconds for which the keys are not read again. */
const FRESH_MS = 5_000;
/** The same, while there is no key: another replica may be about to make the first one. */
const EMPTY_FRESH_MS = 1_000;
/** Seconds for which a key is published after its successor began to sign. */
const RETIREMENT_SECONDS = 86_400;
/** Seconds between publication and first use of a further key, as of the keys of access tokens. */
const PUBLICATION_LEAD_SECONDS = 600;

interface IdTokenKey {
  readonly kid: string;
  readonly published: PublishedKey;
  readonly privateKey: KeyObject;
  /** Milliseconds of `performance.now()`. */
  readonly signsFrom: number;
}

/**
 * Keys of ID tokens by RS256, which every client supports (OpenID Connect Core section 15.1). The
 * first one is made when a client that needs it is registered: it is published before a token is
 * signed, and a service without clients has none.
 */
@Injectable()
export class IdTokenKeys implements OnApplicationBootstrap {
  private readonly sealer: Sealer;
  private keys: readonly IdTokenKey[] = [];
  private loadedAt = -Infinity;

  constructor(
    private readonly database: Database,
    private readonly stored: IdTokenKeyRepository,
    private readonly clients: ClientService,
    derivation: KeyDerivation,
  ) {
    this.sealer = new Sealer(derivation, 'signing-key-encryption');
  }

  /**
   * Reads the keys, so that they are published whatever happens to the database later. Makes the
   * first one if a client was registered by a release that made none.
   */
  async onApplicationBootstrap(): Promise<void> {
    await this.refresh();
    if (this.keys.length === 0 && (await this.clients.hasClientOf('RS256'))) await this.createFirst();
  }

  /** Makes the first key in the transaction that registers the first client. */
  @OnLifecycle('client.registered')
  async prepare({ idTokenAlg }: LifecycleEvents['client.registered']): Promise<void> {
    if (idTokenAlg !== 'RS256') return;
    await this.refresh();
    if (this.keys.length === 0) await this.insertFirst();
  }

  /**
   * Public keys for the JWK Set: those that were read last, while the database does not answer.
   * Services verify tokens by them then, too.
   */
  @PublishesKeys()
  async publish(): Promise<PublishedKey[]> {
    await this.refresh().catch(() => undefined);
    return this.keys.map(({ published }) => published);
  }

  /** Returns the newest key that is due to sign; makes the first one if it is missing. */
  async getCurrent(): Promise<Pick<IdTokenKey, 'kid' | 'privateKey'>> {
    await this.refresh();
    return this.findDue() ?? this.createFirst();
  }

  /** Finds a key by id, of those that are published. */
  async find(kid: string): Promise<PublishedKey | null> {
    await this.refresh();
    return this.keys.find((key) => key.kid === kid)?.published ?? null;
  }

  /** Adds a key that begins to sign after `leadSeconds`, if there is one already. */
  async rotate(leadSeconds: number = PUBLICATION_LEAD_SECONDS): Promise<void> {
    if ((await this.stored.findAll()).length === 0) return;
    await this.stored.insert(await this.generate(leadSeconds));
    this.loadedAt = -Infinity;
  }

  /** Deletes keys whose tokens have all expired. */
  @Cleanup()
  async deleteRetiredKeys(): Promise<void> {
    await this.stored.deleteSucceeded(RETIREMENT_SECONDS);
  }

  private findDue(): IdTokenKey | undefined {
    const now = performance.now();
    return this.keys.find(({ signsFrom }) => signsFrom <= now);
  }

  /** Makes the first key, in one replica only. */
  private async createFirst(): Promise<IdTokenKey> {
    await this.insertFirst();
    await this.refresh();
    const due = this.findDue();
    if (!due) throw new Error('There is no key of ID tokens.');
    return due;
  }

  private async insertFirst(): Promise<void> {
    const key = await this.generate(0);
    await this.database.transaction(async () => {
      if (!(await this.stored.lockFirstForUpdate())) await this.stored.insert(key);
      this.database.afterCommit(() => (this.loadedAt = -Infinity));
    });
  }

  private async generate(dueIn: number): Promise<StoredIdTokenKey> {
    const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
      modulusLength: MODULUS_LENGTH,
    });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    const publicJwk = publicKey.export({ format: 'jwk' });
    return { kid: newId(), publicJwk, sealedPrivateKey: this.sealer.seal(pem), dueIn };
  }

  private async refresh(): Promise<void> {
    const fresh = this.keys.length === 0 ? EMPTY_FRESH_MS : FRESH_MS;
    const now = performance.now();
    if (now - this.loadedAt < fresh) return;
    this.loadedAt = now; // also if the database does not answer: it is not asked at each request
    const stored = await this.stored.findAll();
    this.keys = stored.map(({ kid, publicJwk: { kty = '', n = '', e = '' }, sealedPrivateKey, dueIn }) => ({
      kid,
      published: { kty, n, e, kid, use: 'sig', alg: 'RS256' },
      privateKey:
        this.keys.find((known) => known.kid === kid)?.privateKey ??
        createPrivateKey(this.sealer.open(sealedPrivateKey)),
      signsFrom: now + dueIn * 1_000,
    }));
  }
}
