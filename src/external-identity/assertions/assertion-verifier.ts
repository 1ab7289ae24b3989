import { Injectable } from '@nestjs/common';
import { ConnectionDirectory, type OidcConnection } from '../../connection/index.js';
import type { TenantId } from '../../kernel/index.js';
import { FlowConnections } from '../flow/flow-connections.js';
import { OidcStrategy, type ReadAssertion } from '../providers/oidc/oidc.strategy.js';
import { SignInError } from '../providers/provider.js';

/** A verified assertion, and the connection that is trusted for it. */
export interface TrustedAssertion extends ReadAssertion {
  readonly connection: OidcConnection;
}

/** Verifies identity assertions of connections (ADR 70). */
@Injectable()
export class AssertionVerifier {
  constructor(
    private readonly directory: ConnectionDirectory,
    private readonly connections: FlowConnections,
    private readonly oidc: OidcStrategy,
  ) {}

  /**
   * Verifies an assertion by the connection of an organization.
   * @param issuer that it names, not verified yet
   * @param tenantId organization that the connection must belong to; null for the only one that
   *   trusts the issuer
   * @throws {SignInError} invalid_response, also if no connection is trusted for it;
   *   connection_disabled if its organization is archived; provider_unavailable
   */
  async verify(assertion: string, issuer: string, tenantId: TenantId | null): Promise<TrustedAssertion> {
    const trusted = await this.directory.listTrusted(issuer);
    const [connection, ...others] = trusted.filter((one) => tenantId === null || one.tenantId === tenantId);
    if (!connection || (tenantId === null && others.length > 0)) throw new SignInError('invalid_response');
    await this.connections.getForCallback(connection.id);
    return { connection, ...(await this.oidc.readAssertion(connection, assertion)) };
  }
}
