import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as a stand-in receives it. */
export interface LabRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** Texts and bytes are sent unchanged, everything else as JSON. */
  readonly body?: unknown;
  readonly delayMs?: number;
  /** Closes the connection in place of an answer. */
  readonly drop?: boolean;
}

interface Issued {
  readonly challenge: string | null;
  readonly redirectUri: string | null;
  readonly nonce: string | null;
  readonly person: Record<string, unknown>;
}

/**
 * Common parts of OAuth stand-ins: single-use codes, bound to the verifier and the redirect address
 * of their request.
 */
export abstract class OAuthStandIn {
  readonly clientSecret: string = 'a-secret-of-the-lab';
  /** The signed-in user. */
  person: Record<string, unknown> = {};
  /** Answers in place of the correct ones, by path. */
  replies: Record<string, Reply> = {};
  /** Requests received so far. */
  readonly requests: LabRequest[] = [];
  private readonly codes = new Map<string, Issued>();
  private readonly server = createServer();

  abstract readonly clientId: string;
  /** What the settings of the service need to know. */
  abstract get settings(): Record<string, string>;
  protected abstract replyTo(request: LabRequest): Reply | Promise<Reply>;

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async listen(): Promise<this> {
    this.server.on('request', (request, response) => void this.answer(request, response));
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Signs the user in. @returns what the browser brings back */
  consent(authorizationUrl: string): Record<string, string> {
    const asked = new URL(authorizationUrl).searchParams;
    const code = randomBytes(16).toString('hex');
    this.codes.set(code, {
      challenge: asked.get('code_challenge'),
      redirectUri: asked.get('redirect_uri'),
      nonce: asked.get('nonce'),
      person: this.person,
    });
    return { code, state: asked.get('state') ?? '' };
  }

  /**
   * Returns the request of a code, once, if the client that presents it is the one that received
   * it.
   */
  protected async redeem({ form }: LabRequest): Promise<Issued | null> {
    const issued = this.codes.get(form.get('code') ?? '');
    this.codes.delete(form.get('code') ?? '');
    const verifier = form.get('code_verifier') ?? '';
    const right =
      form.get('grant_type') === 'authorization_code' &&
      form.get('client_id') === this.clientId &&
      (await this.knows(form.get('client_secret') ?? '')) &&
      issued?.redirectUri === form.get('redirect_uri') &&
      issued.challenge === createHash('sha256').update(verifier).digest('base64url');
    return right ? issued : null;
  }

  protected knows(presented: string): boolean | Promise<boolean> {
    return presented === this.clientSecret;
  }

  private async answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', this.url);
    const request: LabRequest = {
      path: pathname,
      query: searchParams,
      form: await formOf(incoming),
      headers: incoming.headers,
    };
    this.requests.push(request);
    const reply = this.replies[pathname] ?? (await this.replyTo(request));
    const { status = 200, headers, body = {}, delayMs = 0, drop = false } = reply;
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    if (drop) return void incoming.socket.destroy();
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  }
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}
