import type { Settings } from '../../config/index.js';

type RateSetting = Extract<keyof Settings, `RATE_${string}`>;

const declared = new Map<string, Bucket>();

/** Rate limit bucket. A module declares its own in a `*.limits.ts` file; the metrics list all. */
export class Bucket {
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

/**
 * Bucket per client network that refuses with 429, with or without an access token
 * (`@StrictLimit`), in addition to the general one. The API documentation lists all of them.
 */
export class StrictBucket extends Bucket {
  readonly refuses = true;
}

/** Bucket per client network whose service drops work and reveals nothing in the response. */
export class SilentBucket extends Bucket {
  readonly refuses = false;
}

/** @returns all buckets, by name */
export function allBuckets(): readonly Bucket[] {
  return [...declared.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** @returns the buckets that `@StrictLimit` may name, by name */
export function strictBuckets(): readonly StrictBucket[] {
  return allBuckets().filter((bucket) => bucket instanceof StrictBucket);
}
