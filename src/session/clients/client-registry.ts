/** Credentials by which the server of a client authenticates. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * Authenticates clients that have a secret. Implemented by the satellite module, which registers
 * them.
 */
export abstract class ClientRegistry {
  /**
   * Compares the secret in constant time, also for an unknown client.
   * @returns the id of the client's registration; null if the secret is wrong or the client is
   *   disabled
   */
  abstract findClient(credentials: ClientCredentials): Promise<string | null>;
}
