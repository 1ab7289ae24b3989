import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Request } from 'express';
import { receiveBody } from '../../src/platform/web/body/body-parser.js';

const MAX_BYTES = 8;

describe('Body of a request', () => {
  let server: Server;
  let socket: Socket;

  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  });
  afterEach(() => {
    socket.destroy();
    server.close();
  });

  /** Sends the head of a request and the start of its body, and waits for the turn to end. */
  async function take(length: number, sent: string): Promise<IncomingMessage> {
    const asked = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${sent}`);
    const [request] = await asked;
    await endOfTurn();
    return request;
  }

  const receive = (request: IncomingMessage): { result?: string; settled: Promise<string> } => {
    const state: { result?: string } = {};
    const settled = new Promise<string>((resolve) => {
      receiveBody(request as Request, MAX_BYTES, (error, body) => {
        state.result = error ? (error as Error & { type: string }).type : body.toString();
        resolve(state.result);
      });
    });
    return Object.assign(state, { settled });
  };

  it.each([
    [0, ''],
    [MAX_BYTES, 'received'],
  ])('of %i bytes is taken at once, if it has arrived', async (length, text) => {
    expect(receive(await take(length, text)).result).toBe(text);
  });

  it('is taken whole, if it has arrived in several pieces', async () => {
    const request = await take(MAX_BYTES, 'rece');
    socket.write('ived');
    while (!request.complete) await endOfTurn();
    expect(receive(request).result).toBe('received');
  });

  it('is waited for, if a part is missing', async () => {
    const request = await take(MAX_BYTES, 'rece');
    const received = receive(request);
    expect(received.result).toBeUndefined();
    socket.write('ived');
    expect(await received.settled).toBe('received');
  });

  it('is refused, if it is too large and has arrived', async () => {
    expect(await receive(await take(MAX_BYTES + 1, 'received.')).settled).toBe('entity.too.large');
  });

  it('is refused, if the connection is closed before its end', async () => {
    const received = receive(await take(MAX_BYTES, 'rece'));
    socket.destroy();
    expect(await received.settled).toBe('request.aborted');
  });

  it.each(['rece', 'received'])('is refused, if the caller has left after sending %s', async (sent) => {
    const request = await take(MAX_BYTES, sent);
    socket.destroy();
    while (!request.closed) await endOfTurn();
    expect(await receive(request).settled).toBe('request.aborted');
  });
});
