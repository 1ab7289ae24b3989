import { Inject, Injectable, Logger } from '@nestjs/common';
import { ConnectionDirectory } from '../../connection/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { describeCause } from '../../platform/errors/index.js';
import type { EndedUpstream } from '../../session/index.js';
import { OidcStrategy } from '../providers/oidc/oidc.strategy.js';
import { SamlStrategy } from '../providers/saml/saml.strategy.js';
import { UpstreamSessions } from './upstream-sessions.js';

/** Makes requests for a logout at the providers of connections. */
@Injectable()
export class ProviderLogouts {
  private readonly logger = new Logger('UpstreamLogout');

  constructor(
    private readonly connections: ConnectionDirectory,
    private readonly upstreams: UpstreamSessions,
    private readonly saml: SamlStrategy,
    private readonly oidc: OidcStrategy,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * @returns the address for the browser; null if the provider offers no logout.
   * The session has ended by now, so that nothing here may fail the logout. A connection that is
   * disabled still signs out at its provider; a draft, whose settings no member has activated,
   * sends no person anywhere.
   */
  async findLogoutUrl(upstream: EndedUpstream): Promise<string | null> {
    try {
      return await this.createLogoutUrl(upstream);
    } catch (error) {
      const { connectionId } = upstream;
      this.logger.warn({ connectionId, cause: describeCause(error) }, 'no logout at the provider');
      return null;
    }
  }

  private async createLogoutUrl({ connectionId, sealed }: EndedUpstream): Promise<string | null> {
    const connection = await this.connections.find(connectionId);
    if (!connection || connection.status === 'draft') return null;
    if (connection.kind === 'saml') return this.saml.logoutUrl(connection, this.upstreams.open(sealed));
    return this.oidc.logoutUrl(connection, `${this.settings.APP_URL}/sign-in`);
  }
}
