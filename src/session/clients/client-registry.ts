/** What a server of a client proves itself with. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Proves the clients that have a secret. Implemented by the module that registers them. */
export abstract class ClientRegistry {
  /**
   * Compares the secret in constant time, also for a client that does not exist.
   * @returns the id of the client's registration; null for a wrong secret, and while the client is disabled
   */
  abstract findClient(credentials: ClientCredentials): Promise<string | null>;
}
