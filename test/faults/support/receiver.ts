import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Time of each answer of a slow receiver: shorter than the grace period of a stop. */
const SLOW_MS = 200;

/** A receiver of webhooks that keeps what it has accepted, and refuses on request. */
export class Receiver {
  readonly accepted: string[] = [];
  answer: 'accept' | 'slow' | 'refuse' | 'reset' | 'hang' = 'accept';
  /** Requests that hang. */
  readonly held: ServerResponse[] = [];
  /** Number of requests that ended while they hung. */
  cut = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on('request', (request: IncomingMessage, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        if (receiver.answer === 'reset') return request.socket.destroy();
        if (receiver.answer === 'refuse') return response.writeHead(503).end();
        if (receiver.answer === 'hang') {
          receiver.held.push(response);
          return response.once('close', () => (receiver.cut += response.writableEnded ? 0 : 1));
        }
        const { id, type, data } = JSON.parse(text) as {
          id: string;
          type: string;
          data: { roleId?: string };
        };
        receiver.accepted.push(`${type} ${data.roleId ?? id}`);
        setTimeout(() => response.writeHead(204).end(), receiver.answer === 'slow' ? SLOW_MS : 0);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
