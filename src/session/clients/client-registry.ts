/** Credentials by which the server of a client authenticates. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Authenticates clients with satellite codes. Implemented by the module that registers them. */
export abstract class ClientRegistry {
  /**
   * Compares the secret in constant time, also for an unknown client.
   * @returns the id of the client's registration
   * @throws {AppError} invalid-client if the secret is wrong, or the client is disabled or not
   *   registered for satellite codes
   */
  abstract requireClient(credentials: ClientCredentials): Promise<string>;
}
