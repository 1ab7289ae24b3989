import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Tracing } from '../../src/platform/observability/tracing.js';
import { OutboundHttp, TooLate } from '../../src/platform/outbound/outbound-http.js';

describe('A request to another organization', () => {
  let server: Server;
  let port: number;
  let asked: number;
  let http: OutboundHttp;
  beforeAll(async () => {
    server = createServer(({ url }, response) => {
      asked += 1;
      if (url === '/away') response.writeHead(302, { location: '/' });
      if (url === '/packed') response.setHeader('content-encoding', 'gzip');
      response.end(url === '/long' ? 'x'.repeat(1_100_000) : 'here');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  beforeEach(() => {
    asked = 0;
    http = new OutboundHttp(new Tracing());
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const read = async (url: string) => (await http.fetch(url)).text();

  it.each([
    'localhost',
    '127.0.0.1',
    '0.0.0.0',
    '[::ffff:7f00:1]',
    '[::1]',
    '10.0.0.1',
    '169.254.169.254',
    '[fd00::1]',
    '[2002:7f00:1::]',
    '[64:ff9b:1::7f00:1]',
  ])('is refused for the private address %s', async (host) => {
    await expect(read(`http://${host}:${port}/`)).rejects.toThrow();
    expect(asked).toBe(0);
  });

  it('is allowed for a private host by its configured name only', async () => {
    http.trust(`http://127.0.0.1:${port}`);
    expect(await read(`http://127.0.0.1:${port}/`)).toBe('here');
    await expect(read(`http://localhost:${port}/`)).rejects.toThrow();
    expect(asked).toBe(1);
  });

  it.each(['/away', '/packed', '/long'])(
    'follows no redirect and reads at most a megabyte: %s',
    async (path) => {
      http.trust(`http://127.0.0.1:${port}`);
      await expect(read(`http://127.0.0.1:${port}${path}`)).rejects.toThrow();
      expect(asked).toBe(1);
    },
  );

  it('reaches a trusted host by its name', async () => {
    http.trust(`http://localhost:${port}`);
    expect(await read(`http://localhost:${port}/`)).toBe('here');
  });

  it('ends with the common timeout, whatever its work waits for', async () => {
    const timeout = new AbortController();
    const made = jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(timeout.signal);
    const late = http.together(() => new Promise(() => undefined));
    timeout.abort();
    await expect(late).rejects.toBeInstanceOf(TooLate);
    made.mockRestore();
  });

  it('fails with the error of the work, also before a request is sent', async () => {
    const broken = (): never => {
      throw new Error('not ready');
    };
    await expect(http.together(broken)).rejects.toThrow('not ready');
  });
});
