import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { readSettings } from '../../src/platform/config/index.js';
import { OutboundPost } from '../../src/platform/outbound/index.js';

const REQUEST = { headers: {}, body: '{}', signal: AbortSignal.timeout(20_000) };

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
