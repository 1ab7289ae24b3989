/** Requests of a satellite's server to Gatehouse. Nothing in this file reaches a browser. */

/** Gatehouse did not answer. This says nothing about the visitor, who stays signed in. */
export class Away extends Error {}
/** The visitor's session has ended: by a logout, a changed password, or expiry. */
export class SignedOut extends Error {}
/** The code is used, expired or another client's. The visitor starts again. */
export class CodeRefused extends Error {}

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Registration of the satellite; the app has none. */
export interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export class Gatehouse {
  readonly #base: string;
  readonly #client: Client | undefined;

  constructor(base: string, client?: Client) {
    this.#base = `${base}/api/v1/iam`;
    this.#client = client;
  }

  /**
   * Exchanges a code. The secret authenticates this server; the verifier proves that it started the
   * flow.
   */
  async exchange(code: string, codeVerifier: string): Promise<Session> {
    const proof = { ...this.#client, code, codeVerifier };
    const { status, body } = await this.ask('POST', '/auth/satellite/token', proof);
    if (status === 200) return new Session(this, body as Tokens);
    if (status === 400) throw new CodeRefused();
    throw new Error(
      `The exchange answered ${status}: are client id and secret right, is the client enabled?`,
    );
  }

  /**
   * Refreshes with the client's secret. A wrong secret does not end the session.
   * @throws {SignedOut}
   */
  async refresh(refreshToken: string): Promise<Tokens> {
    const { status, body } = await this.ask('POST', '/auth/refresh', { ...this.#client, refreshToken });
    if (status === 200) return body as Tokens;
    const { type } = body as { type?: string };
    if (type === '/errors/invalid-refresh-token') throw new SignedOut();
    throw new Error(`The refresh answered ${status}: are client id and secret right, is the client enabled?`);
  }

  /** @throws {Away} without a response, and for 429 and 5xx */
  async ask(method: string, path: string, body?: object, accessToken?: string): Promise<Answer> {
    const answer = await fetch(`${this.#base}${path}`, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
      },
      body: body ? JSON.stringify(body) : null,
      redirect: 'error', // secrets must not follow a redirect
      signal: AbortSignal.timeout(5_000),
    })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch((cause: unknown) => {
        throw new Away('no answer', { cause });
      });
    if (answer.status === 429 || answer.status >= 500) throw new Away(`answered ${answer.status}`);
    return { status: answer.status, body: answer.text === '' ? null : JSON.parse(answer.text) };
  }
}

/** Tokens of one visitor. They stay on the server. */
export class Session {
  readonly #gatehouse: Gatehouse;
  #tokens: Tokens;
  #refreshing: Promise<void> | null = null;

  constructor(gatehouse: Gatehouse, tokens: Tokens) {
    this.#gatehouse = gatehouse;
    this.#tokens = tokens;
  }

  /** Called for each page: this detects a logout at the app or another satellite. */
  async me(): Promise<{ firstName: string }> {
    const { status, body } = await this.ask('GET', '/me');
    if (status !== 200) throw new Error(`The question who this is answered ${status}.`);
    return body as { firstName: string };
  }

  /** Ends the whole session, also at the app. */
  async logout(): Promise<void> {
    await this.ask('POST', '/auth/logout');
  }

  /**
   * Sends a request with the visitor's token. After a 401 refreshes and retries once: the token may
   * have expired.
   * @throws {SignedOut}
   */
  async ask(method: string, path: string, body?: object): Promise<Answer> {
    const { accessToken } = this.#tokens;
    const answer = await this.#gatehouse.ask(method, path, body, accessToken);
    if (answer.status !== 401) return answer;
    await this.#renew(accessToken);
    const second = await this.#gatehouse.ask(method, path, body, this.#tokens.accessToken);
    if (second.status === 401) throw new SignedOut();
    return second;
  }

  /**
   * One refresh at a time for concurrent pages: an old refresh token, presented after the retry
   * window, ends the session.
   */
  async #renew(refused: string): Promise<void> {
    if (refused !== this.#tokens.accessToken) return; // a concurrent request has already refreshed
    this.#refreshing ??= this.#gatehouse
      .refresh(this.#tokens.refreshToken)
      .then((tokens) => void (this.#tokens = tokens))
      .finally(() => (this.#refreshing = null));
    await this.#refreshing;
  }
}
