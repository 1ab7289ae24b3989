import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { eventually } from './test-app.js';

interface Push {
  readonly contentType: string | undefined;
  readonly authorization: string | undefined;
  readonly token: string;
}

/** A receiver of pushed security events (RFC 8935) on this machine. */
export class SignalReceiver {
  readonly pushes: Push[] = [];
  /** Status of the answers. */
  status = 202;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<SignalReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const receiver = new SignalReceiver(server, `http://127.0.0.1:${port}/signals`);
    server.on('request', (request, response) => {
      void text(request).then((token) => {
        const { 'content-type': contentType, authorization } = request.headers;
        receiver.pushes.push({ contentType, authorization, token });
        response.writeHead(receiver.status).end();
      });
    });
    return receiver;
  }

  /** Waits until this many pushes have come. */
  async waitFor(count: number): Promise<readonly Push[]> {
    await eventually(`${count} pushes`, () => this.pushes.length >= count);
    return this.pushes;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
