/** Registered instead of a list of scopes: every scope that the user holds. */
export const EVERY_SCOPE = '*';

/** Scopes of third-party clients. Implemented by the module that registers satellites. */
export abstract class ClientScopes {
  /**
   * @param lock read the database and keep the scopes as they are until the open transaction ends
   * @returns the registered scopes; null for an unknown client
   */
  abstract findScopes(clientId: string, lock: boolean): Promise<ReadonlySet<string> | null>;
}
