/**
 * Order in which transactions lock rows, to avoid deadlocks (ARCHITECTURE.md). Listeners of
 * lifecycle events state it as their `order`.
 */
export const LOCK = { accounts: 1, tenants: 2, clients: 3, rows: 4, sessions: 5, grants: 6 } as const;
