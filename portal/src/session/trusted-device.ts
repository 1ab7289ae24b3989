const PREFIX = 'gatehouse.trusted-device.';

/** Names sign-ins by a provider, whose account is not known before, for {@link deviceTokens}. */
export const trustOfProvider = (kind: string): string => `provider|${kind}`;

/**
 * Tokens by which this browser signs in without the second factor, by the hash of the account's
 * address, or of the provider: the storage of a shared browser shows no address.
 */
export const deviceTokens = {
  /** @returns undefined without a token, or without storage */
  read: async (name: string): Promise<string | undefined> => {
    const key = await keyOf(name);
    return key === null ? undefined : (inStorage((storage) => storage.getItem(key)) ?? undefined);
  },
  store: async (name: string, token: string): Promise<void> => {
    const key = await keyOf(name);
    if (key !== null) inStorage((storage) => storage.setItem(key, token));
  },
  remove: async (name: string): Promise<void> => {
    const key = await keyOf(name);
    if (key !== null) inStorage((storage) => storage.removeItem(key));
  },
};

/** @returns null at an address without TLS, where browsers do not hash */
async function keyOf(name: string): Promise<string | null> {
  if (!isSecureContext) return null;
  const bytes = new TextEncoder().encode(name.trim().toLowerCase());
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return PREFIX + Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @returns null in browsers that refuse storage */
function inStorage<T>(use: (storage: Storage) => T): T | null {
  try {
    return use(localStorage);
  } catch {
    return null;
  }
}
