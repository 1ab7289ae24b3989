/** Injection token of the maximum wait for a connection of the pool, in milliseconds. */
export const ACQUIRE_TIMEOUT = Symbol('acquireTimeout');
