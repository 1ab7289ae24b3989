import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * Message of PostgreSQL to a connection that an administrator ends (protocol 3.0, ErrorResponse).
 */
const TERMINATED = ((fields: Buffer) => {
  const head = Buffer.alloc(5, 'E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
})(Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'));

/** A proxy between the service and its database that fails in the ways networks fail. */
export class TcpProxy {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private readonly far = new Set<Socket>();
  private silent = false;
  private lastQuestion: string | undefined;
  private lostAnswer: string | undefined;

  private constructor(private readonly target: URL) {
    this.server = createServer((near) => this.join(near));
  }

  static async to(url: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(new URL(url));
    await proxy.listen(0);
    return proxy;
  }

  /** Address of the target through this proxy. */
  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    url.searchParams.delete('host'); // the socket of a test's PostgreSQL
    return url.href;
  }

  /** Breaks every connection and refuses new ones. */
  async cut(): Promise<void> {
    const port = this.port;
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
    this.mend = () => this.listen(port);
  }

  /** Drops all data silently; connections of this time stay unusable. */
  swallow(): void {
    this.silent = true;
    for (const socket of this.far) socket.destroy();
    this.mend = async () => void (this.silent = false);
  }

  /**
   * Forwards the answer to the next such query, followed by PostgreSQL's message that
   * it ends the connection.
   */
  endWithAnswerTo(question: string): void {
    this.lastQuestion = question;
  }

  /** Breaks the connection of the next answer with these words instead of forwarding it. */
  loseAnswerWith(words: string): void {
    this.lostAnswer = words;
  }

  /** Whether such an answer has come. */
  get hasLostAnswer(): boolean {
    return this.lostAnswer === undefined;
  }

  /** Accepts new connections again. */
  mend: () => Promise<void> = async () => undefined;

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    if (this.server.listening) await new Promise((resolve) => this.server.close(resolve));
  }

  private get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  private listen(port: number): Promise<void> {
    return new Promise((resolve) => this.server.listen(port, '127.0.0.1', resolve));
  }

  private join(near: Socket): void {
    this.keep(near);
    if (this.silent) return;
    const far = connect(Number(this.target.port), this.target.hostname);
    this.keep(far);
    this.far.add(far);
    far.on('close', () => this.far.delete(far));
    let ends = false;
    near.on('data', (chunk) => {
      if (this.lastQuestion === undefined || !chunk.includes(this.lastQuestion)) return;
      this.lastQuestion = undefined;
      ends = true;
    });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (chunk: Buffer) => {
        if (from === far && this.lostAnswer !== undefined && chunk.includes(this.lostAnswer)) {
          this.lostAnswer = undefined;
          near.destroy();
        } else if (ends && from === far) near.end(Buffer.concat([chunk, TERMINATED]));
        else if (to.writable) to.write(chunk);
      });
      from.on('close', () => (this.silent ? undefined : to.destroy()));
    }
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
  }
}
