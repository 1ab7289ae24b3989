import { randomFillSync } from 'node:crypto';
import { decodeTime, encodeTime, monotonicFactory } from 'ulid';

/** Pool of random bytes: without it, the library makes one system call per character of an id. */
const POOL = new Uint8Array(4_096);
let used = POOL.length;

/** @returns a random number from 0 to below 1, of which the library uses five bits */
function random(): number {
  if (used === POOL.length) {
    randomFillSync(POOL);
    used = 0;
  }
  return (POOL[used++] ?? 0) / 256;
}

/** Creates a ULID. ULIDs of one process are monotonic, so that they sort by time of creation. */
export const newId: () => string = monotonicFactory(random);

/** Characters of a ULID that are not its time. */
const RANDOM_LENGTH = 16;

/**
 * Returns the lowest id of a moment, to find by id what was created from then on.
 * @param time milliseconds since 1970; before that, the lowest id of all
 */
export const firstIdAt = (time: number): string => encodeTime(Math.max(0, time)) + '0'.repeat(RANDOM_LENGTH);

/** Returns the time at which an id was created, in milliseconds since 1970. */
export const timeOfId = (id: string): number => decodeTime(id);
