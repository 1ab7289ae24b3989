declare const LOCKED: unique symbol;

/**
 * Id of a row that the open transaction has locked, until it ends. Only methods that lock or insert
 * the row make one, so that what needs the lock cannot be called without it. No other transaction
 * sees an inserted row (ADR 71).
 */
export type Locked<Id extends string> = Id & { readonly [LOCKED]: true };
