import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { query } from '../../src/testing/query.js';
import { eventually } from './test-app.js';

/** Where a process of the server hangs: at these words, of a transaction with others before. */
interface Place {
  readonly at: string;
  readonly after: string;
}

/**
 * A PostgreSQL of which one process hangs: it is stopped (SIGSTOP) when it is sent certain words,
 * which it finds when it goes on.
 */
export class HangingServer {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private place: Place | undefined;
  private pid: number | undefined;

  private constructor(private readonly direct: URL) {
    this.server = createServer((near) => this.join(near));
  }

  static async before(direct: string): Promise<HangingServer> {
    const hanging = new HangingServer(new URL(direct));
    await new Promise<void>((resolve) => hanging.server.listen(0, '127.0.0.1', resolve));
    return hanging;
  }

  get url(): string {
    const url = new URL(this.direct);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    url.searchParams.delete('host'); // the socket of a test's PostgreSQL
    return url.href;
  }

  /** Stops the next process that is sent the words `at` after the words `after`, or at once. */
  hang(at: string, after = ''): void {
    this.pid = undefined;
    this.place = { at, after };
  }

  get hangs(): boolean {
    return this.pid !== undefined;
  }

  /** Lets the process go on. Resolves when it has done what it was sent, and has ended. */
  async wake(): Promise<void> {
    const { pid } = this;
    if (pid === undefined) throw new Error('No process hangs.');
    this.release();
    await eventually('the process has ended', async () => {
      const left = await query(this.direct.href, 'SELECT 1 FROM pg_stat_activity WHERE pid = $1', [pid]);
      return left.length === 0;
    });
  }

  /** Lets the process go on, if one hangs. */
  release(): void {
    this.place = undefined;
    if (this.pid !== undefined) process.kill(this.pid, 'SIGCONT');
    this.pid = undefined;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(near: Socket): void {
    const far = connect(Number(this.direct.port), this.direct.hostname);
    for (const socket of [near, far]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
    }
    let isAfter = false;
    let forwarded = Promise.resolve();
    near.on('data', (chunk: Buffer) => {
      const { place } = this;
      if (chunk.includes('START TRANSACTION')) isAfter = false;
      isAfter ||= place !== undefined && chunk.includes(place.after);
      const stops = place !== undefined && isAfter && chunk.includes(place.at);
      if (stops) this.place = undefined;
      forwarded = forwarded.then(async () => {
        if (stops) await this.stop(far.localPort);
        far.write(chunk);
      });
    });
    near.on('close', () => void forwarded.then(() => far.end()));
    far.on('data', (chunk: Buffer) => void (near.writable && near.write(chunk)));
    far.on('close', () => near.destroy());
  }

  private async stop(port: number | undefined): Promise<void> {
    const sql = 'SELECT pid FROM pg_stat_activity WHERE client_port = $1';
    const [row] = (await query(this.direct.href, sql, [port])) as { pid: number }[];
    if (!row) throw new Error('The connection has no process.');
    process.kill(row.pid, 'SIGSTOP');
    this.pid = row.pid;
  }
}
