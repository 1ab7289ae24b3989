import { createHmac, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Inject, Injectable } from '@nestjs/common';
import bcrypt from 'bcrypt';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { KeyDerivation, keyedHash } from '../../../platform/crypto/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { type Count, Metrics } from '../../../platform/observability/index.js';
import { FairQueue } from './fair-queue.js';

/**
 * Stored form: `v1$<pepper id>$<bcrypt of base64(HMAC-SHA-256(pepper, NFC(password)))>`. The input
 * of bcrypt has 44 characters, below its limit of 72 bytes.
 */
const SCHEME = /^v1\$([0-9a-f]{8})\$(\$2[ab]\$(\d\d)\$.{22}).+$/;
const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const BASE64_ALPHABET = `${LETTERS_AND_DIGITS}+/`;
const BCRYPT_ALPHABET = `./${LETTERS_AND_DIGITS}`;
/**
 * bcrypt runs on libuv's thread pool, which files and name lookups use as well. If all threads
 * hash, reading a file takes seconds.
 */
const UV_THREADS = Number(process.env['UV_THREADPOOL_SIZE']) || 4;
const MIN_FREE_UV_THREADS = 2;
/** Maximum number of requests that wait for a core; more would wait longer than people do. */
const MAX_WAITING = 64;
const MAX_WAIT_MS = 5_000;

/**
 * Hashes passwords (PW-3), at most as many at once as this process has cores and threads for.
 * Others wait in a bounded queue, beyond which requests are refused with 503. Callers pass the
 * network of the request, as returned by `networkOf`, by which the queue is fair: see
 * {@link FairQueue}.
 */
@Injectable()
export class PasswordHasher {
  private readonly queue: FairQueue;
  private readonly refusals: Count;
  /** Stored form that no password fits. Comparing with it costs one hash, as with a real one. */
  private readonly dummy: string;

  constructor(
    private readonly keys: KeyDerivation,
    @Inject(SETTINGS) private readonly settings: Settings,
    metrics: Metrics,
  ) {
    const cores = Math.ceil(availableParallelism() / settings.WORKERS);
    const slots = Math.max(1, Math.min(cores, UV_THREADS - MIN_FREE_UV_THREADS));
    const bounds = { slots, places: MAX_WAITING, maxWaitMs: MAX_WAIT_MS };
    const queue = new FairQueue(bounds, () => this.createRefusal());
    this.queue = queue;
    metrics.gauge('gatehouse_hashing_waiting', 'Passwords that wait to be hashed.', () => queue.waiting);
    metrics.gauge('gatehouse_hashing_running', 'Passwords that are being hashed.', () => queue.running);
    metrics.gauge('gatehouse_hashing_slots', 'Passwords that can be hashed at once.', () => slots);
    this.refusals = metrics.counter({
      name: 'gatehouse_hashing_refusals_total',
      help: 'Requests refused with 503 because too many passwords waited to be hashed.',
      labels: {},
    });
    this.dummy = `v1$${keys.subkeys('password-pepper')[0].id}$${bcrypt.genSaltSync(settings.BCRYPT_COST)}.`;
  }

  /**
   * Hashes a password.
   * @param network network of the request; a job passes its own name
   * @param like stored form whose salt and parameters to share, so that {@link verify} compares
   *   with both by one hash
   * @returns the stored form
   * @throws {AppError} unavailable if too many passwords wait
   */
  async hash(password: string, network: string, like: string | null = null): Promise<string> {
    return this.hashLike(password, network, like) ?? this.hashWithNewSalt(password, network);
  }

  /**
   * Hashes the password of a registration. All registrations of an address share a salt, concurrent
   * ones too, so that equal passwords have equal stored forms (ADR 2).
   * @param like stored form of the address that exists already, whose salt is preferred
   * @returns the stored form
   * @throws {AppError} unavailable if too many passwords wait
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
   * Compares a password with stored forms. Costs exactly one hash, also if all of them are null, so
   * that the duration does not tell whether an account exists. The forms after the first can fit
   * only if they share its salt and parameters.
   * @param network network of the request
   * @param stored stored forms; null for none
   * @returns for each form whether the password fits it
   * @throws {AppError} unavailable if too many passwords wait
   */
  async verify(password: string, network: string, ...stored: readonly (string | null)[]): Promise<boolean[]> {
    const model = stored.find((form) => form !== null) ?? this.dummy;
    const presented = Buffer.from(await this.hash(password, network, model));
    return stored.map((form) => {
      const bytes = Buffer.from(form ?? '');
      return bytes.length === presented.length && timingSafeEqual(bytes, presented);
    });
  }

  /**
   * Runs another computation of a password in its turn, so that no more run at once than there are
   * cores and threads for it.
   * @param network network of the request
   * @throws {AppError} unavailable if too many passwords wait
   */
  run<T>(network: string, job: () => Promise<T>): Promise<T> {
    return this.queue.run(network, job);
  }

  /** Returns whether the stored form is missing, or made with an earlier pepper or another cost. */
  isOutdated(stored: string | null): boolean {
    const parsed = SCHEME.exec(stored ?? '');
    return (
      parsed?.[1] !== this.keys.subkeys('password-pepper')[0].id ||
      Number(parsed[3]) !== this.settings.BCRYPT_COST
    );
  }

  /** Derives the salt of an address: its HMAC, unpredictable without the root secret. */
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

  /** @returns null without a model, or if its root secret is no longer known */
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
      detail: 'Too many passwords are being checked right now. Try again in a few seconds.',
      retryAfterSeconds: 3,
    });
  }
}

/** Encodes bytes as bcrypt does in salts: base64 in another alphabet, without padding. */
function toBcryptBase64(bytes: Buffer): string {
  return bytes
    .toString('base64')
    .replace(/=+$/, '')
    .replace(/./g, (char) => BCRYPT_ALPHABET.charAt(BASE64_ALPHABET.indexOf(char)));
}

function peppered(password: string, key: Buffer): string {
  return createHmac('sha256', key).update(password.normalize('NFC')).digest('base64');
}
