import type { ServiceClient } from '../../test/support/test-app.js';
import { Gatehouse, type ClientEvents, type GatehouseOptions } from '../src/index.js';

/** A client that records its requests and events, and whose network the test can change. */
export class WatchedClient extends Gatehouse {
  /** Requests such as `POST /api/v1/iam/auth/login`, in the order of sending. */
  readonly sent: string[];
  readonly events: [string, unknown][] = [];

  constructor(
    service: ServiceClient,
    { fetch: network = fetch, ...options }: Partial<GatehouseOptions> = {},
  ) {
    const sent: string[] = [];
    super({
      url: service.url,
      ...options,
      fetch: (input, init) => {
        const request = new Request(input, init);
        sent.push(`${request.method} ${new URL(request.url).pathname}`);
        return network(request);
      },
    });
    this.sent = sent;
    for (const name of ['signed-in', 'signed-out', 'tenant'] as const satisfies (keyof ClientEvents)[])
      this.on(name, (event) => this.events.push([name, event]));
  }

  /** Number of refreshes sent. */
  get refreshes(): number {
    return this.sent.filter((line) => line === 'POST /api/v1/iam/auth/refresh').length;
  }
}

/** Life of an access token, in milliseconds: the service's default. */
export const TOKEN_LIFE_MS = 600_000;

/** Moves the clock that the clients of the test read. */
export function passTime(ms: number): void {
  const later = Date.now() + ms;
  const from = performance.now();
  jest.spyOn(Date, 'now').mockImplementation(() => later + Math.round(performance.now() - from));
}

/** A network that breaks the first access token it carries, which the service then refuses. */
export function refusingTheFirst(): typeof fetch {
  let first: string | null = null;
  return async (input, init) => {
    const request = new Request(input, init);
    const token = request.headers.get('authorization');
    first ??= token;
    if (token !== null && token === first) request.headers.set('authorization', `${token}x`);
    return fetch(request);
  };
}

/**
 * A network that changes the lifetime of access tokens as the client reads it, as a wrong clock
 * would.
 */
export function believing(expiresIn: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.ok || !response.headers.get('content-type')?.includes('json')) return response;
    const body = (await response.json()) as object;
    const { status, headers } = response;
    const twisted = 'expiresIn' in body ? { ...body, expiresIn } : body;
    return new Response(JSON.stringify(twisted), { status, headers });
  };
}
