import { Reflector } from '@nestjs/core';

/** What a client presents at the token endpoint (RFC 6749 section 2.3.1). */
export interface ClientSecret {
  readonly clientId: string;
  readonly secret: string;
}

/** Token for a client (RFC 6749 section 4.4). */
export interface ClientToken {
  readonly accessToken: string;
  /** Seconds. */
  readonly expiresIn: number;
  readonly scope: string;
}

/** @returns null for a client that it does not know, and for a wrong secret */
export type IssueClientToken = (client: ClientSecret) => Promise<ClientToken | null>;

/**
 * Marks an {@link IssueClientToken}: the token endpoint asks it about clients that are no service
 * accounts, so that a module has its own clients without being imported.
 */
export const IssuesClientTokens = Reflector.createDecorator<true>();
