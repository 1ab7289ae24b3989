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

/** Milliseconds by which the clock may be set back while ULIDs stay monotonic. */
const MAX_SETBACK_MS = 1_000;

let create = monotonicFactory(random);
let latest = 0;

/**
 * Creates a ULID. ULIDs of one process are monotonic, so that they sort by time of creation. If the
 * clock is set back by more than {@link MAX_SETBACK_MS}, they follow it: a clock that was wrong for
 * a moment would otherwise put all further ones in the future.
 */
export function newId(): string {
  const now = Date.now();
  if (now < latest - MAX_SETBACK_MS) {
    create = monotonicFactory(random);
    latest = now;
  }
  latest = Math.max(latest, now);
  return create(now);
}

/** Characters of a ULID that are not its time. */
const RANDOM_LENGTH = 16;

/**
 * Returns the lowest id of a moment, to find by id what was created from then on.
 * @param time milliseconds since 1970; before that, the lowest id of all
 */
export const firstIdAt = (time: number): string => encodeTime(Math.max(0, time)) + '0'.repeat(RANDOM_LENGTH);

/** Returns the time at which an id was created, in milliseconds since 1970. */
export const timeOfId = (id: string): number => decodeTime(id);
