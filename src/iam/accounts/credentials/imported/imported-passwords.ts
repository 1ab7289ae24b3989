import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { KeyDerivation, Sealer } from '../../../../platform/crypto/index.js';
import { describeCause } from '../../../../platform/errors/index.js';
import { PasswordHasher } from '../password-hasher.js';
import { type ForeignHash, readForeignHash } from './foreign-hash.js';
import { findScheme, type HashScheme } from './hash-scheme.js';
import { StoredSchemeRepository } from './stored-scheme.repository.js';

/** Stored form: `f1$<name of the scheme>$<sealed hash of the other system>`. */
const STORED = /^f1\$([\w.]+)\$(.+)$/;
const RELOAD_INTERVAL_MS = 30_000;

/** Maximum number of schemes in the database, which are listed every {@link RELOAD_INTERVAL_MS}. */
const MAX_SCHEMES = 1_000;
/** Maximum time of the hashes that each sign-in computes. */
const MAX_MILLISECONDS = 4_000;

/**
 * Passwords whose hash another system has made, until the first sign-in replaces it. As long as
 * there is one, each verification of any address does the same work, so that its duration tells
 * neither whether an account exists nor where its hash comes from: one hash of each scheme that is
 * stored, and of schemes that differ in their rounds only, as many rounds as the most of them has.
 */
@Injectable()
export class ImportedPasswords implements OnModuleInit, OnApplicationShutdown {
  private readonly sealer: Sealer;
  private schemes: readonly string[] = [];
  private readonly logger = new Logger('ImportedPasswords');
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly stored: StoredSchemeRepository,
    private readonly hasher: PasswordHasher,
    keys: KeyDerivation,
  ) {
    this.sealer = new Sealer(keys, 'imported-password');
  }

  async onModuleInit(): Promise<void> {
    await this.reload();
    this.timer = setInterval(() => {
      this.reload().catch((error: unknown) => {
        this.logger.warn(
          { cause: describeCause(error) },
          'The schemes of imported passwords were not read again.',
        );
      });
    }, RELOAD_INTERVAL_MS);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Reads from the database which schemes are stored. */
  async reload(): Promise<readonly string[]> {
    this.schemes = await this.stored.listSchemes(MAX_SCHEMES);
    return this.schemes;
  }

  /** Returns whether the stored form of a password is a hash of another system. */
  isImported(stored: string | null): stored is string {
    return stored !== null && STORED.test(stored);
  }

  /** Returns the stored form of a hash of another system. */
  store(hash: string, { scheme }: ForeignHash): string {
    return `f1$${scheme.name}$${this.sealer.seal(hash)}`;
  }

  /**
   * Returns a stored form as another system can read it: the hash that was imported, unsealed, and
   * every other form as it is.
   * @returns null for a hash that a former root secret has sealed
   */
  readable(stored: string | null): string | null {
    const [, , sealed] = STORED.exec(stored ?? '') ?? [];
    if (sealed === undefined) return stored;
    try {
      return this.sealer.open(sealed);
    } catch {
      return null;
    }
  }

  /** Returns whether sign-ins can compute the hashes of these schemes one after the other. */
  canCompute(names: readonly string[]): boolean {
    const costs = groupsOf(names).map((group) => Math.max(...group.map(({ milliseconds }) => milliseconds)));
    return names.length <= MAX_SCHEMES && costs.reduce((sum, one) => sum + one, 0) <= MAX_MILLISECONDS;
  }

  /**
   * Compares a password with a stored form. Computes the same hashes for every stored form, and for
   * none.
   * @param network network of the request
   * @returns whether it fits a hash of another system
   * @throws {AppError} unavailable if too many passwords wait to be hashed
   */
  async verify(password: string, network: string, stored: string | null): Promise<boolean> {
    const [, ownName = null, sealed = ''] = STORED.exec(stored ?? '') ?? [];
    const isKnown = ownName === null || this.schemes.includes(ownName);
    const names = isKnown ? this.schemes : [...this.schemes, ownName];
    if (names.length === 0) return false;
    const own = ownName === null ? null : this.open(sealed);
    return this.hasher.run(network, async () => {
      let fits = false;
      for (const group of groupsOf(names)) {
        const [first] = group;
        const scheme = group.find(({ name }) => own?.scheme.name === name) ?? first;
        if (!scheme) continue;
        const hash = own?.scheme.name === scheme.name ? own : null;
        const derived = await scheme.derive(password, hash?.salt ?? scheme.decoySalt);
        if (hash?.fits(derived) === true) fits = true;
        const rest = remainingRounds(scheme, group);
        if (rest > 0) await scheme.derive(password, scheme.decoySalt, rest);
      }
      return fits;
    });
  }

  /** Returns null for a hash that a former root secret has sealed: no password fits it. */
  private open(sealed: string): ForeignHash | null {
    try {
      return readForeignHash(this.sealer.open(sealed));
    } catch {
      return null;
    }
  }
}

/** Groups schemes that differ in their rounds only; every other one is by itself. */
function groupsOf(names: readonly string[]): readonly (readonly HashScheme[])[] {
  const groups = new Map<string, HashScheme[]>();
  for (const name of names) {
    const scheme = findScheme(name);
    if (!scheme) continue;
    const key = scheme.series?.name ?? scheme.name;
    groups.set(key, [...(groups.get(key) ?? []), scheme]);
  }
  return [...groups.values()];
}

/** Rounds that are left to those of the most costly scheme, one at least; 0 in a group of one. */
function remainingRounds({ series }: HashScheme, group: readonly HashScheme[]): number {
  if (series === null || group.length === 1) return 0;
  return Math.max(...group.map((one) => one.series?.rounds ?? 0)) - series.rounds + 1;
}
