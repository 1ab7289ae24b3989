/** What a server of a property asks of Gatehouse. Nothing in this file ever reaches a browser. */

/** Gatehouse does not answer as it should. That says nothing about the visitor: nobody is signed out for it. */
export class Away extends Error {}
/** The visitor's session has ended: by a logout anywhere, a new password, or age. */
export class SignedOut extends Error {}
/** The code is spent, too old or not ours. Its visitor starts again. */
export class CodeRefused extends Error {}

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** How the property is registered; its app needs none. */
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

  /** Proves by the secret who we are, and by the verifier that the code is the answer to our own question. */
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
   * Proves by the secret that the refresh token has not been stolen. A secret that is wrong signs nobody out.
   * @throws {SignedOut}
   */
  async refresh(refreshToken: string): Promise<Tokens> {
    const { status, body } = await this.ask('POST', '/auth/refresh', { ...this.#client, refreshToken });
    if (status === 200) return body as Tokens;
    const { type } = body as { type?: string };
    if (type === '/errors/invalid-refresh-token') throw new SignedOut();
    throw new Error(`The refresh answered ${status}: are client id and secret right, is the client enabled?`);
  }

  /** @throws {Away} where there is no answer, or none about the question: 429 and 5xx */
  async ask(method: string, path: string, body?: object, accessToken?: string): Promise<Answer> {
    const answer = await fetch(`${this.#base}${path}`, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
      },
      body: body ? JSON.stringify(body) : null,
      redirect: 'error', // secrets go to this address and to no other
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

/** A visitor's tokens, which stay on the server, and what is done with them. */
export class Session {
  readonly #gatehouse: Gatehouse;
  #tokens: Tokens;
  #refreshing: Promise<void> | null = null;

  constructor(gatehouse: Gatehouse, tokens: Tokens) {
    this.#gatehouse = gatehouse;
    this.#tokens = tokens;
  }

  /** Asked for each page: this is how a logout at another property is noticed. */
  async me(): Promise<{ firstName: string }> {
    const { status, body } = await this.ask('GET', '/me');
    if (status !== 200) throw new Error(`The question who this is answered ${status}.`);
    return body as { firstName: string };
  }

  /** Ends the session here, at the app and everywhere else. */
  async logout(): Promise<void> {
    await this.ask('POST', '/auth/logout');
  }

  /**
   * Asks in the visitor's name. After a 401 once more with a new token: the old one may only have grown old.
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

  /** One refresh at a time, whatever number of pages asks: presenting an old refresh token for long ends the session. */
  async #renew(refused: string): Promise<void> {
    if (refused !== this.#tokens.accessToken) return; // another page has been here meanwhile
    this.#refreshing ??= this.#gatehouse
      .refresh(this.#tokens.refreshToken)
      .then((tokens) => void (this.#tokens = tokens))
      .finally(() => (this.#refreshing = null));
    await this.#refreshing;
  }
}
