import { Client, Dispatcher } from 'undici';

interface Waiting {
  readonly request: Dispatcher.DispatchOptions;
  readonly handler: Dispatcher.DispatchHandler;
}

/**
 * Connections to one host, with one request at a time each. In place of undici's Pool: its queue
 * reserves 16 KB for each host, and it connects again after a request was aborted.
 */
export class HostPool extends Dispatcher {
  private readonly clients = new Set<Client>();
  private readonly busy = new Set<Client>();
  private readonly waiting: Waiting[] = [];
  private isClosed = false;
  /** Read by undici's Agent. */
  destroyed = false;

  /** @param max connections; further requests wait for one */
  constructor(
    private readonly origin: string | URL,
    private readonly options: Client.Options,
    private readonly max: number,
  ) {
    super();
  }

  override dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.waiting.push({ request, handler });
    this.sendWaiting();
    return true;
  }

  /** Ends the connections after the last request. */
  override close(): Promise<void> {
    this.isClosed = true;
    this.sendWaiting();
    return Promise.resolve();
  }

  override async destroy(): Promise<void> {
    this.destroyed = true;
    this.waiting.length = 0;
    await Promise.all([...this.clients].map((client) => client.destroy()));
  }

  private sendWaiting(): void {
    for (let next = this.waiting[0]; next; next = this.waiting[0]) {
      const client = [...this.clients].find((one) => !this.busy.has(one)) ?? this.addClient();
      if (!client) return;
      this.waiting.shift();
      if (!client.dispatch(next.request, next.handler)) this.busy.add(client);
    }
    if (this.isClosed) for (const client of this.clients) void client.close();
  }

  /** @returns null if there are as many as may be */
  private addClient(): Client | null {
    if (this.clients.size >= this.max) return null;
    const client = new Client(this.origin, this.options);
    this.clients.add(client);
    client.on('connect', (origin, targets) => this.emit('connect', origin, [this, ...targets]));
    client.on('drain', () => this.free(client));
    client.on('disconnect', (origin, targets, error) => {
      // Else it connects again, to find that the request was aborted.
      if (isAbort(error)) void client.destroy(error);
      if (client.stats.size === 0) this.remove(client);
      this.emit('disconnect', origin, [this, ...targets], error);
    });
    client.on('connectionError', (origin, targets, error) => {
      this.remove(client);
      this.emit('connectionError', origin, [this, ...targets], error);
    });
    return client;
  }

  private remove(client: Client): void {
    this.clients.delete(client);
    this.free(client);
  }

  private free(client: Client): void {
    this.busy.delete(client);
    this.sendWaiting();
  }
}

/** Whether a connection was ended because its request was aborted. */
const isAbort = ({ code, message }: { readonly code: string; readonly message: string }): boolean =>
  code === 'UND_ERR_INFO' && message === 'aborted';
