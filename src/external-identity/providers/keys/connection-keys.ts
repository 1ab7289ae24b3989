import { createPublicKey } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { newId } from '../../../kernel/index.js';
import { Cleanup } from '../../../platform/cleanup/index.js';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { KeyDerivation, type PublishedKey, Sealer } from '../../../platform/crypto/index.js';
import { Database } from '../../../platform/database/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { connectionOf } from '../saml/saml-connection.js';
import { generateCertifiedKey } from '../saml/saml-certificate.js';
import type { KeyKind } from './connection-key.entity.js';
import {
  ConnectionKeyRepository,
  type ListedConnectionKey,
  type SealedConnectionKey,
} from './connection-key.repository.js';

/** Milliseconds for which the keys are not read again. */
const FRESH_MS = 5_000;
const DAY_SECONDS = 86_400;
/**
 * Days between publication and first use of a new key, so that administrators who import
 * certificates by hand can do so.
 */
const PUBLICATION_LEAD_DAYS = 30;
/**
 * Days for which a key decrypts after its successor began to sign: providers whose administrators
 * have not imported the new certificate still encrypt to it.
 */
const RETIREMENT_DAYS = 30;

/** `published` does not sign yet; `retired` only decrypts, and is verified by. */
type KeyStatus = 'published' | 'signing' | 'retired';

/** A key of this service at identity providers. */
export interface ConnectionKey {
  readonly kid: string;
  /** In PEM. */
  readonly privateKey: string;
  /** In PEM; empty for OpenID Connect. */
  readonly certificate: string;
  readonly status: KeyStatus;
}

/** A key as operators see it. */
interface ListedKey extends Omit<ListedConnectionKey, 'due'> {
  readonly status: KeyStatus;
}

interface LoadedKey extends Omit<ConnectionKey, 'status'> {
  /** Milliseconds of `performance.now()`. */
  readonly signsFrom: number;
}

interface LoadedKeys {
  /** The newest first. */
  readonly keys: readonly LoadedKey[];
  readonly loadedAt: number;
}

const EMPTY: LoadedKeys = { keys: [], loadedAt: -Infinity };

/**
 * Manages the RSA keys of this service at identity providers, for the deployment's own and those of
 * organizations. By SAML one signs requests (SAML-16), and all decrypt assertions; by OpenID
 * Connect one signs token requests (`private_key_jwt`, OpenID Connect Core section 9). The first
 * key of a kind is made when a provider needs it. Private keys are sealed in the database.
 */
@Injectable()
export class ConnectionKeys implements OnModuleInit {
  private readonly sealers: Readonly<Record<KeyKind, Sealer>>;
  private readonly loaded: Record<KeyKind, LoadedKeys> = { saml: EMPTY, oidc: EMPTY };
  private readonly isSamlConfigured: boolean;

  constructor(
    private readonly database: Database,
    private readonly stored: ConnectionKeyRepository,
    derivation: KeyDerivation,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.sealers = {
      saml: new Sealer(derivation, 'saml-key-encryption'),
      oidc: new Sealer(derivation, 'oidc-key-encryption'),
    };
    this.isSamlConfigured = connectionOf(settings) !== null;
  }

  async onModuleInit(): Promise<void> {
    if (this.isSamlConfigured) await this.getCurrent('saml');
  }

  /** Returns the newest key that is due to sign. Makes the first one if no replica has. */
  async getCurrent(kind: KeyKind): Promise<ConnectionKey> {
    const [current] = await this.getAll(kind);
    if (current?.status !== 'signing') throw new Error('There is no key that signs.');
    return current;
  }

  /**
   * Returns all keys: the one that signs first, because many providers take the first one of a set,
   * then those that are published for later, then the retired ones. Makes the first one if no
   * replica has.
   */
  async getAll(kind: KeyKind): Promise<readonly ConnectionKey[]> {
    const found = await this.refresh(kind);
    const keys = found.length > 0 ? found : await this.createFirst(kind);
    const now = performance.now();
    const current = keys.find(({ signsFrom }) => signsFrom <= now);
    const withStatus = keys.map((key): ConnectionKey => {
      const status = key === current ? 'signing' : key.signsFrom > now ? 'published' : 'retired';
      return { kid: key.kid, privateKey: key.privateKey, certificate: key.certificate, status };
    });
    return withStatus.toSorted((one, other) => rankOf(one) - rankOf(other));
  }

