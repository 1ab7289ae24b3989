import { createServer as createSecureServer } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { OutboundPost } from '../../../src/platform/outbound/index.js';
import { Organization } from '../../support/organization.js';
import { eventually, withApp } from '../../support/test-app.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';

const WEBHOOKS = '/api/v1/webhooks';
/** In place of 15 s. */
const TIMEOUT_MS = 400;

/** Writes without an end, as long as the connection takes it. */
function flood(socket: Socket, text: string): void {
  const write = (): void => {
    while (!socket.destroyed && socket.write(text));
    if (!socket.destroyed) socket.once('drain', write);
  };
  write();
}

/** Writes a byte now and then. */
function drip(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => socket.write(text[at++ % text.length] ?? ''), 20);
  socket.once('close', () => clearInterval(timer));
}

/** What a receiver does once a request has come, and the attempt that is recorded. */
const RECEIVERS: readonly (readonly [string, (socket: Socket) => unknown, object])[] = [
  ['never answers', () => undefined, { error: 'timeout', status: null }],
  [
    'drips its headers',
    (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nX: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'),
    { error: 'timeout', status: null },
  ],
  [
    'drips its body',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n');
      drip(socket, 'a');
    },
    { error: null, status: 200 },
  ],
  [
    'floods with informational responses',
    (socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n'.repeat(100)),
    { error: 'timeout', status: null },
  ],
  [
    'sends headers without an end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      flood(socket, `X-Header: ${'a'.repeat(1_000)}\r\n`);
    },
    { error: 'invalid-response', status: null },
  ],
  [
    'sends a body without an end',
    (socket) => {
      socket.write('HTTP/1.1 500 Failed\r\n\r\n');
      flood(socket, 'b'.repeat(10_000));
    },
    { error: 'status', status: 500, excerpt: 'b'.repeat(1_024) },
  ],
  [
    'sends trailers without an end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n');
      flood(socket, `X-Trailer: ${'a'.repeat(1_000)}\r\n`);
    },
    { error: null, status: 200 },
  ],
  [
    'speaks another protocol',
    (socket) => socket.end('220 mail.example.com ESMTP\r\n'),
    { error: 'invalid-response' },
  ],
  ['closes without a word', (socket) => socket.end(), { error: 'connection-reset', status: null }],
  [
    'resets the connection',
    (socket) => socket.resetAndDestroy(),
    { error: 'connection-reset', status: null },
  ],
  [
    'closes in the middle of its body',
    (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nbegun'),
    { error: null, status: 200, excerpt: 'begun' },
  ],
  [
    'switches protocols',
    (socket) => socket.end('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    { status: null },
  ],
  [
    'answers twice',
    (socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 500 Failed\r\nContent-Length: 0\r\n\r\n'),
    { error: null, status: 204 },
  ],
  [
    'compresses its answer',
    (socket) => socket.end('HTTP/1.1 400 Bad\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n\x1f\x00'),
    { error: 'status', status: 400, excerpt: '\x1f\uFFFD' },
  ],
  [
    'has a status that is none',
    (socket) => socket.end('HTTP/1.1 999 What\r\nContent-Length: 0\r\n\r\n'),
    { error: 'status', status: 999 },
  ],
];

describe('A receiver that', () => {
  let organization: Organization;
  let server: Server;
  let answer: (socket: Socket) => unknown;
  const app = withApp({ WEBHOOK_TRUSTED_HOSTS: '127.0.0.1', PORTAL: 'off' });
  beforeAll(async () => {
    organization = await Organization.found(app);
    const outbound = app.app.get(OutboundPost, { strict: false });
    const send = outbound.post.bind(outbound);
    jest
      .spyOn(outbound, 'post')
      .mockImplementation((url, request) => send(url, { ...request, timeoutMs: TIMEOUT_MS }));
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => answer(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    server.close();
  });

  const call = (method: string, path: string, body?: unknown) =>
    app.call(method, `${WEBHOOKS}${path}`, body, { token: organization.owner.token });
  /** Sends a test, and returns what is recorded of it. */
  async function attemptAt(url: string): Promise<unknown> {
    const { id } = (await call('POST', '/subscriptions', { url, types: ['iam.role.*'] })).body;
    const { deliveryId } = (await call('POST', `/subscriptions/${String(id)}/test`, {})).body;
    const find = async () => (await call('GET', `/deliveries/${String(deliveryId)}`)).body;
    await eventually('it is recorded', async () => (await find())['finishedAt'] !== null);
    const { attemptList } = await find();
    expect((await call('DELETE', `/subscriptions/${String(id)}`)).status).toBe(204);
    return attemptList;
  }
  const urlOf = (scheme: string, { port }: AddressInfo) => `${scheme}://127.0.0.1:${port}/`;

  it.each(RECEIVERS)('%s has its reason recorded', async (_, behaviour, attempt) => {
    answer = behaviour;
    expect(await attemptAt(urlOf('http', server.address() as AddressInfo))).toMatchObject([attempt]);
  });

  it('has no certificate, or does not listen, has its reason recorded', async () => {
    const secure = createSecureServer({});
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    const url = urlOf('https', secure.address() as AddressInfo);
    expect(await attemptAt(url)).toMatchObject([{ error: 'tls-error', status: null, excerpt: null }]);
    await new Promise((resolve) => secure.close(resolve));
    expect(await attemptAt(url)).toMatchObject([{ error: 'connection-refused', status: null }]);
  });

  it('redirects is not followed, wherever it points', async () => {
    const target = await WebhookReceiver.start();
    for (const status of [301, 302, 303, 307, 308]) {
      answer = (socket) =>
        socket.end(`HTTP/1.1 ${status} Moved\r\nLocation: ${target.url}\r\nContent-Length: 0\r\n\r\n`);
      expect(await attemptAt(urlOf('http', server.address() as AddressInfo))).toMatchObject([
        { error: 'redirect', status },
      ]);
    }
    expect(target.received).toEqual([]);
    await target.stop();
  });
});
