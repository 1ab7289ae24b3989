import { randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';

/** Bytes of randomness fetched at once: left to itself, the library asks the system for every character of an id. */
const POOL = new Uint8Array(4_096);
let used = POOL.length;

/** A number from 0 up to 1, of which the library takes five bits. */
function random(): number {
  if (used === POOL.length) {
    randomFillSync(POOL);
    used = 0;
  }
  return (POOL[used++] ?? 0) / 256;
}

/** A new ULID. Those of one process count on within a millisecond, so that what was made later sorts later. */
export const newId: () => string = monotonicFactory(random);