  /** Returns the public keys of token requests for the JWK Set that providers read. */
  async publish(): Promise<PublishedKey[]> {
    const keys = await this.getAll('oidc');
    return keys.map(({ kid, privateKey }) => {
      const { kty = '', n = '', e = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
      return { kty, n, e, kid, use: 'sig', alg: 'RS256' };
    });
  }

  /** Lists the keys, the newest first. */
  async list(): Promise<ListedKey[]> {
    const keys = await this.stored.list();
    return keys.map(({ due, ...key }) => {
      const isCurrent = key.kid === keys.find((other) => other.due && other.kind === key.kind)?.kid;
      return { ...key, status: isCurrent ? 'signing' : due ? 'retired' : 'published' };
    });
  }

  /**
   * Adds a key that begins to sign after `leadDays`.
   * @throws {AppError} conflict if no provider needs a key of this kind yet, or one is published
   *   already
   */
  async rotate(
    kind: KeyKind,
    leadDays: number = PUBLICATION_LEAD_DAYS,
  ): Promise<{ readonly kid: string; readonly signsFrom: Date }> {
    const key = await this.generate(kind);
    const signsFrom = await this.database.transaction(async () => {
      await this.stored.lockForUpdate(kind);
      const keys = await this.stored.findAll(kind);
      if (keys.length === 0)
        throw new AppError('conflict', { detail: `No provider needs a key of the kind ${kind} yet.` });
      const waiting = keys.find(({ dueIn }) => dueIn > 0);
      if (waiting)
        throw new AppError('conflict', {
          detail: `The key ${waiting.kid} is published already. Wait until it signs, or remove it.`,
        });
      return this.stored.insert(key, leadDays * DAY_SECONDS);
    });
    return { kid: key.kid, signsFrom };
  }

  /**
   * Removes a key that does not sign: one that was published but is not needed, or a retired one at
   * once.
   * @throws {AppError} not-found; conflict for the key that signs
   */
  async remove(kid: string): Promise<void> {
    const kind = (await this.stored.list()).find((key) => key.kid === kid)?.kind;
    if (kind === undefined) throw new AppError('not-found');
    await this.database.transaction(async () => {
      await this.stored.lockForUpdate(kind);
      const signing = (await this.stored.findAll(kind)).find(({ dueIn }) => dueIn <= 0);
      if (signing?.kid === kid)
        throw new AppError('conflict', {
          detail: 'This key signs. Add another one, and wait until it does.',
        });
      await this.stored.delete(kid);
    });
  }

  /** Deletes keys that were retired long enough. */
  @Cleanup()
  async deleteRetiredKeys(): Promise<void> {
    await this.stored.deleteSucceeded(RETIREMENT_DAYS * DAY_SECONDS);
  }

  /** Makes the first key, in one replica only. */
  private async createFirst(kind: KeyKind): Promise<readonly LoadedKey[]> {
    const key = await this.generate(kind);
    await this.database.transaction(async () => {
      await this.stored.lockForUpdate(kind);
      if ((await this.stored.findAll(kind)).length > 0) return;
      await this.stored.insert(key, 0);
    });
    this.loaded[kind] = EMPTY;
    return this.refresh(kind);
  }

  private async generate(kind: KeyKind): Promise<SealedConnectionKey> {
    const { privateKey, certificate } = await generateCertifiedKey();
    const sealedPrivateKey = this.sealers[kind].seal(privateKey);
    return { kid: newId(), kind, certificate: kind === 'saml' ? certificate : null, sealedPrivateKey };
  }

  /**
   * Reads the keys again every {@link FRESH_MS}, so that each replica follows a rollover. Uses
   * those that were read last while the database does not answer.
   */
  private async refresh(kind: KeyKind): Promise<readonly LoadedKey[]> {
    const before = this.loaded[kind];
    const now = performance.now();
    if (now - before.loadedAt < FRESH_MS) return before.keys;
    // Of concurrent requests one reads; the others use the keys that are known.
    if (before.keys.length > 0) this.loaded[kind] = { ...before, loadedAt: now };
    try {
      const stored = await this.stored.findAll(kind);
      const keys: LoadedKey[] = [];
      for (const { dueIn, ...key } of stored) {
        const known = before.keys.find(({ kid }) => kid === key.kid);
        const privateKey = known?.privateKey ?? (await this.open(key));
        const { kid, certificate } = key;
        keys.push({ kid, certificate: certificate ?? '', privateKey, signsFrom: now + dueIn * 1_000 });
      }
      this.loaded[kind] = { keys, loadedAt: keys.length === 0 ? -Infinity : now };
      return keys;
    } catch (error) {
      if (before.keys.length === 0) throw error;
      return before.keys;
    }
  }

  /** Seals the key again with the current root secret, so that the previous one can be removed. */
  private async open({ kid, kind, sealedPrivateKey }: SealedConnectionKey): Promise<string> {
    const privateKey = this.sealers[kind].open(sealedPrivateKey);
    await this.stored.reseal(kid, this.sealers[kind].seal(privateKey));
    return privateKey;
  }
}

function rankOf({ status }: ConnectionKey): number {
  return ['signing', 'published', 'retired'].indexOf(status);
}
