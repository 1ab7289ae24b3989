/**
 * Order in which transactions lock rows, to avoid deadlocks (ARCHITECTURE.md). Listeners of
 * lifecycle events state it as their `order`.
 */
export const LOCK = { accounts: 1, tenants: 2, clients: 3, rows: 4, sessions: 5, grants: 6 } as const;

declare const LOCKED: unique symbol;

/**
 * Id of a row that the open transaction has locked, until it ends. Only methods that lock or insert
 * the row make one, so that what needs the lock cannot be called without it. No other transaction
 * sees an inserted row (ADR 71).
 */
export type Locked<Id extends string> = Id & { readonly [LOCKED]: true };
