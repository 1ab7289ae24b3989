import type { StoredSession, TokenStorage } from './storage.js';

const SESSION = 'session';

/**
 * Kept in the browser and shared by all tabs of the origin, so that a reload or a new tab is signed in. It is IndexedDB and not
 * `localStorage`, whose writes reach other tabs some time later: a tab that refreshed with a token of long ago would look like a thief.
 * As with any storage of the browser, a script of a stranger in your pages can read it: forbid such by a Content-Security-Policy.
 * @param name of the database; two apps on one origin that are to have sessions of their own have two names
 */
export function browserStorage(name = 'gatehouse'): TokenStorage {
  return {
    name,
    read: async () => sessionOf(await run(name, 'readonly', (store) => store.get(SESSION))),
    write: async (session) => {
      await run(name, 'readwrite', (store) =>
        session ? store.put(session, SESSION) : store.delete(SESSION),
      );
    },
  };
}

/** Opened for each use: that is once for each refresh, and a connection that stays open is one more thing that can break. */
async function run(
  name: string,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest,
): Promise<unknown> {
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => void opening.result.createObjectStore(SESSION);
  const database = await resultOf(opening);
  try {
    // Strictly, so that a crash cannot bring an old refresh token back.
    const transaction = database.transaction(SESSION, mode, { durability: 'strict' });
    const request = work(transaction.objectStore(SESSION));
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error ?? new Error('The browser storage gave up.'));
    });
    return request.result;
  } finally {
    database.close();
  }
}

function resultOf<T>(request: IDBOpenDBRequest & { readonly result: T }): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser storage does not open.'));
  });
}

/** Whatever else is found there is nobody's session. */
function sessionOf(found: unknown): StoredSession | null {
  const { sessionId, refreshToken } = (found ?? {}) as Partial<StoredSession>;
  return typeof sessionId === 'string' && typeof refreshToken === 'string'
    ? { sessionId, refreshToken }
    : null;
}
