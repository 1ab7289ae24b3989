import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readSettings } from '../../src/platform/config/index.js';
import { OutboundPost, type PostOutcome } from '../../src/platform/outbound/index.js';

const SETTINGS = { WEBHOOK_TRUSTED_HOSTS: '127.0.0.1', NODE_ENV: 'production', MAIL: 'folder' };
/** Time of a request that hangs, in place of 15 s. */
const TIMEOUT_MS = 300;

/** Jest fails a test in which a promise is rejected without a handler. */
describe('A host whose receivers hang', () => {
  let server: Server;
  let outbound: OutboundPost;
  let origin: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/honest') response.writeHead(204).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    outbound = new OutboundPost(readSettings(SETTINGS));
  });
  afterAll(async () => {
    await outbound.onApplicationShutdown();
    server.closeAllConnections();
    server.close();
  });

  const post = (
    path: string,
    timeoutMs = TIMEOUT_MS,
    aborting = new AbortController().signal,
  ): Promise<PostOutcome> =>
    outbound.post(`${origin}${path}`, { headers: {}, body: '{}', timeoutMs, aborting });
  /** Sends to receivers that hang, more of them before the first ones have ended. */
  const hang = async (receivers: number): Promise<PostOutcome[]> => {
    const open: Promise<PostOutcome>[] = [];
    for (let round = 0; round < 4; round += 1) {
      open.push(...Array.from({ length: receivers }, () => post('/hangs')));
      await Promise.race(open.slice(-receivers));
    }
    return Promise.all(open);
  };

  it.each([1, 20, 50, 200])('leaves no promise alone beside an honest one: %i', async (count) => {
    const hanging = hang(count);
    let hasEnded = false;
    const ended = hanging.finally(() => (hasEnded = true));
    while (!hasEnded) expect(await post('/honest', 15_000)).toMatchObject({ status: 204 });
    for (const outcome of await ended) expect(outcome).toEqual({ failure: 'timeout' });
  });

  it.each([1, 20, 50, 200])('answers an honest one while all of them hang: %i', async (count) => {
    const stop = new AbortController();
    let ended = 0;
    const hanging = Array.from({ length: count }, () =>
      post('/hangs', 60_000, stop.signal).finally(() => (ended += 1)),
    );
    for (let n = 0; n < 5; n += 1) expect(await post('/honest', 15_000)).toMatchObject({ status: 204 });
    expect(ended).toBe(0);
    stop.abort();
    for (const outcome of await Promise.all(hanging)) expect(outcome).toHaveProperty('failure');
  });
});
