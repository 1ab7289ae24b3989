/** What outlives a page: the session and the one token that renews it. Access tokens stay in the memory of their tab. */
export interface StoredSession {
  readonly sessionId: string;
  readonly refreshToken: string;
}

/**
 * Where the session is kept. Everything is called under a lock, so there is no need of one here; but what has been written must be what the
 * next `read` answers, in whichever tab.
 */
export interface TokenStorage {
  /** Tabs whose storages have this name share one session. Left out where no other tab sees the storage. */
  readonly name?: string;
  read(): Promise<StoredSession | null> | StoredSession | null;
  write(session: StoredSession | null): Promise<void> | void;
}

/** Kept until the page or the process ends, and seen by nobody else. Clients that are given the same one share the session. */
export function memoryStorage(): TokenStorage {
  let kept: StoredSession | null = null;
  return {
    read: () => kept,
    write: (session) => void (kept = session),
  };
}
