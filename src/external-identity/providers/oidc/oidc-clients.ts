import type { OidcConnection } from '../../../connection/index.js';
import type { CustomerHttp } from '../../../platform/outbound/index.js';
import type { ConnectionKeys } from '../keys/connection-keys.js';
import { SignInError } from '../provider.js';
import { OidcClient } from './oidc.client.js';

/** Clients that are kept, each with a discovery document and keys of a few KiB. */
const MAX_CLIENTS = 500;

/** Keeps the clients of the connections that were used last, by the version of their settings. */
export class OidcClients {
  /** Least recently used first. */
  private readonly clients = new Map<string, OidcClient>();

  constructor(
    private readonly http: CustomerHttp,
    private readonly keys: ConnectionKeys,
  ) {}

  /** @throws {SignInError} provider_unavailable for a connection without a client secret */
  of(connection: OidcConnection): OidcClient {
    const key = `${connection.id} ${connection.settingsVersion}`;
    const client = this.clients.get(key) ?? this.create(connection);
    this.clients.delete(key);
    this.clients.set(key, client);
    const [oldest] = this.clients.keys();
    if (this.clients.size > MAX_CLIENTS && oldest !== undefined) this.clients.delete(oldest);
    return client;
  }

  private create({ settings, revealClientSecret }: OidcConnection): OidcClient {
    const { issuer, clientId, clientAuthentication, trustedAudiences } = settings;
    if (clientAuthentication === 'private_key_jwt')
      return new OidcClient(this.http, {
        issuer,
        clientId,
        trustedAudiences,
        credential: { key: () => this.keys.getCurrent('oidc') },
      });
    const clientSecret = revealClientSecret();
    if (clientSecret === null) throw new SignInError('provider_unavailable');
    return new OidcClient(this.http, { issuer, clientId, trustedAudiences, credential: { clientSecret } });
  }
}
