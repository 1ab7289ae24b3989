import type { components } from '../generated/openapi.js';

/** What a device keeps of its station: no person, no token. */
export type RegisteredStation = components['schemas']['RegisteredStationResponse'] & {
  readonly keys: CryptoKeyPair;
};

/** Where a device keeps its station. */
export interface StationStore {
  read(): Promise<RegisteredStation | null>;
  write(station: RegisteredStation | null): Promise<void>;
}

const DATABASE = 'gatehouse-station';
const STORE = 'station';
/** Key of the only entry: a device is one station. */
const ENTRY = 'this';

/** Keeps the station in IndexedDB, which stores a key without its bytes being readable. */
export function indexedDbStore(): StationStore {
  return {
    read: async () => {
      const found = await withStore<RegisteredStation | undefined>('readonly', (store) => store.get(ENTRY));
      return found ?? null;
    },
    write: async (station) => {
      if (station === null) await withStore<undefined>('readwrite', (store) => store.delete(ENTRY));
      else await withStore<IDBValidKey>('readwrite', (store) => store.put(station, ENTRY));
    },
  };
}

async function withStore<T>(
  mode: IDBTransactionMode,
  use: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await resultOf(opening);
  try {
    const transaction = database.transaction(STORE, mode);
    const result = await resultOf(use(transaction.objectStore(STORE)));
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error ?? new Error('The transaction was aborted.'));
    });
    return result;
  } finally {
    database.close();
  }
}

const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser keeps no data for this page.'));
  });
