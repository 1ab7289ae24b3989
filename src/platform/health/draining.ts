import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type Settings, SETTINGS } from '../config/index.js';

const IDLE_CHECK_INTERVAL_MS = 200;
/** Maximum time for requests in progress; after it their connections are closed. */
const MAX_CLOSE_MS = 15_000;

/** Drains the service before it stops, so that load balancers send no request to a closed port. */
@Injectable()
export class Draining {
  private started = false;

  constructor(
    private readonly host: HttpAdapterHost,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Whether the service is about to stop: it still serves, but reports that it is not ready. */
  get active(): boolean {
    return this.started;
  }

  /**
   * Sends `Connection: close` with every response and resolves after DRAIN_SECONDS, in which load
   * balancers notice that the service is not ready. Closing the application then waits for requests
   * in progress, at most {@link MAX_CLOSE_MS}.
   */
  async run(): Promise<void> {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    this.started = true;
    server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
      response.shouldKeepAlive = false;
    });
    await sleep(this.settings.DRAIN_SECONDS * 1_000);
    // A response begun before draining leaves its connection open, and the server would wait for
    // it.
    const closeIdle = () => (server.listening ? undefined : server.closeIdleConnections());
    const idle = setInterval(closeIdle, IDLE_CHECK_INTERVAL_MS).unref();
    const last = setTimeout(() => server.closeAllConnections(), MAX_CLOSE_MS).unref();
    server.once('close', () => {
      clearInterval(idle);
      clearTimeout(last);
    });
  }
}
