import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { readSettings } from '../../src/platform/config/index.js';
import { OutboundPost } from '../../src/platform/outbound/index.js';
import { eventually } from '../support/test-app.js';

const REQUEST = { headers: {}, body: '{}', timeoutMs: 20_000, aborting: new AbortController().signal };

const TRUSTED = { WEBHOOK_TRUSTED_HOSTS: '127.0.0.1', NODE_ENV: 'production', MAIL: 'folder' };

describe('The URL of a webhook', () => {
  const outbound = new OutboundPost(readSettings({ ...TRUSTED, WEBHOOK_TRUSTED_HOSTS: 'hooks.internal' }));
  const local = new OutboundPost(readSettings({}));

  it.each([
    'https://hooks.example.com/',
    'https://hooks.example.com:443/',
    'https://hooks.example.com:1024/',
    'https://hooks.example.com:65535/path?query',
    'https://93.184.215.14/',
    'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]:8443/',
    'http://hooks.internal/',
    'https://hooks.internal:22/',
  ])('may be %s', (url) => {
    expect(outbound.findFault(url)).toBeNull();
  });

  it.each([
    ['hooks.example.com', 'must be a URL'],
    ['http://hooks.example.com/', 'must be https'],
    ['ftp://hooks.internal/', 'must be https'],
    ['https://hooks.example.com:1023/', 'must have the port 443, or one from 1024 on'],
    ['https://user@hooks.internal/', 'must have no user or password'],
    ['https://:pass@hooks.internal/', 'must have no user or password'],
    ['https://hooks.internal/#part', 'must have no fragment'],
    ['https://evil.hooks.internal:22/', 'must have the port 443, or one from 1024 on'],
    ['https://127.0.0.1/', 'must be a public address'],
    ['https://[::1]:8443/', 'must be a public address'],
  ])('must not be %s: %s', async (url, fault) => {
    expect(outbound.findFault(url)).toBe(fault);
    expect(await outbound.post(url, REQUEST)).toEqual({ failure: 'refused-address' });
  });

  it.each([
    ['http://127.0.0.1:4000/', null],
    ['http://localhost:4000/', null],
    ['http://10.0.0.1:4000/', 'must be https'],
    ['https://10.0.0.1:4000/', 'must be a public address'],
  ])('of local development may be one of this machine: %s: %s', (url, fault) => {
    expect(local.findFault(url)).toBe(fault);
  });
});

describe('Webhooks through a proxy', () => {
  let proxy: Server;
  let receiver: Server;
  let outbound: OutboundPost;
  let connected: { host: string | undefined; authorization: string | undefined }[] = [];
  let accepts = true;
  const portOf = (server: Server) => (server.address() as AddressInfo).port;

  beforeAll(async () => {
    receiver = createServer((_, response) => void response.writeHead(204).end());
    proxy = createServer((_, response) => void response.writeHead(405).end());
    proxy.on('connect', ({ url, headers }, socket) => {
      connected.push({ host: url, authorization: headers['proxy-authorization'] });
      if (!accepts) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      const upstream = connect(portOf(receiver), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.pipe(socket).pipe(upstream);
      });
      for (const one of [socket, upstream]) one.on('error', () => one.destroy());
    });
    for (const server of [receiver, proxy])
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const WEBHOOK_PROXY = `http://user:pass@127.0.0.1:${portOf(proxy)}`;
    const settings = {
      WEBHOOK_PROXY,
      WEBHOOK_TRUSTED_HOSTS: '127.0.0.1',
      NODE_ENV: 'production',
      MAIL: 'folder',
    };
    outbound = new OutboundPost(readSettings(settings));
  });
  afterAll(async () => {
    await outbound.onApplicationShutdown();
    for (const server of [receiver, proxy]) {
      server.closeAllConnections();
      server.close();
    }
  });
  beforeEach(() => {
    connected = [];
    accepts = true;
  });

  it('are sent in a tunnel, which the service encrypts itself', async () => {
    // The receiver speaks no TLS.
    const outcome = await outbound.post('https://hooks.example.com:8443/', REQUEST);
    expect(outcome).toEqual({ failure: expect.stringMatching(/^(?:tls-error|connection-reset)$/) });
    const authorization = `Basic ${Buffer.from('user:pass').toString('base64')}`;
    expect(connected).toEqual([{ host: 'hooks.example.com:8443', authorization }]);
  });

  it('fail with a reason of their own where the proxy refuses', async () => {
    accepts = false;
    expect(await outbound.post('https://hooks.example.com/', REQUEST)).toEqual({ failure: 'proxy-refused' });
    expect(connected).toHaveLength(1);
  });

  it('are refused to names that resolve to a private address here', async () => {
    expect(await outbound.post('https://localhost/', REQUEST)).toEqual({ failure: 'refused-address' });
    expect(connected).toEqual([]);
  });

  it('reach a trusted host without it', async () => {
    const outcome = await outbound.post(`http://127.0.0.1:${portOf(receiver)}/`, REQUEST);
    expect(outcome).toMatchObject({ status: 204 });
    expect(connected).toEqual([]);
  });
});

