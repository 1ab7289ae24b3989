import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A stretch of network between the service and its database that can break in the ways networks break. */
export class TcpProxy {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private readonly far = new Set<Socket>();
  private silent = false;

  private constructor(private readonly target: URL) {
    this.server = createServer((near) => this.join(near));
  }

  static async to(url: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(new URL(url));
    await proxy.listen(0);
    return proxy;
  }

  /** The target's address by way of this proxy. */
  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    return url.href;
  }

  /** Every connection breaks and new ones are refused. */
  async cut(): Promise<void> {
    const port = this.port;
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
    this.mend = () => this.listen(port);
  }

  /** Nothing comes through any more, and nobody is told; connections of this time stay dead for ever. */
  swallow(): void {
    this.silent = true;
    for (const socket of this.far) socket.destroy();
    this.mend = async () => void (this.silent = false);
  }

  /** New connections work again. */
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
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (chunk) => (to.writable ? to.write(chunk) : undefined));
      from.on('close', () => (this.silent ? undefined : to.destroy()));
    }
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
  }
}
