/** Registered in place of a list of scopes: everything that the visitor holds. */
export const EVERY_SCOPE = '*';

/** What the clients of third parties may do in a visitor's name. Implemented by the module that registers them. */
export abstract class ClientScopes {
  /**
   * @param lock read the database and keep the scopes as they are until the open transaction ends
   * @returns the registered scopes; null for an unknown client
   */
  abstract findScopes(clientId: string, lock: boolean): Promise<ReadonlySet<string> | null>;
}
