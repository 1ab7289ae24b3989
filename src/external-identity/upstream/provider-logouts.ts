import { Inject, Injectable } from '@nestjs/common';
import { ConnectionDirectory } from '../../connection/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { type EndedUpstream, UpstreamLogouts } from '../../session/index.js';
import { OidcStrategy } from '../providers/oidc/oidc.strategy.js';
import { SamlStrategy } from '../providers/saml/saml.strategy.js';
import { UpstreamSessions } from './upstream-sessions.js';

/** Makes requests for a logout at the providers of connections. */
@Injectable()
export class ProviderLogouts extends UpstreamLogouts {
  constructor(
    private readonly connections: ConnectionDirectory,
    private readonly upstreams: UpstreamSessions,
    private readonly saml: SamlStrategy,
    private readonly oidc: OidcStrategy,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    super();
  }

  /** The session has ended: a connection that is disabled by now still signs out there. */
  async findLogoutUrl({ connectionId, sealed }: EndedUpstream): Promise<string | null> {
    const connection = await this.connections.find(connectionId);
    if (!connection) return null;
    if (connection.kind === 'saml') return this.saml.logoutUrl(connection, this.upstreams.open(sealed));
    return this.oidc.logoutUrl(connection, `${this.settings.APP_URL}${SIGN_IN_PAGE}`);
  }
}

/** Page of the app on which the way back from the provider ends. */
export const SIGN_IN_PAGE = '/sign-in';
