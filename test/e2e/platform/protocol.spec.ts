import type { IncomingMessage, Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { eventually, withApp } from '../../support/test-app.js';

interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

describe('A request that is hardly one', () => {
  const app = withApp();

  /** What comes back on a connection over which just this is sent. */
  const send = (text: string) => answerOf(connect(Number(new URL(app.url).port), '127.0.0.1'), text);

  async function answerOf(socket: Socket, text: string): Promise<RawAnswer> {
    socket.write(text);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    const [first = '', ...lines] = head.split('\r\n');
    const headers = new Headers(
      lines.map((line): [string, string] => [line.split(': ')[0] ?? '', line.split(': ')[1] ?? '']),
    );
    return { status: Number(first.split(' ')[1]), headers, body };
  }

  function expectProblem({ status, headers, body }: RawAnswer, type: string): void {
    expect(headers.get('content-type')).toContain('application/problem+json');
    expect(JSON.parse(body)).toMatchObject({
      type,
      status,
      instance: `urn:request:${headers.get('x-request-id')}`,
    });
  }
  const rest = 'Host: x\r\nConnection: close\r\n';

  it.each(['http://[/', 'http://a:b:c/', '*', 'http://h'])(
    'leads nowhere with the target %s',
    async (target) => {
      const answer = await send(`OPTIONS ${target} HTTP/1.1\r\n${rest}\r\n`);
      expect(answer.status).toBe(404);
      expectProblem(answer, '/errors/not-found');
      expect(answer.headers.get('x-ratelimit-remaining')).not.toBeNull();
    },
  );

  it('is taken by its path when the target names a host', async () => {
    const answer = await send(`GET http://other.example/api/v1/iam/me?x HTTP/1.1\r\n${rest}\r\n`);
    expect(answer.status).toBe(401);
    expectProblem(answer, '/errors/unauthenticated');
  });

  it('leaves the answer to the request before it, which has come whole', async () => {
    const { accessToken } = await app.login(await app.register());
    const bearer = `Authorization: Bearer ${accessToken}\r\n`;
    const answer = await send(
      `DELETE /api/v1/iam/auth/account HTTP/1.1\r\nHost: x\r\n${bearer}\r\n{"confirm":true}`,
    );
    expect({ status: answer.status, connection: answer.headers.get('connection') }).toEqual({
      status: 204,
      connection: 'close',
    });
  });

  it('is refused like any other when it names no host', async () => {
    const answer = await send('GET /api/docs HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(answer.status).toBe(400);
    expectProblem(answer, '/errors/validation-error');
    expect(answer.headers.get('x-ratelimit-remaining')).not.toBeNull();
  });

  it.each([
    ...['/', '/api/docs', '/api/v1/iam/me', '/api/nowhere', '/healthz', '/metrics'].flatMap((path) => [
      `GET ${path} HTTP/2.0\r\n${rest}\r\n`,
      `GET ${path} HTTP/0.9\r\n${rest}\r\n`,
    ]),
    `GET /api/docs HTTP/2.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n`,
    'GET /api/docs HTTP/2.0\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n',
    'GET /api/docs\r\n\r\n',
  ])('is refused in a version that is not spoken here: %j', async (text) => {
    const answer = await send(text);
    expect(answer.status).toBe(400);
    expectProblem(answer, '/errors/validation-error');
    expect(answer.headers.get('connection')).toBe('close');
    expect(answer.headers.get('x-ratelimit-remaining')).not.toBeNull();
  });

  it('is refused before its effects in a version that is not spoken here', async () => {
    const { accessToken } = await app.login(await app.register());
    const bearer = `Authorization: Bearer ${accessToken}\r\n`;
    const logout = (version: string) =>
      send(`POST /api/v1/iam/auth/logout HTTP/${version}\r\n${bearer}${rest}\r\n`);
    for (const version of ['2.0', '0.9']) expect((await logout(version)).status).toBe(400);
    expect((await logout('1.0')).status).toBe(204);
  });

  it.each(['1.2', '1.10', '01.1', '3.0', '9.9', '11', '1.1x'])(
    'is refused in a version that there is not: %s',
    async (version) => {
      const answer = await send(`GET /api/docs HTTP/${version}\r\n${rest}\r\n`);
      expect(answer.status).toBe(400);
      expectProblem(answer, '/errors/validation-error');
    },
  );

  it('is refused as the preface of HTTP/2 (RFC 9113 section 3.4)', async () => {
    const answer = await send('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    expect(answer.status).toBe(400);
    expectProblem(answer, '/errors/validation-error');
  });

  it('has no body where it sends one in chunks and none of them', async () => {
    const path = '/api/v1/iam/auth/logout-others';
    const answer = await send(`POST ${path} HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${rest}\r\n0\r\n\r\n`);
    expect(answer.status).toBe(401);
    const { accessToken } = await app.login(await app.register());
    const signedIn = `Authorization: Bearer ${accessToken}\r\n`;
    expect(
      (await send(`POST ${path} HTTP/1.1\r\n${signedIn}Transfer-Encoding: chunked\r\n${rest}\r\n0\r\n\r\n`))
        .status,
    ).toBe(204);
  });

  it('is answered like any other when it expects something odd', async () => {
    const answer = await send(`GET /api/v1/iam/me HTTP/1.1\r\nExpect: a-banana\r\n${rest}\r\n`);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('x-ratelimit-remaining')).not.toBeNull();
  });

  it.each([
    [
      'headers of 20 KB',
      `GET /api/docs HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n${rest}\r\n`,
      431,
      'headers-too-large',
    ],
    [
      'an address of 20 KB',
      `GET /api/${'x'.repeat(20_000)} HTTP/1.1\r\n${rest}\r\n`,
      431,
      'headers-too-large',
    ],
    ['an unknown method', `FETCH /api/docs HTTP/1.1\r\n${rest}\r\n`, 400, 'validation-error'],
    [
      'two lengths',
      `POST /api/docs HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n${rest}\r\n`,
      400,
      'validation-error',
    ],
    ['no end', 'GET /api/docs HTTP/1.1\r\nX: ', 408, 'request-timeout'],
  ])('is a problem when it has %s', async (_name, text, status, code) => {
    const answer = await send(text);
    expect(answer.status).toBe(status);
    expectProblem(answer, `/errors/${code}`);
  });

  it('keeps its id and its rate limit when its body breaks off in the middle', async () => {
    const head = `POST /api/v1/iam/auth/login HTTP/1.1\r\n${rest}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    let request: IncomingMessage | undefined;
    (app.app.getHttpServer() as Server).once('request', (taken: IncomingMessage) => (request = taken));
    socket.write(`${head}1\r\n{\r\n`);
    await eventually('its body is waited for', () => (request?.listenerCount('data') ?? 0) > 0);
    const answer = await answerOf(socket, 'no chunk\r\n');
    expect(answer.status).toBe(400);
    expectProblem(answer, '/errors/validation-error');
    expect(answer.headers.get('x-ratelimit-remaining')).not.toBeNull();
    expect(answer.headers.get('x-ratelimit-limit')).not.toBeNull();
    expect(answer.headers.get('x-ratelimit-reset')).not.toBeNull();
  });
});
