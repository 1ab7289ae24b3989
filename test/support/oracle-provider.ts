import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';

const SCOPE = 'openid profile offline_access';

/** A client that both providers know. */
export interface OracleClient {
  readonly clientId: string;
  /** None of a public client. */
  readonly clientSecret?: string;
  readonly redirectUri: string;
}

/**
 * oidc-provider, certified by the OpenID Foundation, with the paths and clients of Gatehouse, so
 * that both can be asked the same.
 */
export class OracleProvider {
  private constructor(
    private readonly server: Server,
    private readonly provider: Provider,
    readonly url: string,
  ) {}

  static async start(clients: readonly OracleClient[]): Promise<OracleProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const key = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'oracle' };
    const provider = new Provider(url, {
      clients: clients.map(({ clientId, clientSecret, redirectUri }) => ({
        client_id: clientId,
        ...(clientSecret !== undefined && { client_secret: clientSecret }),
        token_endpoint_auth_method: clientSecret === undefined ? 'none' : 'client_secret_basic',
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      })),
      jwks: { keys: [key as never] },
      pkce: { required: () => true },
      responseTypes: ['code'],
      scopes: ['openid', 'profile', 'email', 'offline_access'],
      claims: { openid: ['sub'], email: ['email'], profile: ['name'] },
      features: {
        devInteractions: { enabled: false },
        deviceFlow: { enabled: true },
        introspection: {
          enabled: true,
          allowedPolicy: (_context, client, token) => client.clientId === token.clientId,
        },
        revocation: { enabled: true },
      },
      routes: {
        authorization: '/oauth2/authorize',
        token: '/oauth2/token',
        introspection: '/oauth2/introspect',
        revocation: '/oauth2/revoke',
        userinfo: '/oauth2/userinfo',
        pushed_authorization_request: '/oauth2/par',
        device_authorization: '/oauth2/device_authorization',
      },
      cookies: { keys: ['a-key-of-this-test'] },
      findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
      renderError: (context, { error }) => {
        context.type = 'text';
        context.body = error;
      },
    });
    server.on('request', provider.callback());
    return new OracleProvider(server, provider, url);
  }

  /** Issues a code, as if a person had approved the request of a client. */
  async issueCode({ clientId, redirectUri }: OracleClient, codeChallenge: string): Promise<string> {
    const { Client, Grant, AuthorizationCode } = this.provider;
    const client = await Client.find(clientId);
    if (!client) throw new Error(`oidc-provider does not know ${clientId}.`);
    const grant = new Grant({ accountId: 'ada', clientId });
    grant.addOIDCScope(SCOPE);
    const code = new AuthorizationCode({
      accountId: 'ada',
      client,
      grantId: await grant.save(),
      redirectUri,
      scope: SCOPE,
      codeChallenge,
      codeChallengeMethod: 'S256',
      authTime: Math.floor(Date.now() / 1_000),
      gty: 'authorization_code',
    } as never);
    return code.save();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
