import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { HostPool } from '../../src/platform/outbound/host-pool.js';
import { PostExchange } from '../../src/platform/outbound/post-exchange.js';

/** Longer than a test: no idle connection ends automatically. */
const IDLE_MS = 60_000;

describe('Connections to a host', () => {
  let server: Server;
  let origin: string;
  let pool: HostPool;
  let connections: number;
  /** Requests without a response. */
  let open: ServerResponse[];
  let isAnswering: boolean;
  /** Events of connections, which undici's Agent counts. */
  let seen: string[];
  beforeEach(async () => {
    [connections, open, isAnswering, seen] = [0, [], true, []];
    server = createServer((_, response) => {
      if (isAnswering) response.writeHead(204).end();
      else open.push(response);
    });
    server.keepAliveTimeout = IDLE_MS;
    server.on('connection', () => (connections += 1));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    pool = poolOf(2);
  });
  afterEach(async () => {
    await pool.destroy();
    server.closeAllConnections();
    server.close();
  });
  const poolOf = (max: number): HostPool => {
    const made = new HostPool(origin, { pipelining: 1, keepAliveTimeout: IDLE_MS }, max);
    made.on('connect', () => seen.push('connect'));
    made.on('disconnect', () => seen.push('disconnect'));
    made.on('connectionError', () => seen.push('connectionError'));
    return made;
  };
  const send = (): PostExchange => {
    const exchange = new PostExchange();
    // True: undici need not wait for a free connection.
    expect(pool.dispatch({ origin, path: '/', method: 'POST', body: '{}' }, exchange)).toBe(true);
    return exchange;
  };
  const sendAndWait = async (): Promise<number> => (await send().response).status;
  const until = async (isReached: () => boolean): Promise<void> => {
    const end = performance.now() + 20_000;
    while (!isReached() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(isReached()).toBe(true);
  };

  it('are used again', async () => {
    for (let n = 0; n < 5; n += 1) {
      expect(await sendAndWait()).toBe(204);
      await setImmediate(); // the connection is free after the response
    }
    expect([connections, seen]).toEqual([1, ['connect']]);
  });

  it('are replaced after the server has ended them, or refused one', async () => {
    pool = poolOf(1);
    expect(await sendAndWait()).toBe(204);
    server.closeAllConnections();
    await until(() => seen.includes('disconnect'));
    expect(await sendAndWait()).toBe(204);
    const { port } = server.address() as AddressInfo;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await until(() => seen.length === 4);
    await expect(sendAndWait()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    expect(await sendAndWait()).toBe(204);
    expect(seen.join(' ')).toBe('connect disconnect connect disconnect connectionError connect');
  });

  it('are as many as allowed while requests are answered, and more while they hang', async () => {
    isAnswering = false;
    const hanging = Array.from({ length: 6 }, () => send());
    await until(() => open.length === 6);
    expect(connections).toBe(6);
    isAnswering = true;
    for (let n = 0; n < 3; n += 1) {
      expect(await sendAndWait()).toBe(204);
      await setImmediate(); // the connection is free after the response
    }
    expect(connections).toBe(7);
    for (const one of open) one.writeHead(204).end();
    for (const { response } of hanging) expect((await response).status).toBe(204);
    await until(() => seen.filter((name) => name === 'disconnect').length === connections - 2);
    for (let n = 0; n < 5; n += 1) expect(await sendAndWait()).toBe(204);
    expect(connections).toBe(7);
  });

  it('end with an aborted request, and are not opened again for it', async () => {
    isAnswering = false;
    const exchange = send();
    await until(() => open.length === 1);
    exchange.abort(new Error('The test has enough.'));
    await expect(exchange.response).rejects.toThrow('enough');
    await until(() => seen.includes('disconnect'));
    isAnswering = true;
    pool = poolOf(1); // its connection comes after any that the first one opens
    expect(await sendAndWait()).toBe(204);
    expect(connections).toBe(2);
  });

  it('are free again after a request that cannot be sent', async () => {
    for (let n = 0; n < 3; n += 1) {
      const exchange = new PostExchange();
      pool.dispatch({ origin, path: '/', method: 'POST', headers: { name: 'a\0b' } }, exchange);
      await expect(exchange.response).rejects.toMatchObject({ code: 'UND_ERR_INVALID_ARG' });
    }
    expect(await sendAndWait()).toBe(204);
    expect(connections).toBe(1);
  });

  it('end after the last request once the pool is closed', async () => {
    isAnswering = false;
    const all = [send(), send(), send()];
    await until(() => open.length === 3);
    await pool.close();
    await pool.close();
    for (const one of open) one.writeHead(204).end();
    for (const { response } of all) expect((await response).status).toBe(204);
    await until(() => seen.filter((name) => name === 'disconnect').length === 3);
  });

  it('end at once if the pool is closed while they wait for requests', async () => {
    expect(await sendAndWait()).toBe(204);
    await setImmediate(); // the connection is free after the response
    await pool.close();
    await until(() => seen.includes('disconnect'));
  });

  it('end with their requests if the pool is destroyed, which sends no more', async () => {
    isAnswering = false;
    const [first, second] = [send(), send()];
    send();
    await pool.destroy();
    for (const { response } of [first, second]) await expect(response).rejects.toThrow();
    expect([pool.destroyed, open.length]).toEqual([true, 0]);
  });
});
