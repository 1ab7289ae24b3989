import { createHmac, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Inject, Injectable } from '@nestjs/common';
import bcrypt from 'bcrypt';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { KeyDerivation, keyedHash } from '../../../platform/crypto/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { type Count, Metrics } from '../../../platform/observability/index.js';
import { FairQueue } from './fair-queue.js';

/** Scheme: v1$<pepper id>$<bcrypt of base64(HMAC-SHA-256(pepper, NFC(password)))>. 44 characters: clear of bcrypt's 72 bytes. */
const SCHEME = /^v1\$([0-9a-f]{8})\$(\$2[ab]\$(\d\d)\$.{22}).+$/;
const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const BASE64_ALPHABET = `${LETTERS_AND_DIGITS}+/`;
const BCRYPT_ALPHABET = `./${LETTERS_AND_DIGITS}`;
/** bcrypt runs on libuv's threads, which files and name lookups need as well: with all of them hashing, a file waits for seconds. */
const UV_THREADS = Number(process.env['UV_THREADPOOL_SIZE']) || 4;
const MIN_FREE_UV_THREADS = 2;
/** Requests that may wait for a free core; more would wait longer than a person does. */
const MAX_WAITING = 64;
const MAX_WAIT_MS = 5_000;

/**
 * Hashes passwords with as many hashes at once as there are cores and threads for it; past a bounded queue the answer is 503. Callers name the
 * network that the request came from, as {@link networkOf} does, and get their turns fairly by it: see {@link FairQueue}.
 */
@Injectable()
export class PasswordHasher {
  private readonly queue: FairQueue;
  private readonly refusals: Count;
  /** Of a password that nobody has: what is compared with it is hashed like every other, by its parameters and salt. */
  private readonly dummy: string;

  constructor(
    private readonly keys: KeyDerivation,
    @Inject(SETTINGS) private readonly settings: Settings,
    metrics: Metrics,
  ) {
    const slots = Math.max(1, Math.min(availableParallelism(), UV_THREADS - MIN_FREE_UV_THREADS));
    const bounds = { slots, places: MAX_WAITING, maxWaitMs: MAX_WAIT_MS };
    const queue = new FairQueue(bounds, () => this.createRefusal());
    this.queue = queue;
    metrics.gauge('gatehouse_hashing_waiting', 'Passwords that wait to be hashed.', () => queue.waiting);
    metrics.gauge('gatehouse_hashing_running', 'Passwords that are being hashed.', () => queue.running);
    metrics.gauge('gatehouse_hashing_slots', 'Passwords that can be hashed at once.', () => slots);
    this.refusals = metrics.counter({
      name: 'gatehouse_hashing_refusals_total',
      help: 'Passwords that were not hashed, as too many others waited (503).',
      labels: {},
    });
    this.dummy = `v1$${keys.subkeys('password-pepper')[0].id}$${bcrypt.genSaltSync(settings.BCRYPT_COST)}.`;
  }

  /**
   * A new stored form of the password.
   * @param network where the request came from; a job gives a name of its own
   * @param like a stored form whose salt and parameters to share, so that {@link verify} can look at both for the price of one
   */
  async hash(password: string, network: string, like: string | null = null): Promise<string> {
    return this.hashLike(password, network, like) ?? this.hashWithNewSalt(password, network);
  }

  /**
   * A new stored form of a password that somebody registers an address with. All of one address share a salt, those that are
   * registered at the same moment too, so that equal passwords can be told by their stored forms.
   * @param like a stored form of the address that exists already, whose salt comes first
   */
  async hashForAddress(
    password: string,
    network: string,
    emailKey: string,
    like: string | null,
  ): Promise<string> {
    return this.hashLike(password, network, like) ?? this.hash(password, network, this.saltModelOf(emailKey));
  }

  /**
   * Which of the stored forms the password fits. Costs exactly one hash, also where there is nothing to compare with (`null`): those
   * after the first can fit only if they were made like it.
   */
  async verify(password: string, network: string, ...stored: readonly (string | null)[]): Promise<boolean[]> {
    const model = stored.find((form) => form !== null) ?? this.dummy;
    const presented = Buffer.from(await this.hash(password, network, model));
    return stored.map((form) => {
      const bytes = Buffer.from(form ?? '');
      return bytes.length === presented.length && timingSafeEqual(bytes, presented);
    });
  }

  /** Whether the stored form predates the current pepper or cost. */
  isOutdated(stored: string): boolean {
    const parsed = SCHEME.exec(stored);
    return (
      parsed?.[1] !== this.keys.subkeys('password-pepper')[0].id ||
      Number(parsed[3]) !== this.settings.BCRYPT_COST
    );
  }

  /** Names the salt of an address: an HMAC of it, which nobody can know in advance without the root secret. */
  private saltModelOf(emailKey: string): string {
    const salt = toBcryptBase64(keyedHash(this.keys, 'password-salt', emailKey));
    const cost = String(this.settings.BCRYPT_COST).padStart(2, '0');
    return `v1$${this.keys.subkeys('password-pepper')[0].id}$$2b$${cost}$${salt}.`;
  }

  private hashWithNewSalt(password: string, network: string): Promise<string> {
    const [{ id, key }] = this.keys.subkeys('password-pepper');
    const input = peppered(password, key);
    const cost = this.settings.BCRYPT_COST;
    return this.queue.run(network, async () => `v1$${id}$${await bcrypt.hash(input, cost)}`);
  }

  /** Null where the model was made under a root secret that is no longer known. */
  private hashLike(password: string, network: string, model: string | null): Promise<string> | null {
    const [, id, salt] = SCHEME.exec(model ?? '') ?? [];
    const pepper = this.keys.subkeys('password-pepper').find((known) => known.id === id);
    if (!pepper || salt === undefined) return null;
    const input = peppered(password, pepper.key);
    return this.queue.run(network, async () => `v1$${pepper.id}$${await bcrypt.hash(input, salt)}`);
  }

  private createRefusal(): AppError {
    this.refusals.inc({});
    return new AppError('unavailable', {
      detail: 'Too many passwords are being checked right now.',
      retryAfterSeconds: 3,
    });
  }
}

/** As bcrypt writes its salts: base64 in another alphabet, without padding. */
function toBcryptBase64(bytes: Buffer): string {
  return bytes
    .toString('base64')
    .replace(/=+$/, '')
    .replace(/./g, (char) => BCRYPT_ALPHABET.charAt(BASE64_ALPHABET.indexOf(char)));
}

function peppered(password: string, key: Buffer): string {
  return createHmac('sha256', key).update(password.normalize('NFC')).digest('base64');
}
