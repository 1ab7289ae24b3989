import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { type LifecycleEvents, newId } from '../../kernel/index.js';
import { Cleanup } from '../../platform/cleanup/index.js';
import { KeyDerivation, type PublishedKey, PublishesKeys, Sealer } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { ClientService } from '../../client/index.js';
import { RsaKeyRepository, type StoredKeyPair } from './key-pair.repository.js';
import type { SigningKey } from './signing-key.service.js';

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

interface RsaKey extends Omit<SigningKey, 'publicJwk'> {
  readonly published: PublishedKey;
}

/**
 * Keys of RS256: of ID tokens, because every client supports it (OpenID Connect Core section 15.1),
 * and of access tokens where a client or an API asks for it. The first key is made when a client
 * that needs it is registered: it is published before a token is signed, and a service without
 * clients has none.
 */
@Injectable()
export class RsaKeys implements OnApplicationBootstrap {
  private readonly sealer: Sealer;
  private keys: readonly RsaKey[] = [];
  private loadedAt = -Infinity;

  constructor(
    private readonly database: Database,
    private readonly stored: RsaKeyRepository,
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
    if (this.keys.length === 0 && (await this.clients.needsRsa())) await this.createFirst();
  }

  /** Makes the first key in the transaction that registers the first client. */
  @OnLifecycle('client.registered')
  async prepare({ algs }: LifecycleEvents['client.registered']): Promise<void> {
    if (!algs.includes('RS256')) return;
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
  async getCurrent(): Promise<Pick<RsaKey, 'kid' | 'privateKey'>> {
    await this.refresh();
    return this.findDue() ?? this.createFirst();
  }

  /** Finds a public key by id, of those that are published. */
  async find(kid: string): Promise<KeyObject | null> {
    const findRead = () => this.keys.find((key) => key.kid === kid)?.publicKey ?? null;
    try {
      await this.refresh();
    } catch (error) {
      if (!findRead()) throw error; // a known key verifies while the database does not answer
    }
    return findRead();
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

  private findDue(): RsaKey | undefined {
    const now = performance.now();
    return this.keys.find(({ signsFrom }) => signsFrom <= now);
  }

  /** Makes the first key, in one replica only. */
  private async createFirst(): Promise<RsaKey> {
    await this.insertFirst();
    await this.refresh();
    const due = this.findDue();
    if (!due) throw new Error('There is no key of RS256.');
    return due;
  }

  private async insertFirst(): Promise<void> {
    const key = await this.generate(0);
    await this.database.transaction(async () => {
      if (!(await this.stored.lockFirstForUpdate())) await this.stored.insert(key);
      this.database.afterCommit(() => (this.loadedAt = -Infinity));
    });
  }

  private async generate(dueIn: number): Promise<StoredKeyPair> {
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
    this.keys = stored.map(({ kid, publicJwk, sealedPrivateKey, dueIn }) => {
      const signsFrom = now + dueIn * 1_000;
      const known = this.keys.find((key) => key.kid === kid);
      if (known) return { ...known, signsFrom };
      const { kty = '', n = '', e = '' } = publicJwk;
      return {
        kid,
        published: { kty, n, e, kid, use: 'sig', alg: 'RS256' },
        publicKey: createPublicKey({ key: publicJwk, format: 'jwk' }),
        privateKey: createPrivateKey(this.sealer.open(sealedPrivateKey)),
        signsFrom,
      };
    });
  }
}
