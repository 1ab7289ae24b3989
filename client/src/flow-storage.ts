/** Storage of started sign-ins, for instance `sessionStorage`. */
export type FlowStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * Returns the storage of a browser, or memory outside of browsers: Node.js also has a
 * `sessionStorage`, which all users of the process would share.
 */
export function createFlowStorage(ofBrowser: () => FlowStorage): FlowStorage {
  if (typeof document !== 'undefined') return ofBrowser();
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.delete(key),
  };
}
