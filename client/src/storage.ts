/**
 * The session and its refresh token, which outlive a page. Access tokens stay in the memory of
 * their tab.
 */
export interface StoredSession {
  readonly sessionId: string;
  readonly refreshToken: string;
}

/**
 * Session and tenant of a tab: the session is null before it is known, the tenant if none is
 * selected.
 */
export interface TabContext {
  readonly sessionId: string | null;
  readonly tenantId: string | null;
}

/**
 * Storage of the session. The client calls it under a lock, so that it needs none. A `read` in any
 * tab must return what the last `write` stored.
 */
export interface TokenStorage {
  /**
   * Tabs whose storages have the same name share one session. Omitted if no other tab uses the
   * storage.
   */
  readonly name?: string;
  read(): Promise<StoredSession | null> | StoredSession | null;
  write(session: StoredSession | null): Promise<void> | void;
}

/**
 * Creates a storage in memory, until the page or process ends. Clients that use the same storage
 * share the session.
 * @param kept session at the start
 */
export function memoryStorage(kept: StoredSession | null = null): TokenStorage {
  return {
    read: () => kept,
    write: (session) => {
      kept = session;
    },
  };
}
