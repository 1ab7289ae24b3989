import { Logger } from '@nestjs/common';
import { Client, Dispatcher } from 'undici';
import { describeCause } from '../errors/index.js';

interface Waiting {
  readonly request: Dispatcher.DispatchOptions;
  readonly handler: Dispatcher.DispatchHandler;
}

/**
 * Longest wait of a request for a connection, and the time after which one that has not answered
 * no longer counts.
 */
const MAX_WAIT_MS = 100;

/**
 * Connections to one host, with one request at a time each. Few, as long as requests are answered:
 * one that hangs no longer counts, and no request waits for others longer than a moment. So a
 * receiver that hangs delays no other of its host, whichever organization they belong to. In place
 * of undici's Pool: its queue reserves 16 KB for each host, and it connects again after a request
 * was aborted.
 */
export class HostPool extends Dispatcher {
  private readonly logger = new Logger('Outbound');
  private readonly idle = new Set<Client>();
  /** Connections with a request, and when it was sent; the longest first. */
  private readonly busy = new Map<Client, number>();
  private readonly waiting = new Set<Waiting>();
  private isClosed = false;
  /** Read by undici's Agent. */
  destroyed = false;

  /** @param max connections that are idle or whose requests have not waited for long */
  constructor(
    private readonly origin: string | URL,
    private readonly options: Client.Options,
    private readonly max: number,
  ) {
    super();
  }

  override dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const waiting = { request, handler };
    const [client = this.hasRoom ? this.createClient() : null] = this.idle;
    if (client) this.send(waiting, client);
    else this.wait(waiting);
    return true;
  }

  /** Ends each connection after its last request. */
  override close(): Promise<void> {
    this.isClosed = true;
    for (const client of this.idle) this.end(client);
    return Promise.resolve();
  }

  /** Ends the connections with their requests. What waits is not sent. */
  override async destroy(): Promise<void> {
    this.destroyed = true;
    this.waiting.clear();
    await Promise.all([...this.idle, ...this.busy.keys()].map((client) => client.destroy()));
  }

  /** Whether there may be a further connection: those whose requests hang do not count. */
  private get hasRoom(): boolean {
    const before = performance.now() - MAX_WAIT_MS;
    let count = this.idle.size + this.busy.size;
    for (const sentAt of this.busy.values()) {
      if (sentAt > before) break;
      count -= 1;
    }
    return count < this.max;
  }

  private wait(waiting: Waiting): void {
    this.waiting.add(waiting);
    setTimeout(() => {
      if (this.waiting.delete(waiting)) this.send(waiting, this.createClient());
    }, MAX_WAIT_MS);
  }

  private send({ request, handler }: Waiting, client: Client): void {
    this.idle.delete(client);
    this.busy.set(client, performance.now());
    client.dispatch(request, handler);
    if (client.stats.size === 0) this.free(client); // a request that cannot be sent
  }

  private createClient(): Client {
    const client = new Client(this.origin, this.options);
    client.on('connect', (origin, targets) => this.emit('connect', origin, [this, ...targets]));
    client.on('drain', () => this.free(client));
    client.on('disconnect', (origin, targets, error) => {
      // An aborted request would connect again, to find that it was aborted.
      if (isAbort(error) || client.stats.size === 0) this.end(client, error);
      this.emit('disconnect', origin, [this, ...targets], error);
    });
    client.on('connectionError', (origin, targets, error) => {
      this.end(client, error);
      this.emit('connectionError', origin, [this, ...targets], error);
    });
    return client;
  }

  /** Gives a connection whose request has ended to the one that has waited longest. */
  private free(client: Client): void {
    if (!this.busy.delete(client)) return;
    const [next] = this.waiting;
    if (next) {
      this.waiting.delete(next);
      this.send(next, client);
    } else if (this.isClosed || !this.hasRoom) this.end(client);
    else this.idle.add(client);
  }

  /** Ends a connection. What waits gets another one. */
  private end(client: Client, reason: Error | null = null): void {
    this.idle.delete(client);
    this.busy.delete(client);
    client.destroy(reason).catch((error: unknown) => {
      this.logger.warn({ cause: describeCause(error) }, 'A connection to a receiver did not end.');
    });
    const [next] = this.waiting;
    if (!next || !this.hasRoom) return;
    this.waiting.delete(next);
    this.send(next, this.createClient());
  }
}

/** Whether a connection was ended because its request was aborted. */
const isAbort = ({ code, message }: { readonly code: string; readonly message: string }): boolean =>
  code === 'UND_ERR_INFO' && message === 'aborted';
