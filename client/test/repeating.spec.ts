import { repeating } from '../src/repeating.js';

const URL = 'https://id.example.com/api/v1/iam/me';
const GAP_MS = 3_000;

describe('While the service cannot be reached, a client', () => {
  // Bodies of requests are read by the others.
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
  afterEach(() => jest.useRealTimers());

  /** A network that fails for some milliseconds, and records when and what it was sent. */
  function failingFor(ms: number, fail: () => Promise<Response>) {
    const back = Date.now() + ms;
    const bodies: string[] = [];
    const send = repeating(async (request) => {
      bodies.push(await request.text());
      return Date.now() < back ? fail() : new Response('served');
    });
    return { bodies, send };
  }

  const answering =
    (status: number, headers: Record<string, string> = {}) =>
    () =>
      Promise.resolve(new Response('', { status, headers }));
  const lost = () => Promise.reject(new TypeError('fetch failed'));
  const read = () => new Request(URL);
  const create = (headers: Record<string, string>) =>
    new Request(URL, { method: 'POST', body: 'a tenant', headers });

  /** @returns the text of the answer, or its status if it is no success; `lost` for none */
  async function outcomeOf(sent: Promise<Response>): Promise<string> {
    const outcome = sent.then(
      async (response) => (response.ok ? response.text() : String(response.status)),
      (error: unknown) => (error instanceof TypeError ? 'lost' : String(error)),
    );
    await jest.advanceTimersByTimeAsync(20_000);
    return outcome;
  }

  it.each([
    ['503 with the pause that the service asks for', answering(503, { 'retry-after': '2' })],
    ['503', answering(503)],
    ['502 of a proxy', answering(502)],
    ['504 of a proxy', answering(504)],
    ['lost responses', lost],
  ])('hides a gap of three seconds from a read: %s', async (_, fail) => {
    const { send, bodies } = failingFor(GAP_MS, fail);
    expect(await outcomeOf(send(read()))).toBe('served');
    expect(bodies.length).toBeLessThanOrEqual(8);
  });

  it('repeats a command with an Idempotency-Key as it was', async () => {
    const { send, bodies } = failingFor(GAP_MS, lost);
    expect(await outcomeOf(send(create({ 'idempotency-key': 'the-same-1' })))).toBe('served');
    expect(new Set(bodies)).toEqual(new Set(['a tenant']));
    expect(bodies.length).toBeGreaterThan(1);
  });

  it.each([
    ['503', answering(503), '503'],
    ['a lost response', lost, 'lost'],
  ])('reports %s to any other command at once: it may have been carried out', async (_, fail, outcome) => {
    const { send, bodies } = failingFor(GAP_MS, fail);
    expect(await outcomeOf(send(create({})))).toBe(outcome);
    expect(bodies).toHaveLength(1);
  });

  it.each([401, 404, 409, 429, 500])('repeats no read that was answered %d', async (status) => {
    const { send, bodies } = failingFor(GAP_MS, answering(status));
    expect(await outcomeOf(send(read()))).toBe(String(status));
    expect(bodies).toHaveLength(1);
  });

  it.each([
    ['503', answering(503), '503'],
    ['lost responses', lost, 'lost'],
  ])('gives up after five seconds of %s', async (_, fail, outcome) => {
    const { send } = failingFor(Infinity, fail);
    const began = Date.now();
    let ended = 0;
    const sent = send(read()).finally(() => (ended = Date.now()));
    expect(await outcomeOf(sent)).toBe(outcome);
    expect(ended - began).toBeLessThanOrEqual(5_000);
  });

  it('does not wait for as long as a service asks that is away for longer', async () => {
    const { send, bodies } = failingFor(GAP_MS, answering(503, { 'retry-after': '60' }));
    expect(await outcomeOf(send(read()))).toBe('503');
    expect(bodies).toHaveLength(1);
  });

  it('ends with the signal of the call', async () => {
    const abort = new AbortController();
    const { send, bodies } = failingFor(Infinity, lost);
    const sent = send(new Request(URL, { signal: abort.signal }));
    setTimeout(() => abort.abort(new Error('enough')), 700);
    expect(await outcomeOf(sent)).toBe('Error: enough');
    expect(bodies).toHaveLength(2);
  });
});
