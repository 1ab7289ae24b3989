declare const LOCKED: unique symbol;

/**
 * Id of a row that the open transaction has locked, until it ends. Only methods that lock make one,
 * so that what needs the lock cannot be called without it.
 */
export type Locked<Id extends string> = Id & { readonly [LOCKED]: true };
