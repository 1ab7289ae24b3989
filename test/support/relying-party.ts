import { randomBytes } from 'node:crypto';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type ClientAuth,
  ClientSecretBasic,
  customFetch,
  type Configuration,
  discovery,
  None,
  randomPKCECodeVerifier,
} from 'openid-client';
import { type Settings, SETTINGS } from '../../src/platform/config/index.js';
import { ClientService } from '../../src/client/index.js';
import type { Answer, TestApp } from './test-app.js';

type ClientData = Parameters<ClientService['register']>[1];

/** Tokens as the library returns them, with the claims of the ID token verified. */
export type RelyingPartyTokens = Awaited<ReturnType<typeof authorizationCodeGrant>>;

const AUTHORIZATIONS = '/api/v1/iam/auth/authorizations';

/** An authorization request, and what the client keeps to end it. */
interface Departure {
  readonly url: URL;
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
}

interface PostAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly location: string | null;
}

/** A client that speaks OpenID Connect by a library of its own authors (`openid-client`). */
export class RelyingParty {
  private constructor(
    readonly app: TestApp,
    readonly clientId: string,
    readonly clientSecret: string,
    readonly redirectUri: string,
    readonly config: Configuration,
  ) {}

  /** @param authentication of the client; by default by its secret, or none */
  static async register(
    app: TestApp,
    data: Partial<ClientData> = {},
    authentication?: ClientAuth,
  ): Promise<RelyingParty> {
    const clientId = `rp-${randomBytes(6).toString('hex')}`;
    const redirectUri = `https://${clientId}.example/callback`;
    const { clientSecret = '' } = await app.app.get(ClientService, { strict: false }).register(null, {
      clientId,
      name: 'Help centre',
      redirectUris: [redirectUri],
      firstParty: true,
      ...data,
    });
    const method = authentication ?? (data.type === 'public' ? None() : ClientSecretBasic(clientSecret));
    const address = data.redirectUris?.[0] ?? redirectUri;
    return RelyingParty.of(app, { clientId, clientSecret, redirectUri: address }, method, data.idTokenAlg);
  }

  /** A client that is registered already. */
  static async of(
    app: TestApp,
    { clientId, clientSecret, redirectUri }: Pick<RelyingParty, 'clientId' | 'clientSecret' | 'redirectUri'>,
    method: ClientAuth = ClientSecretBasic(clientSecret),
    idTokenAlg: string = 'RS256',
  ): Promise<RelyingParty> {
    const alg = { id_token_signed_response_alg: idTokenAlg };
    const { PUBLIC_URL: issuer } = app.app.get<Settings>(SETTINGS);
    const options = {
      execute: [allowInsecureRequests],
      [customFetch]: (url: string, init: object) => fetch(url.replace(issuer, app.url), init),
    };
    const config = await discovery(new URL(issuer), clientId, alg, method, options);
    return new RelyingParty(app, clientId, clientSecret, redirectUri, config);
  }

  /** Starts a sign-in: the URL to which the client sends the browser. */
  async depart(parameters: Readonly<Record<string, string>> = {}): Promise<Departure> {
    const verifier = randomPKCECodeVerifier();
    const [state, nonce] = [randomBytes(8).toString('hex'), randomBytes(8).toString('hex')];
    const url = buildAuthorizationUrl(this.config, {
      redirect_uri: this.redirectUri,
      scope: 'openid profile email',
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      ...parameters,
    });
    return { url, verifier, state, nonce };
  }

  /** Opens a URL as a browser does. @returns where it is sent */
  async open(url: URL): Promise<URL> {
    const { issuer } = this.config.serverMetadata();
    const response = await fetch(url.href.replace(issuer, this.app.url), { redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status !== 303 || location === null) throw new Error(`Opening answered ${response.status}.`);
    return this.requireIssuer(location);
  }

  /**
   * Requires that an answer at the redirect URI, an error too, names the issuer (RFC 9207 section
   * 2).
   */
  private requireIssuer(location: string): URL {
    const url = new URL(location);
    const isAnswer = url.searchParams.has('code') || url.searchParams.has('error');
    if (isAnswer && url.searchParams.get('iss') !== this.config.serverMetadata().issuer)
      throw new Error(`The answer does not name the issuer: ${location}`);
    return url;
  }

  /** Opens a request. @returns its id, as the page of the app reads it */
  async request(
    parameters: Readonly<Record<string, string>> = {},
  ): Promise<Departure & { readonly id: string }> {
    const departure = await this.depart(parameters);
    const page = await this.open(departure.url);
    return { ...departure, id: page.searchParams.get('request') ?? '' };
  }

  read(id: string, token?: string): Promise<Answer> {
    return this.app.get(`${AUTHORIZATIONS}/${id}`, token);
  }

  async approve(id: string, token: string, body: object = {}): Promise<Answer> {
    const answer = await this.app.call('POST', `${AUTHORIZATIONS}/${id}/approve`, body, { token });
    if (answer.status === 200) this.requireIssuer(String(answer.body['redirectTo']));
    return answer;
  }

  async deny(id: string): Promise<Answer> {
    const answer = await this.app.call('POST', `${AUTHORIZATIONS}/${id}/deny`);
    if (answer.status === 200) this.requireIssuer(String(answer.body['redirectTo']));
    return answer;
  }

  /** Ends a sign-in with the URL to which the browser came back. */
  redeem(back: URL | string, { verifier, state, nonce }: Departure): Promise<RelyingPartyTokens> {
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce };
    return authorizationCodeGrant(this.config, new URL(back), { ...checks, idTokenExpected: true });
  }

  /** Signs the person of the token in. */
  async signIn(
    token: string,
    parameters: Readonly<Record<string, string>> = {},
    body: object = {},
  ): Promise<RelyingPartyTokens> {
    const request = await this.request(parameters);
    const approved = await this.approve(request.id, token, body);
    return this.redeem(String(approved.body['redirectTo']), request);
  }

  /** Posts a form to an endpoint of OAuth, authenticated as this client. */
  async post(
    path: string,
    form: Readonly<Record<string, string>>,
    authorization: string | null = this.authorization,
  ): Promise<PostAnswer> {
    const response = await fetch(new URL(path, this.app.url), {
      method: 'POST',
      redirect: 'manual',
      headers: { ...(authorization !== null && { authorization }) },
      body: new URLSearchParams(form),
    });
    const text = await response.text();
    const body = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
    return { status: response.status, body, location: response.headers.get('location') };
  }

  get authorization(): string {
    return `Basic ${Buffer.from(`${this.clientId}:${this.clientSecret}`).toString('base64')}`;
  }
}
