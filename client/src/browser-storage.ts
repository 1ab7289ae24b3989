import type { StoredSession, TokenStorage } from './storage.js';

const SESSION_KEY = 'session';

/**
 * Creates a storage in IndexedDB, shared by all tabs of the origin, so that a reload or a new tab
 * is signed in. `localStorage` does not fit: its writes reach other tabs with a delay, and a tab
 * that refreshes with an old token is treated as reuse. As with any storage of the browser, scripts
 * in your pages can read it: allow only your own by a Content-Security-Policy.
 * @param name of the database; two apps on one origin with separate sessions need two names
 */
export function browserStorage(name = 'gatehouse'): TokenStorage {
  return {
    name,
    read: async () => parseSession(await runTransaction(name, 'readonly', (store) => store.get(SESSION_KEY))),
    write: async (session) => {
      await runTransaction(name, 'readwrite', (store) =>
        session ? store.put(session, SESSION_KEY) : store.delete(SESSION_KEY),
      );
    },
  };
}

/**
 * Opens the database for each use, which is once for each refresh: a connection that stays open can
 * be closed by the browser.
 */
async function runTransaction(
  name: string,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest,
): Promise<unknown> {
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(SESSION_KEY);
  const database = await awaitRequest(opening);
  try {
    // Strict durability, so that a crash cannot restore an old refresh token.
    const transaction = database.transaction(SESSION_KEY, mode, { durability: 'strict' });
    const request = work(transaction.objectStore(SESSION_KEY));
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () =>
        reject(transaction.error ?? new Error('The transaction of the browser storage was aborted.'));
    });
    return request.result;
  } finally {
    database.close();
  }
}

function awaitRequest<T>(request: IDBOpenDBRequest & { readonly result: T }): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser storage cannot be opened.'));
  });
}

/** Parses a stored session; null for anything else. */
function parseSession(found: unknown): StoredSession | null {
  const { sessionId, refreshToken } = (found ?? {}) as Partial<StoredSession>;
  return typeof sessionId === 'string' && typeof refreshToken === 'string'
    ? { sessionId, refreshToken }
    : null;
}
