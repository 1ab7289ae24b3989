import { monotonicFactory } from 'ulid';

/** A new ULID. Those of one process count on within a millisecond, so that what was made later sorts later. */
export const newId: () => string = monotonicFactory();
