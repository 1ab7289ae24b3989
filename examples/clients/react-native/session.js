import { Gatehouse } from '@gatehouse/client';

const SESSION = 'gatehouse.session';
const TENANT = 'gatehouse.tenant';

/**
 * Creates the client of an app on React Native, whose session and tenant outlive the app.
 * @param storage of `createAsyncStorage` of @react-native-async-storage/async-storage, which is not
 *   encrypted; or what has the same three methods, such as an adapter of expo-secure-store
 */
export async function createGatehouse(url, storage, options = {}) {
  const tenantId = await storage.getItem(TENANT);
  const gatehouse = new Gatehouse({ ...options, url, tenantId, storage: asyncStorage(storage) });
  const remember = (id) =>
    (id === null ? storage.removeItem(TENANT) : storage.setItem(TENANT, id)).catch(console.warn);
  gatehouse.on('tenant', ({ tenantId: id }) => remember(id));
  gatehouse.on('signed-out', () => remember(null));
  return gatehouse;
}

/** Storage of the session. It has no name: an app has one "tab". */
export function asyncStorage(storage) {
  return {
    async read() {
      try {
        const { sessionId, refreshToken } = JSON.parse((await storage.getItem(SESSION)) ?? '{}');
        return sessionId && refreshToken ? { sessionId, refreshToken } : null;
      } catch (error) {
        if (error instanceof SyntaxError) return null; // not written by this app
        throw error;
      }
    },
    write: (session) =>
      session ? storage.setItem(SESSION, JSON.stringify(session)) : storage.removeItem(SESSION),
  };
}