describe('A POST to a trusted host', () => {
  let receiver: Server;
  let outbound: OutboundPost;
  let connections = 0;
  let answer: RequestListener;
  /** Called when a request has arrived. */
  let arrived: () => void = () => undefined;

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      arrived();
      answer(request, response);
    });
    receiver.on('connection', () => (connections += 1));
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    outbound = new OutboundPost(readSettings(TRUSTED));
  });
  afterAll(async () => {
    await outbound.onApplicationShutdown();
    receiver.closeAllConnections();
    receiver.close();
  });
  beforeEach(() => {
    connections = 0;
    answer = (_, response) => void response.writeHead(204).end();
    arrived = () => undefined;
  });
  const portOf = () => (receiver.address() as AddressInfo).port;
  const post = (changes: object = {}, by = outbound, port = portOf()) =>
    by.post(`http://127.0.0.1:${port}/path?query`, {
      ...REQUEST,
      ...changes,
    });

  it('keeps its connections, four at most, and returns status, headers and body', async () => {
    answer = (request, response) =>
      void response.writeHead(201, { 'X-Answer': 'yes' }).end(`${request.method} ${request.url}`);
    const outcome = { status: 201, excerpt: 'POST /path?query', headers: { 'x-answer': 'yes' } };
    for (let n = 0; n < 10; n += 1) expect(await post()).toMatchObject(outcome);
    expect(connections).toBeLessThanOrEqual(4);
  });

  it('sends its headers and body, asks for no compression, and says who sends it', async () => {
    const received = Promise.withResolvers<string>();
    answer = (request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => received.resolve(text));
      response.writeHead(200).end(JSON.stringify(request.headers));
    };
    const outcome = await post({ headers: { 'webhook-id': 'one' }, body: '{"a":1}' });
    expect(JSON.parse('excerpt' in outcome ? outcome.excerpt : '{}')).toMatchObject({
      'webhook-id': 'one',
      'accept-encoding': 'identity',
      'user-agent': 'Gatehouse-Webhooks/1',
      'content-length': '7',
    });
    expect(await received.promise).toBe('{"a":1}');
  });

  it('has four connections at most, however many requests wait, while all are answered', async () => {
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => post()));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 204 });
    expect(connections).toBeLessThanOrEqual(4);
  });

  it('has a further connection while other requests to the host hang, which ends with it', async () => {
    let requests = 0;
    let ended = 0;
    answer = (_, response) => response.once('close', () => (ended += 1));
    arrived = () => (requests += 1);
    const hanging = Array.from({ length: 20 }, () => post({ timeoutMs: 1_000 }));
    const aborting = AbortSignal.abort(new DOMException('', 'AbortError'));
    expect(await post({ aborting })).toEqual({ failure: 'aborted' });
    expect(await Promise.all(hanging)).toEqual(Array(20).fill({ failure: 'timeout' }));
    await eventually('their connections end', () => ended === 20);
    expect(requests).toBe(20);
  });

  it('fails after its time where the host accepts connections and is silent', async () => {
    const silent = createTcpServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    // Those of the first round no longer count in the second.
    for (let twice = 0; twice < 2; twice += 1) {
      const all = Array.from({ length: 4 }, () => outbound.post(url, { ...REQUEST, timeoutMs: 100 }));
      expect(await Promise.all(all)).toEqual(Array(4).fill({ failure: 'timeout' }));
    }
    silent.close();
  });

  it('passes over what precedes the final response', async () => {
    answer = (_, response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      response.writeHead(200).end('final');
    };
    expect(await post()).toMatchObject({ status: 200, excerpt: 'final' });
  });

  it('keeps one KiB of a long body, as text, and reads no more', async () => {
    answer = (_, response) => void response.writeHead(200).end(`a\0${'b'.repeat(100_000)}`);
    const outcome = await post();
    expect(outcome).toMatchObject({ status: 200, excerpt: `a\uFFFD${'b'.repeat(1_022)}` });
  });

  it('fails after its time without a response', async () => {
    answer = () => undefined;
    expect(await post({ timeoutMs: 100 })).toEqual({ failure: 'timeout' });
  });

  it.each([
    ['has no end', () => undefined, {}],
    ['has no end, beyond the time of the request', () => undefined, { timeoutMs: 300 }],
    ['breaks', (response: ServerResponse) => void response.destroy(), {}],
    ['is longer than one KiB', (response: ServerResponse) => void response.write('x'.repeat(2_000)), {}],
  ])('is answered by status and headers, if the body %s', async (_, goOn, changes) => {
    const closed = Promise.withResolvers<void>();
    answer = (request, response) => {
      request.socket.once('close', closed.resolve);
      response.writeHead(200, { 'x-answer': 'yes', 'content-length': '5000' });
      response.write('begun', () => goOn(response));
    };
    const outcome = await post(changes);
    expect(outcome).toMatchObject({ status: 200, headers: { 'x-answer': 'yes' } });
    expect('excerpt' in outcome && outcome.excerpt).toMatch(/^begun/);
    await closed.promise; // the body leaves no connection occupied
  });

  it('opens no further connection after its time', async () => {
    answer = () => undefined;
    expect(await post({ timeoutMs: 100 })).toEqual({ failure: 'timeout' });
    answer = (_, response) => void response.writeHead(204).end();
    const other = new OutboundPost(readSettings(TRUSTED));
    expect(await post({}, other)).toMatchObject({ status: 204 });
    await other.onApplicationShutdown();
    expect(connections).toBe(2);
  });

  it('follows one that was aborted, or whose connection was refused', async () => {
    const waiting = Promise.withResolvers<void>();
    let hanging = 0;
    answer = () => void ((hanging += 1) === 4 && waiting.resolve());
    const aborting = new AbortController();
    const aborted = Array.from({ length: 4 }, () => post({ aborting: aborting.signal }));
    await waiting.promise;
    answer = (_, response) => void response.writeHead(204).end();
    const following = Array.from({ length: 8 }, () => post());
    aborting.abort();
    expect(await Promise.all(aborted)).toEqual(Array(4).fill({ failure: 'aborted' }));
    for (const outcome of await Promise.all(following)) expect(outcome).toMatchObject({ status: 204 });
    const port = portOf();
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
    const refused = await Promise.all(Array.from({ length: 8 }, () => post({}, outbound, port)));
    expect(refused).toEqual(Array(8).fill({ failure: 'connection-refused' }));
    await new Promise<void>((resolve) => receiver.listen(port, '127.0.0.1', resolve));
    expect(await post()).toMatchObject({ status: 204 });
  });

  it('fails with a reason of its own where the receiver has no certificate', async () => {
    const secure = createSecureServer({});
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    const url = `https://127.0.0.1:${(secure.address() as AddressInfo).port}/`;
    expect(await outbound.post(url, REQUEST)).toEqual({ failure: 'tls-error' });
    secure.close();
  });

  it('ends when it is aborted, before and after the request is sent', async () => {
    expect(await post({ aborting: AbortSignal.abort() })).toEqual({ failure: 'aborted' });
    answer = () => undefined;
    const aborting = new AbortController();
    arrived = () => aborting.abort();
    expect(await post({ aborting: aborting.signal })).toEqual({ failure: 'aborted' });
  });
});
