import bearer from './bearer.mjs';

/** Every case by its name, in the order of the table. A case takes a {@link Bench} and answers rows. */
export const CASES = { bearer };
