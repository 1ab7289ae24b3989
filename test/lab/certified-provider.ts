import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { Provider, type InteractionResults } from 'oidc-provider';

/** Asymmetric algorithms of its signatures. */
export const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;

/** Registration of its client. */
export interface Registration {
  readonly algorithm?: (typeof ALGORITHMS)[number];
  /** The only authentication method of the client. */
  readonly authentication?: 'client_secret_post' | 'client_secret_basic' | 'private_key_jwt';
}

const INTERACTION = '/interaction/';

/**
 * oidc-provider: an OpenID Connect provider by other authors, certified by the OpenID Foundation,
 * in its strictest configuration. Only its pages are ours, and they decide at once.
 */
export class CertifiedProvider {
  readonly clientId = 'gatehouse';
  readonly clientSecret = 'a-secret-of-the-lab';
  /** The signed-in user, and their claims. */
  person = { sub: 'subject-1', email: 'ada@example.com', email_verified: true, given_name: 'Ada' };
  /** The page at which the user cancels. */
  cancelsAt: 'login' | 'consent' | null = null;
  private keys: JWK[] = [];
  private provider: Provider;
  /** Further metadata of its client. */
  private client: Record<string, unknown> = {};

  private constructor(
    private readonly server: Server,
    private redirectUri: string,
    private readonly registration: Required<Registration>,
  ) {}

  static async start(
    redirectUri: string,
    { algorithm = 'RS256', authentication = 'client_secret_post' }: Registration = {},
  ): Promise<CertifiedProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const certified = new CertifiedProvider(server, redirectUri, { algorithm, authentication });
    await certified.rotateKeys();
    server.on('request', (request, response) => void certified.answer(request, response));
    return certified;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** What the settings of the service need to know. */
  get settings(): Record<string, string> {
    return {
      EXTERNAL_OIDC_ISSUER: this.issuer,
      EXTERNAL_OIDC_CLIENT_ID: this.clientId,
      EXTERNAL_OIDC_CLIENT_SECRET: this.clientSecret,
    };
  }

  /** Registers the client again, with further metadata. */
  register(redirectUri: string, client: Record<string, unknown> = {}): void {
    this.redirectUri = redirectUri;
    this.client = client;
    this.provider = this.build();
  }

  /** Rotates the signing key, and publishes the new one alone. */
  async rotateKeys(): Promise<void> {
    const { algorithm: alg } = this.registration;
    const { privateKey } = await generateKeyPair(alg, { extractable: true });
    this.keys = [{ ...(await exportJWK(privateKey)), alg, use: 'sig', kid: randomUUID() }];
    this.provider = this.build();
  }

  /** Signs a further token by its current key. */
  async sign(payload: Record<string, unknown>, typ: string): Promise<string> {
    const [key = {}] = this.keys;
    const { alg = '', kid = '' } = key;
    return new SignJWT(payload).setProtectedHeader({ alg, kid, typ }).sign(await importJWK(key, alg));
  }

  private build(): Provider {
    const { algorithm, authentication } = this.registration;
    return new Provider(this.issuer, {
      clients: [
        {
          client_id: this.clientId,
          ...(authentication !== 'private_key_jwt' && { client_secret: this.clientSecret }),
          redirect_uris: [this.redirectUri],
          token_endpoint_auth_method: authentication,
          id_token_signed_response_alg: algorithm,
          ...this.client,
        },
      ],
      clientAuthMethods: [authentication],
      jwks: { keys: this.keys as never },
      enabledJWA: { idTokenSigningAlgValues: [...ALGORITHMS] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name'] },
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      interactions: { url: (_context, { uid }) => `${INTERACTION}${uid}` },
      cookies: { keys: ['a-key-of-the-lab'] },
      // Its own refuses this machine, and gives up early on a busy one.
      fetch: (input, init) => fetch(input, { ...init, dispatcher: undefined, signal: null } as RequestInit),
      findAccount: (_context, accountId) => ({ accountId, claims: () => ({ ...this.person }) }),
    });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!request.url?.startsWith(INTERACTION)) return this.provider.callback()(request, response);
    await this.provider.interactionFinished(request, response, await this.decide(request, response), {
      mergeWithLastSubmission: true,
    });
  }

  private async decide(request: IncomingMessage, response: ServerResponse): Promise<InteractionResults> {
    const { prompt, params, session } = await this.provider.interactionDetails(request, response);
    if (prompt.name === this.cancelsAt) return { error: 'access_denied' };
    if (prompt.name === 'login') return { login: { accountId: this.person.sub } };
    const grant = new this.provider.Grant({ accountId: session?.accountId ?? '', clientId: this.clientId });
    grant.addOIDCScope(String(params['scope']));
    return { consent: { grantId: await grant.save() } };
  }
}
