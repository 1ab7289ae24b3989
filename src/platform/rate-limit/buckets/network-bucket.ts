import type { Settings } from '../../config/index.js';

type RateSetting = Extract<keyof Settings, `RATE_${string}`>;

const declared = new Map<string, NetworkBucket>();

/**
 * Rate limit bucket per client network, in addition to the general one. A module declares those of
 * its routes in a `*.limits.ts` file; the API documentation and the metrics list all of them.
 */
abstract class NetworkBucket {
  /**
   * @param name in keys, metrics and documentation; never change it
   * @param setting setting with the size, in requests per minute
   * @throws if the name is declared twice
   */
  constructor(
    readonly name: string,
    private readonly setting: RateSetting,
  ) {
    if (declared.has(name)) throw new Error(`The rate limit bucket ${name} is declared twice.`);
    declared.set(name, this);
  }

  /** @returns the size in requests per minute; null if the limit is off */
  sizeIn(settings: Settings): number | null {
    return settings[this.setting];
  }
}

/** Bucket that refuses with 429, with or without an access token (`@StrictLimit`). */
export class StrictBucket extends NetworkBucket {
  readonly refuses = true;
}

/** Bucket that drops work and reveals nothing in the response ({@link SilentLimit}). */
export class SilentBucket extends NetworkBucket {
  readonly refuses = false;
}

/** @returns all buckets, by name */
export function networkBuckets(): readonly NetworkBucket[] {
  return [...declared.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** @returns the buckets that `@StrictLimit` may name, by name */
export function strictBuckets(): readonly StrictBucket[] {
  return networkBuckets().filter((bucket) => bucket instanceof StrictBucket);
}
